import { withCommand } from './not-known-options';
import { parseImageName, tagAndDigest } from '../../manifests/images/image-lock-file';
import { ImageResolver } from '../../manifests/images/image-resolver';
import { FoundChart, FoundImage, ImageInventory } from '../../manifests/landscape/image-inventory';
import { commandLine } from '../../manifests/values/printable';
import { isOci, ociAddress, ociTag } from '../../manifests/values/repository-address';
import { isExactChartVersion } from '../../manifests/values/semantic-version';

/** Programs that copy between registries. */
export enum CopyTool {
  CRANE = 'crane',
  SKOPEO = 'skopeo',
  ORAS = 'oras',
  REGCTL = 'regctl',
  DOCKER = 'docker',
}

/** Registries that receive the copies. */
export interface CopyTarget {
  /** Registry of images, in the format of `ImageSources.imageRegistry`. */
  readonly registry: string;

  /** OCI repository of charts, in the format of `ImageSources.chartRegistry`; if unset, charts are not copied. */
  readonly chartRegistry?: string;
  readonly tool: CopyTool;
}

/** A script that copies, and what is wrong with it. */
export interface CopyScript {
  readonly text: string;

  /** Copies that would overwrite one another, and charts whose version is a range. */
  readonly faults: readonly string[];
}

interface Copy {
  readonly from: string;
  readonly to: string;
}

const DIGITS = 12;

// Each copies every platform, and keeps the digest. skopeo rejects names with both tag and digest, and changes digests without
// --preserve-digests (containers/skopeo docs/skopeo-copy.1.md); docker wraps a single manifest in an index without --prefer-index=false
// (docker/buildx docs/reference/buildx_imagetools_create.md).
const IMAGE_COMMANDS: Readonly<Record<CopyTool, (copy: Copy) => readonly string[]>> = {
  [CopyTool.CRANE]: ({ from, to }) => ['crane', 'copy', from, to],
  [CopyTool.SKOPEO]: ({ from, to }) => ['skopeo', 'copy', '--all', '--preserve-digests', `docker://${from}`, `docker://${to}`],
  [CopyTool.ORAS]: ({ from, to }) => ['oras', 'cp', from, to],
  [CopyTool.REGCTL]: ({ from, to }) => ['regctl', 'image', 'copy', from, to],
  [CopyTool.DOCKER]: ({ from, to }) => ['docker', 'buildx', 'imagetools', 'create', '--prefer-index=false', '--tag', to, from],
};

// Helm keeps what it pulls in a file.
const OWN_FOLDER = ['charts=$(mktemp -d)', 'trap \'rm -rf "$charts"\' EXIT', 'cd "$charts"'];

/** Tools that copy artifacts of any type. For the others, Helm copies charts. */
const COPIES_CHARTS: ReadonlySet<CopyTool> = new Set([CopyTool.CRANE, CopyTool.ORAS, CopyTool.REGCTL]);

/**
 * The commands that copy every image, and every chart, to where `ImageSources` with the same registries looks for them. A shell script
 * that stops at the first failure, and can be run again.
 */
export function copyFormat({ images, charts, notKnown }: ImageInventory, target: CopyTarget): CopyScript {
  const imageCopies = uniqueCopies(images.flatMap((image) => copyOfImage(image, target)));
  const exact = charts.filter(({ version }) => isExactChartVersion(version));
  const chartCopies = exact.flatMap((chart) => copyOfChart(chart, target));
  return {
    text: [
      '#!/bin/sh',
      'set -eu',
      ...section('Images', imageCopies.map((copy) => IMAGE_COMMANDS[target.tool](copy))),
      ...(target.chartRegistry === undefined
        ? section('Charts stay where they are, without --charts-to', [], charts.map(({ chart, version, repository }) => `${chart} ${version} ${repository}`))
        : chartSection(chartCopies)),
      ...section('Not known, and not copied', [], notKnown.map(withCommand)),
      '',
    ].join('\n'),
    faults: [
      ...collisionsOf(imageCopies),
      ...collisionsOf(chartCopies),
      ...(target.chartRegistry === undefined ? [] : charts.filter((chart) => !exact.includes(chart)))
        .map(({ chart, version }) => `chart ${chart} is not copied: its version ${JSON.stringify(version)} is a range; name one version`),
    ],
  };
}

function copyOfImage({ image, name, tag, digest }: FoundImage, { registry }: CopyTarget): Copy[] {
  const target = parseImageName(new ImageResolver({ imageRegistry: registry }).resolve(image).image)!.name;
  // The image is in the target registry already, so its original source is unknown.
  if (target === name) return [];
  // A name with a digest is pulled by that alone, but registries remove what no tag holds.
  const holdingTag = tag ?? (digest === undefined ? 'latest' : `digest-${digest.slice(digest.indexOf(':') + 1).slice(0, DIGITS)}`);
  return [{ from: `${name}${digest === undefined ? `:${holdingTag}` : tagAndDigest({ digest })}`, to: `${target}:${holdingTag}` }];
}

interface ChartCopy extends Copy {
  readonly commands: readonly (readonly string[])[];
}

function copyOfChart({ repository, chart, version }: FoundChart, { chartRegistry, tool }: CopyTarget): ChartCopy[] {
  const target = new ImageResolver({ chartRegistry }).chartRepository(repository, false).repository;
  if (target === repository) return [];
  const [from, to] = [repository, target].map((place) => (isOci(place) ? ociAddress({ repository: place, chart }) : `${place} ${chart}`));
  if (isOci(repository) && COPIES_CHARTS.has(tool)) {
    const [source, copy] = [from, to].map((address) => `${address.slice('oci://'.length)}:${ociTag({ chartVersion: version })}`);
    return [{ from, to: `${to} ${version}`, commands: [IMAGE_COMMANDS[tool]({ from: source, to: copy })] }];
  }
  const where = isOci(repository) ? [from] : [chart, '--repo', repository];
  return [{
    from,
    to: `${to} ${version}`,
    commands: [
      ['helm', 'pull', ...where, '--version', version],
      ['helm', 'push', `${chart}-${version}.tgz`, target],
    ],
  }];
}

function chartSection(copies: readonly ChartCopy[]): string[] {
  const commands = copies.flatMap((copy) => copy.commands);
  const lines = section('Charts', commands);
  const usesFolder = commands.some(([program]) => program === 'helm');
  return usesFolder ? [...lines.slice(0, 2), ...OWN_FOLDER, ...lines.slice(2)] : lines;
}

function section(title: string, commands: readonly (readonly string[])[], remarks: readonly string[] = []): string[] {
  if (commands.length === 0 && remarks.length === 0) return [];
  // A remark must not end its line, or it would be a command.
  return ['', `# ${title}`, ...remarks.map((remark) => `#   ${remark.replace(/[\r\n]+/g, ' ')}`), ...commands.map(commandLine)];
}

/** The same image with and without digest is the one with the digest. */
function uniqueCopies(copies: readonly Copy[]): Copy[] {
  const pinned = new Set(copies.filter(({ from }) => from.includes('@')).map(({ from, to }) => `${repositoryOf(from)} ${to}`));
  return copies.filter(({ from, to }) => from.includes('@') || !pinned.has(`${repositoryOf(from)} ${to}`));
}

function repositoryOf(image: string): string {
  return parseImageName(image)!.name;
}

function collisionsOf(copies: readonly Copy[]): string[] {
  const sources = new Map<string, string[]>();
  for (const { from, to } of copies) sources.set(to, [...sources.get(to) ?? [], from]);
  return [...sources].filter(([, from]) => from.length > 1).map(([to, from]) => `${from.join(' and ')} would both become ${to}`);
}
