import { FoundImage, ImageInventory, NotKnown, takeInventory, Use } from '../../manifests/landscape/image-inventory';
import { Place, placeText } from '../../manifests/landscape/place';
import { ManifestObject, objectName } from '../../manifests/objects/manifest-object';
import { stringAt } from '../../manifests/values/fields';
import { printable } from '../../manifests/values/printable';
import { table } from '../table';
import { copyFormat, CopyTool } from './copy-format';
import { isAccepted, NOT_KNOWN_OPTIONS, notKnownHelp, withCommand } from './not-known-options';
import { isRegistry } from '../../manifests/images/image-lock-file';
import { repositoryFault } from '../../manifests/images/image-resolver';
import { isOci } from '../../manifests/values/repository-address';
import { choice, readArguments } from '../arguments';
import { BUILD_OPTIONS, BUILDS_HELP, BUILDS_TEXT } from '../build/kustomize';
import { Command, CommandError, ExitCode } from '../command';
import { Manifests, readOn } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `images --help` about the shape. */
const JSON_SHAPE = `{ "version": 1,
    "images":   [{ "image", "name", "tag"?, "digest"?, "takesDigest", "usedBy": [USE] }],
    "charts":   [{ "chart", "version", "repository", "imagesKnown", "usedBy": [USE] }],
    "notKnown": [{ "what", "command"?, "places": [PLACE] }] }
  USE is a PLACE with { "object": { "apiVersion", "kind", "namespace"?, "name"? }, "pointer"?, "reason"? }:
  the field that names the image, or why it is pulled although no field does.
  PLACE is { "file", "line"?, "inside"? }. Lists are sorted.`;

/** The inventory for programs. */
export function jsonFormat({ images, charts, notKnown }: ImageInventory): string {
  return `${JSON.stringify({
    version: VERSION,
    images: images.map(({ image, name, tag, digest, takesDigest, uses }) => ({ image, name, tag, digest, takesDigest, usedBy: uses.map(useOf) })),
    charts: charts.map(({ chart, version, repository, imagesKnown, uses }) => ({ chart, version, repository, imagesKnown, usedBy: uses.map(useOf) })),
    notKnown: notKnown.map(({ what, command, places }) => ({ what, command, places: places.map(placeOf) })),
  }, undefined, 2)}\n`;
}

function useOf({ object, place, pointer, reason }: Use) {
  return { ...placeOf(place), object: identityOf(object), pointer, reason };
}

function placeOf({ file, line, inside }: Place) {
  return { file, line, inside };
}

function identityOf(object: ManifestObject) {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
  };
}

/** The inventory as a table that people read. */
function textFormat({ images, charts, notKnown }: ImageInventory, columns?: number): string {
  return [
    table(['IMAGE', 'USED BY'], images.map((image) => [image.image, usersOf(image.uses)]), columns),
    table(['CHART', 'VERSION', 'REPOSITORY', 'IMAGES', 'USED BY'], charts.map(({ chart, version, repository, imagesKnown, uses }) => [
      chart, version, repository, imagesKnown ? 'above' : 'see below', usersOf(uses),
    ]), columns),
    notKnown.length === 0 ? '' : `NOT KNOWN\n${notKnown.map(notKnownText).join('')}`,
    `${summary({ images, charts, notKnown })}\n`,
  ].filter((part) => part !== '').join('\n');
}

/** Totals, in a sentence. */
function summary({ images, charts, notKnown }: ImageInventory): string {
  const unpinned = images.filter(({ digest }) => digest === undefined).length;
  return `${count(images.length, 'image')} (${unpinned} without digest), ${count(charts.length, 'chart')}, ${
    notKnown.length === 0 ? 'nothing that is not known' : `${count(notKnown.length, 'thing')} not known`}`;
}

function usersOf(uses: readonly Use[]): string {
  const names = [...new Set(uses.map(({ object, reason }) => (reason === undefined ? objectName(object) : `${objectName(object)} (${reason})`)))];
  return names.length > 1 ? `${names[0]}, ${names.length - 1} more` : names[0];
}

