import * as fs from 'node:fs';
import * as path from 'node:path';
import { Chosen, chosenPictures, DrawnPicture, picturesOf } from './chosen-pictures';
import { htmlFormat } from './html-format';
import { mermaidFormat } from './mermaid-format';
import { PlannedChange } from './picture';
import { LandscapePlan } from './planned-landscape';
import { svgFormat } from './svg-format';
import { makeFolder } from '../../manifests/values/make-folder';
import { nearestName } from '../../manifests/values/nearest-name';
import { choice, readArguments } from '../arguments';
import { BUILD_OPTIONS, BUILDS_HELP, BUILDS_TEXT } from '../build/kustomize';
import { Command, CommandError, ExitCode } from '../command';
import { DEFAULT_FOLDER, readClusters, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { readStates, StateOptions } from '../plan/compared-states';
import { Surroundings } from '../surroundings';

const NAME = 'graph';
const FORMATS = ['mermaid', 'svg', 'html'] as const;

const OPTIONS = {
  'cluster': { type: 'string' },
  'management': { type: 'boolean', default: false },
  'plan': { type: 'string' },
  'base': { type: 'string' },
  'format': { type: 'string', default: 'mermaid' },
  'group-by': { type: 'string' },
  'output': { type: 'string' },
  ...STRICT_OPTION,
  ...BUILD_OPTIONS,
} as const;

const HELP = `cdk8s-cluster-api graph: draws the clusters in manifests, with their parts and the order of their addons

Usage: npx cdk8s-cluster-api graph [OPTION…] [FILE or FOLDER…]

Reads the .yaml, .yml and .json files of the folders (default: ${DEFAULT_FOLDER}), and of their subfolders, from any tool. "-" is standard
input. A picture of a cluster has two groups: its objects in the management cluster (control plane, infrastructure, pools, controllers,
and what applies them), and what is delivered into it. A solid arrow leads from what has something, or works on it; a dashed one to
what waits for it (dependsOn, sync waves); arrows that follow from others are left out. What belongs to no cluster has its own picture.

${BUILDS_TEXT}

  --cluster CLUSTER     draw this one alone: NAMESPACE/NAME, or NAME if there is only one of that name
  --management          draw only what is delivered into the management cluster itself

  --plan OLD            draw what changes from this file or folder to the manifests: what is created, changed, replaced and deleted, by
                        color, line and sign, with the words of the plan command
  --base COMMIT         draw what changes from the manifests in this commit to those on disk; of a branch such as origin/main, from the
                        commit where HEAD left it

  --format mermaid      a flowchart as text, which GitHub and others draw inside Markdown (default)
  --format svg          a picture that needs nothing else, for light and dark ground
  --format html         one page that loads nothing: versions and rings first, then the clusters in groups, each with its picture, then
                        pools and addons; its script, which filters, sorts and zooms, is in the page, and the page can be read without it
  --group-by LABEL      the label of the Cluster objects that groups the HTML page (default: the one called ring, stage, environment,
                        env, tier or region, with any prefix, the first of these that a cluster has)

  --output FILE         write to this file; of several pictures, write one file each into this folder
${STRICT_HELP}
${BUILDS_HELP}

With --plan or --base, svg and mermaid draw only the clusters that change.

Exit codes: 0 something is drawn, 1 nothing to draw, 2 usage error, unknown cluster, or a file that is named, or
any with --strict, cannot be read.

Examples:
  npx cdk8s-cluster-api graph --cluster tenant-acme/acme
  npx cdk8s-cluster-api graph --format svg --output pictures/ clusters/
  npx cdk8s-cluster-api graph --format html --output fleet.html
  npx cdk8s-cluster-api graph --base origin/main --format html --output plan.html
`;

/** Endings of files. */
const ENDINGS: Readonly<Record<typeof FORMATS[number], string>> = { mermaid: '.mmd', svg: '.svg', html: '.html' };

/** Names that stand for a file in every format. */
const FILE_NAME = /\.(?:mmd|mermaid|md|svg|html?)$/i;

/** A file that is written. */
interface PictureFile {
  readonly name: string;

  /** Titles of the pictures in it. */
  readonly titles: readonly string[];
  readonly text: string;
}

/** Draws the clusters in manifests. */
export const GRAPH_COMMAND: Command = {
  name: NAME,
  summary: 'draw the clusters in manifests: their parts, the order of their addons, and what a change does to them',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS },
  async run(args, surroundings) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    if (values.management && values.cluster !== undefined) throw new CommandError(['--management draws no cluster'], 'leave out --cluster or --management');
    if (values['group-by'] !== undefined && format !== 'html') throw new CommandError(['--group-by is for --format html'], 'leave it out');
    const plan = await readPlan({ ...values, build: !values['no-build'] }, positionals, surroundings);
    const chosen = chosenPictures(plan?.landscape ?? await readClusters(positionals, { ...values, build: !values['no-build'] }, surroundings), values, plan);
    checkLabel(values['group-by'], chosen);
    const files = filesOf(format, chosen, values['group-by'], plan, surroundings);
    if (files.length === 0) {
      surroundings.err(plan ? 'found: nothing changes that could be drawn\n' : 'found: nothing to draw among these manifests\n');
      return ExitCode.FINDINGS;
    }
    const output = values.output === undefined ? undefined : path.resolve(surroundings.cwd, values.output);
    const intoFolder = values.output !== undefined && (files.length > 1 || isFolder(`${output}${/[\\/]$/.test(values.output) ? path.sep : ''}`));
    if (intoFolder && FILE_NAME.test(values.output!) && !isFolder(output!)) throw severalPictures(files, `${values.output} is the name of one file`);
    if (output !== undefined) {
      writeFiles(output, files, intoFolder);
      const count = files.reduce((all, { titles }) => all + titles.length, 0);
      surroundings.err(`${count === 1 ? '1 picture' : `${count} pictures`} in ${values.output}\n`);
    } else if (files.length > 1) {
      throw severalPictures(files, 'one file holds one of them');
    } else {
      surroundings.out(files[0].text);
    }
    return ExitCode.OK;
  },
};

