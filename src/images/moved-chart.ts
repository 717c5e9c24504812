import { ChartEntry, ChartImage } from './chart-image-entry';
import { entryOf, namedImages, unknownImagesOf } from './chart-images';
import { textOf, valueOf } from './chart-values';
import { imagesInLists, withImages } from './container-lists';
import { hostAndPath, tagAndDigest } from './image-name';
import { ImageSources } from './image-sources';
import { ImageMove, MovedImage, moveImage } from './moved-image';
import { HelmChart } from '../addons/helm-chart';
import { HelmChartImage } from '../addons/helm-chart-image';
import { mergeValues, valueAt, Values } from '../addons/values';
import { parseImageReference } from '../kubernetes/image-reference';

/** A chart from where it is to come from, with values that say where its images come from. */
export interface MovedChart {
  readonly chart: HelmChart;
  readonly images: readonly MovedImage[];

  /** What the chart runs that is not known, and whether values take it along to another registry. */
  readonly unknown: readonly { readonly what: string; readonly moved: boolean }[];

  /** Whether it is known which images the chart runs. */
  readonly known: boolean;

  /** Address of the repository that a mirror stands for. */
  readonly mirror?: string;
}

/**
 * Decides where a chart and its images come from. What values say about an image already stays.
 *
 * @param chart the chart, with all values that it is to be given
 * @param sources where charts and images come from; without them the chart stays as it is
 */
export function moveChart(chart: HelmChart, sources: ImageSources | undefined): MovedChart {
  const from = sources?._chartRepository(chart.repository, chart.gitPath !== undefined);
  const moved = from === undefined || from.repository === chart.repository ? chart : { ...chart, repository: from.repository };
  const entry = chart.images ? declaredEntry(chart.images) : entryOf(chart.chart, chart.version);
  if (!entry) return { chart: moved, images: [], unknown: [], known: false, mirror: from?.mirror };
  const { values } = chart;
  const moves = namedImages(entry, values).map((image) => moveImage(image, values, entry.globalRegistry, sources));
  const shared = sharedRegistry(entry, moves, values, sources);
  const lists = (entry.containers ?? []).map((key) => ({ key, list: valueOf(values, key) }));
  const added = mergeValues(
    ...moves.flatMap(({ name, pin }) => [...(shared === undefined ? name : []), ...pin]),
    ...(shared === undefined ? [] : [valueAt(entry.globalRegistry!, shared)]),
    ...registryValues(entry, values, sources),
    ...lists.flatMap(({ key, list }) => listValues(key, list, sources)),
  );
  return {
    chart: Object.keys(added).length === 0 ? moved : { ...moved, values: mergeValues(values, added) },
    images: [...moves.map(({ image }) => image), ...lists.flatMap(({ key, list }) => listedMoves(key, list, sources))],
    unknown: unknownImagesOf(entry, values).map(({ what, registryKey }) => ({
      what, moved: registryKey !== undefined && textOf(mergeValues(values, added), registryKey) !== undefined,
    })),
    known: true,
    mirror: from?.mirror,
  };
}

function declaredEntry(images: readonly HelmChartImage[]): ChartEntry {
  return {
    images: images.map(({ image, repositoryKey = 'image.repository', registryKey, tagKey = 'image.tag', digestKey }): ChartImage => {
      const reference = parseImageReference(image);
      const name = reference?.name ?? image;
      const { host, path } = hostAndPath(name);
      const tag = `${reference?.tag ?? ''}${tagAndDigest({ digest: reference?.digest })}`;
      return {
        repositoryKey, tagKey, digestKey, ...(registryKey === undefined ? { repository: name } : { registryKey, registry: host, repository: path }), ...(tag !== '' && { tag }),
      };
    }),
  };
}

/** The one registry of all images of a chart that has a value for it; undefined where images go several ways. */
function sharedRegistry(
  entry: ChartEntry, moves: readonly ImageMove[], values: Values | undefined, sources: ImageSources | undefined,
): string | undefined {
  const registry = sources?._imageRegistry;
  if (registry === undefined || entry.globalRegistry === undefined || textOf(values, entry.globalRegistry) !== undefined) return undefined;
  return moves.every((move) => move.image.given === undefined || move.registry === registry) ? registry : undefined;
}

/** Registries of programs that name images themselves. */
function registryValues(entry: ChartEntry, values: Values | undefined, sources: ImageSources | undefined): Values[] {
  const registry = sources?._imageRegistry;
  if (registry === undefined) return [];
  return unknownImagesOf(entry, values).flatMap(({ registryKey, slash }) => (
    registryKey === undefined || registryKey === entry.globalRegistry || textOf(values, registryKey) !== undefined
      ? [] : [valueAt(registryKey, `${registry}${slash ? '/' : ''}`)]));
}

function listValues(key: string, list: unknown, sources: ImageSources | undefined): Values[] {
  const changed = sources && withImages(list, (image) => sources._resolve(image).image);
  return changed === undefined || changed === list ? [] : [valueAt(key, changed)];
}

function listedMoves(key: string, list: unknown, sources: ImageSources | undefined): MovedImage[] {
  return imagesInLists(list).map((given) => {
    const { image, override } = sources?._resolve(given) ?? { image: given, override: undefined };
    return { key, given, image, override, pinned: false };
  });
}
