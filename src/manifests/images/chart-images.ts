import { CHART_IMAGES, ChartEntry, ChartImage, UnknownChartImages } from './chart-image-entry';
import { composedName, isPinnedWith, isUsed, textOf, valueOf } from './chart-values';
import { imageLikeValues } from './image-like-strings';
import { ChartReference } from '../rules/image-facts';
import { Fields, isFields } from '../values/fields';

/** The images that a chart runs with certain values. */
export interface ChartImages {
  /** Names of the images that are known. */
  readonly images: string[];

  /** Known images to which no value of the chart gives a digest. */
  readonly tagOnly: string[];

  /** Unknown images, with the reason. */
  readonly unknown: string[];
}

/** One image of a chart, with its name for certain values. */
export interface NamedChartImage {
  readonly keys: ChartImage;

  /** The name; undefined if it is unknown. */
  readonly name?: string;
}

/**
 * The images of a chart with the values that it is given.
 *
 * @param reference the chart, in the version that the library knows, or with declared images
 * @returns undefined for an unknown chart or version
 */
export function chartImages({ chart, version, values, imageNames }: Pick<ChartReference, 'chart' | 'version' | 'values' | 'imageNames'>): ChartImages | undefined {
  if (imageNames) return { images: [...new Set(imageNames)].sort(), tagOnly: [], unknown: [] };
  const entry = entryOf(chart, version);
  if (!entry) return undefined;
  const named = namedImages(entry, values);
  const complete = named.flatMap(({ name, keys }) => (name !== undefined && isComplete(name, keys) ? [withOwnDigest(name, keys, values)] : []));
  const programs = unknownImagesOf(entry, values);
  const tagOnly = programs.flatMap((program) => imagesOfProgram(program, entry, values) ?? []).sort();
  return {
    images: [...new Set([...complete, ...listedImages(entry, values), ...tagOnly])].sort(),
    tagOnly,
    unknown: [
      ...named.filter(({ name, keys }) => name === undefined || !isComplete(name, keys))
        .map(({ name, keys }) => `${name ?? 'an image'}: the chart "${chart}" ${name === undefined ? `names none, and values no ${keys.repositoryKey}` : 'does not tell its tag'}`),
      ...programs.filter((program) => !imagesOfProgram(program, entry, values)).map(({ what }) => `the images of ${what}`),
      ...imageLikeValues(entry, values).map(({ path, image }) => `${image}: the value ${path.join('.')} of the chart "${chart}" may name it as an image`),
    ],
  };
}

/** The entry of a chart; the table has one version of each chart. */
export function entryOf(chart: string, version: string): ChartEntry | undefined {
  const entry = Object.hasOwn(CHART_IMAGES, chart) ? CHART_IMAGES[chart] : undefined;
  return entry?.version === version ? entry : undefined;
}

/** The images in use with these values. */
export function namedImages(entry: ChartEntry, values: Fields | undefined): NamedChartImage[] {
  const registry = textOf(values, entry.globalRegistry);
  return entry.images.filter(({ when }) => isUsed(when, values, entry)).map((keys) => ({ keys, name: composedName(keys, values, registry) }));
}

/** Images that only a program of the chart knows, with these values. */
export function unknownImagesOf(entry: ChartEntry, values: Fields | undefined): readonly UnknownChartImages[] {
  return (entry.unknown ?? []).filter(({ when }) => isUsed(when, values, entry));
}

/** The images that a program of the chart names with these values; undefined where they are not known. */
export function imagesOfProgram(program: UnknownChartImages, entry: ChartEntry, values: Fields | undefined): string[] | undefined {
  const { named, registryKey, registry } = program;
  if (!named || !isUsed(named.provided, values, entry)) return undefined;
  const before = (textOf(values, registryKey) ?? registry ?? '').replace(/(?<!\/)\/+$/, '');
  return named.images.filter(({ when }) => isUsed(when, values, entry)).map(({ name }) => (before === '' ? name : `${before}/${name}`));
}

/** Images of containers that the values add. */
function listedImages(entry: ChartEntry, values: Fields | undefined): string[] {
  return (entry.containers ?? []).flatMap((key) => containerImages(valueOf(values, key)));
}

/** The images in a list of containers. */
export function containerImages(list: unknown): string[] {
  return Array.isArray(list) ? list.flatMap((item) => (isFields(item) && typeof item.image === 'string' ? [item.image] : [])) : [];
}

/** The name with the digest, which the chart adds for every registry. */
function withOwnDigest(name: string, keys: ChartImage, values: Fields | undefined): string {
  const itsTag = [undefined, keys.tag].includes(textOf(values, keys.tagKey));
  return keys.digest === undefined || !itsTag || name.includes('@') || !isPinnedWith(keys, values) ? name : `${name}@${keys.digest}`;
}

/** True if it is known which image of its repository is meant. */
function isComplete(name: string, { pinned }: ChartImage): boolean {
  return pinned === true || /[:@][^/]*$/.test(name);
}