function notKnownText({ what, command, places }: NotKnown): string {
  const [first, ...others] = places.map(placeText);
  return `- ${printable(what)}\n    at ${first}${others.length === 0 ? '' : ` and ${others.length} more`}\n${command === undefined ? '' : `    to find out: ${command}\n`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const NAME = 'images';
const DEFAULT_FOLDER = 'dist';
const FORMATS = ['text', 'json', 'copy'] as const;
const TOOLS = Object.values(CopyTool);

const OPTIONS = {
  'format': { type: 'string', default: 'text' },
  'to': { type: 'string' },
  'charts-to': { type: 'string' },
  'tool': { type: 'string' },
  'require-pinned': { type: 'boolean', default: false },
  'require-digests': { type: 'boolean', default: false },
  ...NOT_KNOWN_OPTIONS,
  ...BUILD_OPTIONS,
} as const;

const HELP = `cdk8s-cluster-api images: lists every image and chart that manifests pull

Usage: npx cdk8s-cluster-api images [OPTION…] [FILE or FOLDER…]

Reads the .yaml, .yml and .json files of the folders (default: ${DEFAULT_FOLDER}), and of folders in them. "-" is standard input.
Looks into lists, into ConfigMaps and Secrets of a ClusterResourceSet, into static pods of machines, and at the charts of
HelmRelease, HelmChartProxy and Application. Adds what control planes pull without saying so. What cannot be known from
the manifests is listed as not known, and so are files that cannot be read; nothing is left out. No registry and no cluster is asked.

${BUILDS_TEXT}

  --require-pinned      fail when an image has neither a digest nor a tag other than "latest"
  --require-digests     fail when an image has no digest, of those whose manifest has room for one
${notKnownHelp(24)}
${BUILDS_HELP}

  --format text         a table (default)
  --format json         for programs; the shape is below
  --format copy         a shell script that copies everything to a registry of your own:
    --to REGISTRY         where images go, as in ImageSources.imageRegistry, e.g. registry.example.com:5000/mirror
    --charts-to OCI       where charts go, as in ImageSources.chartRegistry, e.g. oci://registry.example.com:5000/charts
    --tool TOOL           ${TOOLS.join(', ')}; helm copies the charts that it cannot

Exit codes: 0 no findings of the options above, 1 findings, 2 usage error, or a file that is named cannot be read.

Examples:
  npx cdk8s-cluster-api images
  npx cdk8s-cluster-api images --require-digests --strict clusters/
  npx cdk8s-cluster-api images --format copy --to registry.example.com/mirror --tool crane | sh
  helm template cilium --repo https://helm.cilium.io | npx cdk8s-cluster-api images -

The shape of --format json:
  ${JSON_SHAPE}
`;

type Options = ReturnType<typeof readOptions>['values'];

/** Lists the images and charts of manifests. */
export const IMAGES_COMMAND: Command = {
  name: NAME,
  summary: 'list every image and chart that manifests pull, or print how to copy them',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS, tool: TOOLS },
  async run(args, surroundings) {
    const { values, positionals } = readOptions(args);
    const format = choice('format', values.format, FORMATS);
    const print = format === 'copy' ? copyPrinter(values) : refuseCopyOptions(values, format === 'json' ? jsonFormat : textFormat);
    const inventory = takeInventory(await readImages(positionals, values, surroundings));
    const findings = [...print(inventory, surroundings), ...findingsOf(inventory, values)];
    findings.forEach((finding) => surroundings.err(`found: ${finding}\n`));
    return findings.length > 0 ? ExitCode.FINDINGS : ExitCode.OK;
  },
};

function readImages(given: readonly string[], { render, 'no-build': noBuild }: Options, surroundings: Surroundings): Promise<Manifests> {
  return readOn(given.length > 0 || render !== undefined ? given : [DEFAULT_FOLDER], surroundings, { build: !noBuild, render });
}

/** Writes an inventory, and returns what was found while doing so. */
type Printer = (inventory: ImageInventory, surroundings: Surroundings) => readonly string[];

function readOptions(args: readonly string[]) {
  return readArguments(NAME, args, OPTIONS);
}

function refuseCopyOptions(values: Options, format: (inventory: ImageInventory, columns?: number) => string): Printer {
  const needless = (['to', 'charts-to', 'tool'] as const).find((option) => values[option] !== undefined);
  if (needless !== undefined) throw new CommandError([`--${needless} says where copies go, and nothing is copied`], 'add --format copy');
  return (inventory, { out, columns }) => {
    out(format(inventory, columns));
    return [];
  };
}

function copyPrinter({ to, 'charts-to': chartRegistry, tool, strict, accept }: Options): Printer {
  if (to === undefined || tool === undefined) {
    throw new CommandError(['--format copy needs --to and --tool'], `e.g. --to registry.example.com/mirror --tool ${TOOLS[0]}`);
  }
  const chartFault = chartRegistry === undefined ? undefined : repositoryFault(chartRegistry);
  const faults = [
    ...(isRegistry(to) ? [] : [`--to: "${to}" is not a registry`]),
    ...(chartFault === undefined ? [] : [`--charts-to: ${chartFault}`]),
  ];
  if (chartRegistry !== undefined && faults.length === 0 && !isOci(chartRegistry)) faults.push('--charts-to: nothing can be pushed to a repository that is not oci://…');
  if (faults.length > 0) throw new CommandError(faults, 'write --to without scheme, and --charts-to with oci://');
  const target = { registry: to, chartRegistry, tool: choice('tool', tool, TOOLS) };
  return (inventory, { out, err }) => {
    const { text, faults: found } = copyFormat(inventory, target);
    out(text);
    // The script is mostly piped into a shell, where its comments are lost. With --strict they are findings.
    const unsaid = inventory.notKnown.filter((thing) => !strict || isAccepted(thing, accept));
    unsaid.forEach((thing) => err(`note: not known, and not copied: ${withCommand(thing)}\n`));
    err(`${summary(inventory)}\n`);
    return found;
  };
}

function findingsOf({ images, notKnown }: ImageInventory, values: Options): string[] {
  const say = (found: readonly FoundImage[], fault: string) => found.map(({ image, uses }) => `${image} ${fault} (${uses.length === 1 ? 'used once' : `used ${uses.length} times`})`);
  return [
    ...(values['require-pinned'] ? say(images.filter(isMoving), 'may be another image tomorrow: it has neither a digest nor a tag other than latest') : []),
    ...(values['require-digests'] ? say(images.filter(({ digest, takesDigest }) => digest === undefined && takesDigest), 'has no digest') : []),
    ...(values.strict ? notKnown.filter((thing) => !isAccepted(thing, values.accept)).map(({ what }) => `not known: ${printable(what)}`) : []),
  ];
}

/** True if a name may mean another image tomorrow. */
function isMoving({ tag, digest }: Pick<FoundImage, 'tag' | 'digest'>): boolean {
  return digest === undefined && (tag === undefined || tag === 'latest');
}
