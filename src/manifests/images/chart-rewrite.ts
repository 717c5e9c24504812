import { ChartEntry } from './chart-image-entry';
import { ChartImageRewrite, RewrittenChartImage, rewriteChartImage } from './chart-image-rewrite';
import { containerImages, entryOf, imagesOfProgram, namedImages, unknownImagesOf } from './chart-images';
import { textOf, valueOf } from './chart-values';
import { declaredChartEntry } from './declared-chart-images';
import { HelmChartImage } from './helm-chart-image';
import { ImageLikeString, imageLikeValues } from './image-like-strings';
import { ImageResolver } from './image-resolver';
import { mergeValues, nestedValue, Values } from '../values/chart-values';
import { isFields } from '../values/fields';

/** A Helm chart, as far as its images depend on it. */
export interface ChartToRewrite {
  readonly chart: string;
  readonly repository: string;
  readonly chartVersion: string;
  readonly gitPath?: string;
  readonly values?: Values;

  /** The images that the chart runs, by declaration. */
  readonly images?: readonly HelmChartImage[];
}

/** A chart with its source, and with values for the sources of its images. */
export interface RewrittenChart<C extends ChartToRewrite = ChartToRewrite> {
  readonly chart: C;
  readonly images: readonly RewrittenChartImage[];

  /** Images that no value names, whether values move them to another registry, and whether their names are known. */
  readonly unknown: readonly { readonly what: string; readonly rewritten: boolean; readonly named: boolean }[];

  /** What looks like an image in other values, and whether it would come from elsewhere. */
  readonly imageLike: readonly (ImageLikeString & { readonly changed: boolean })[];

  /** True if it is known which images the chart runs. */
  readonly known: boolean;

  /** Address of the repository that a mirror stands for. */
  readonly mirror?: string;
}

/**
 * Decides where a chart and its images come from, those that its values name among them.
 *
 * @param chart the chart, with all values that it is to be given
 * @param sources where charts and images come from; without them the chart stays as it is
 */
export function rewriteChart<C extends ChartToRewrite>(chart: C, sources: ImageResolver | undefined): RewrittenChart<C> {
  const from = sources?.chartRepository(chart.repository, chart.gitPath !== undefined);
  const moved = from === undefined || from.repository === chart.repository ? chart : { ...chart, repository: from.repository };
  const entry = chart.images ? declaredChartEntry(chart.images) : entryOf(chart.chart, chart.chartVersion);
  if (!entry) return { chart: moved, images: [], unknown: [], imageLike: [], known: false, mirror: from?.mirror };
  const { values } = chart;
  const rewrites = namedImages(entry, values).map((image) => rewriteChartImage(image, values, entry.globalRegistry, sources));
  const shared = sharedRegistry(entry, rewrites, values, sources);
  const lists = (entry.containers ?? []).map((key) => ({ key, list: valueOf(values, key) }));
  const added = mergeValues(
    ...rewrites.flatMap(({ name, pin }) => [...(shared === undefined ? name : []), ...pin]),
    ...(shared === undefined ? [] : [nestedValue(entry.globalRegistry!, shared)]),
    ...registryValues(entry, values, sources),
    ...lists.flatMap(({ key, list }) => listValues(key, list, sources)),
  );
  return {
    chart: Object.keys(added).length === 0 ? moved : { ...moved, values: mergeValues(values, added) },
    images: [...rewrites.map(({ image }) => image), ...lists.flatMap(({ key, list }) => rewrittenListImages(key, list, sources))],
    unknown: unknownImagesOf(entry, values).map((program) => ({
      what: program.what,
      rewritten: program.registryKey !== undefined && textOf(mergeValues(values, added), program.registryKey) !== undefined,
      named: imagesOfProgram(program, entry, values) !== undefined,
    })),
    imageLike: imageLikeValues(entry, values).map((found) => ({ ...found, changed: sources?.resolve(found.image).changed ?? false })),
    known: true,
    mirror: from?.mirror,
  };
}

/** The one registry of all images of a chart that has a value for it; undefined where images go several ways. */
function sharedRegistry(
  entry: ChartEntry, rewrites: readonly ChartImageRewrite[], values: Values | undefined, sources: ImageResolver | undefined,
): string | undefined {
  const registry = sources?.imageRegistry;
  if (registry === undefined || entry.globalRegistry === undefined) return undefined;
  const given = textOf(values, entry.globalRegistry);
  if (given !== undefined) return sources!.registryFor(given) === given ? undefined : sources!.registryFor(given);
  const together = rewrites.every(({ whole, image, registry: own }) => !whole && (image.given === undefined || own === registry));
  return together ? registry : undefined;
}

/** Registries of programs that name images themselves. */
function registryValues(entry: ChartEntry, values: Values | undefined, sources: ImageResolver | undefined): Values[] {
  const registry = sources?.imageRegistry;
  if (registry === undefined) return [];
  return unknownImagesOf(entry, values).flatMap(({ registryKey, slash }) => {
    if (registryKey === undefined || registryKey === entry.globalRegistry) return [];
    const given = textOf(values, registryKey);
    const moved = `${given === undefined ? registry : sources!.registryFor(given.replace(/(?<!\/)\/+$/, ''))}${slash ? '/' : ''}`;
    return moved === given ? [] : [nestedValue(registryKey, moved)];
  });
}

function listValues(key: string, list: unknown, sources: ImageResolver | undefined): Values[] {
  const changed = sources && withContainerImages(list, (image) => sources.resolve(image).image);
  return changed === undefined || changed === list ? [] : [nestedValue(key, changed)];
}

/** A list of containers with other images; the same list if no image changes. */
function withContainerImages(list: unknown, resolve: (image: string) => string): unknown {
  if (!Array.isArray(list)) return list;
  const changed = list.map((item: unknown) => {
    if (!isFields(item) || typeof item.image !== 'string') return item;
    const image = resolve(item.image);
    return image === item.image ? item : { ...item, image };
  });
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

function rewrittenListImages(key: string, list: unknown, sources: ImageResolver | undefined): RewrittenChartImage[] {
  return containerImages(list).map((given) => {
    const { image, override } = sources?.resolve(given) ?? { image: given, override: undefined };
    return { key, given, image, override, pinned: false };
  });
}