/** Reason that several pictures cannot be written. */
function severalPictures(files: readonly PictureFile[], why: string): CommandError {
  const titles = files.flatMap((file) => file.titles);
  return new CommandError(
    [`there are ${files.length} pictures, and ${why}: ${titles.slice(0, 5).join(', ')}${files.length > 5 ? ', …' : ''}`],
    'choose one with --cluster, name a folder with --output, or take --format html',
  );
}

/** The plan to draw, if there is to be one. */
async function readPlan(
  { plan: old, ...options }: StateOptions & { readonly plan?: string }, given: readonly string[], surroundings: Surroundings,
): Promise<LandscapePlan | undefined> {
  if (old === undefined && options.base === undefined) return undefined;
  if (old !== undefined && options.base !== undefined) throw new CommandError(['--plan and --base both name the earlier state'], 'leave out one of them');
  if (given.length > 1) throw new CommandError(['a plan compares two states, and there is more than one later state'], 'name one file or folder');
  const states = old === undefined ? given : [old, given[0] ?? (options.render === undefined ? DEFAULT_FOLDER : '.')];
  const [before, after] = await readStates(states, options, surroundings);
  surroundings.progress?.at('Comparing');
  const plan = LandscapePlan.between(before, after);
  plan.unread.forEach((line) => surroundings.err(`note: ${line}\n`));
  return plan;
}

/** Refuses a label that no cluster has. */
function checkLabel(label: string | undefined, { clusters }: Chosen): void {
  const known = [...new Set(clusters.flatMap(({ cluster }) => [...cluster.labels.keys()]))];
  if (label === undefined || clusters.length === 0 || known.includes(label)) return;
  const nearest = nearestName(label, known);
  throw new CommandError(
    [`no Cluster has the label ${JSON.stringify(label)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`],
    'name the label with its prefix, as the Cluster objects have it',
  );
}

function filesOf(
  format: typeof FORMATS[number], chosen: Chosen, groupBy: string | undefined, plan: LandscapePlan | undefined, { progress }: Surroundings,
): PictureFile[] {
  const all = picturesOf(chosen);
  const titlesOf = (drawn: readonly DrawnPicture[]) => drawn.map(({ picture }) => picture.title);
  if (format === 'html') {
    progress?.at('Drawing');
    return all.length === 0 ? [] : [{ name: `clusters${ENDINGS.html}`, titles: titlesOf(all), text: htmlFormat(chosen, { groupBy, plan: plan?.summary }) }];
  }
  const draw = format === 'svg' ? svgFormat : mermaidFormat;
  return all.filter(({ change }) => change !== PlannedChange.UNCHANGED).map((drawn, index, { length }) => {
    progress?.at('Drawing', index + 1, length);
    return { name: `${drawn.picture.id}${ENDINGS[format]}`, titles: titlesOf([drawn]), text: draw(drawn.picture) };
  });
}

/**
 * Writes one file, or several into a folder, which is made if it is not there.
 *
 * @param output the file, or the folder
 */
function writeFiles(output: string, files: readonly PictureFile[], intoFolder: boolean): void {
  try {
    makeFolder(intoFolder ? output : path.dirname(output));
    for (const { name, text } of files) fs.writeFileSync(intoFolder ? path.join(output, name) : output, text);
  } catch (error) {
    throw new CommandError([`${output} cannot be written (${(error as NodeJS.ErrnoException).code})`], intoFolder ? 'name a folder' : 'name a file');
  }
}

/** True if a path means a folder: there is one, or it is written like one. */
function isFolder(output: string): boolean {
  return /[\\/]$/.test(output) || (fs.existsSync(output) && fs.statSync(output).isDirectory());
}
