import { ChartEntry } from './chart-image-entry';
import { entryOf, imagesOfProgram, namedImages, unknownImagesOf } from './chart-images';
import { textOf, valueOf } from './chart-values';
import { imagesInLists, withImages } from './container-lists';
import { declaredEntry } from './declared-images';
import { ImageSources } from './image-sources';
import { ImageMove, MovedImage, moveImage } from './moved-image';
import { SuspectedImage, suspectedValues } from './suspected-images';
import { HelmChart } from '../addons/helm-chart';
import { mergeValues, valueAt, Values } from '../addons/values';

/** A chart from where it is to come from, with values that say where its images come from. */
export interface MovedChart {
  readonly chart: HelmChart;
  readonly images: readonly MovedImage[];

  /** Images that no value names, whether values move them to another registry, and whether their names are known. */
  readonly unknown: readonly { readonly what: string; readonly moved: boolean; readonly named: boolean }[];

  /** What looks like an image in other values, and whether it would come from elsewhere. */
  readonly suspected: readonly (SuspectedImage & { readonly moves: boolean })[];

  /** Whether it is known which images the chart runs. */
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
export function moveChart(chart: HelmChart, sources: ImageSources | undefined): MovedChart {
  const from = sources?._chartRepository(chart.repository, chart.gitPath !== undefined);
  const moved = from === undefined || from.repository === chart.repository ? chart : { ...chart, repository: from.repository };
  const entry = chart.images ? declaredEntry(chart.images) : entryOf(chart.chart, chart.version);
  if (!entry) return { chart: moved, images: [], unknown: [], suspected: [], known: false, mirror: from?.mirror };
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
    unknown: unknownImagesOf(entry, values).map((program) => ({
      what: program.what,
      moved: program.registryKey !== undefined && textOf(mergeValues(values, added), program.registryKey) !== undefined,
      named: imagesOfProgram(program, entry, values) !== undefined,
    })),
    suspected: suspectedValues(entry, values).map((found) => ({ ...found, moves: sources?._resolve(found.image).changed ?? false })),
    known: true,
    mirror: from?.mirror,
  };
}

/** The one registry of all images of a chart that has a value for it; undefined where images go several ways. */
function sharedRegistry(
  entry: ChartEntry, moves: readonly ImageMove[], values: Values | undefined, sources: ImageSources | undefined,
): string | undefined {
  const registry = sources?._imageRegistry;
  if (registry === undefined || entry.globalRegistry === undefined) return undefined;
  const given = textOf(values, entry.globalRegistry);
  if (given !== undefined) return sources!._registryFor(given) === given ? undefined : sources!._registryFor(given);
  return moves.every((move) => !move.whole && (move.image.given === undefined || move.registry === registry)) ? registry : undefined;
}

/** Registries of programs that name images themselves. */
function registryValues(entry: ChartEntry, values: Values | undefined, sources: ImageSources | undefined): Values[] {
  const registry = sources?._imageRegistry;
  if (registry === undefined) return [];
  return unknownImagesOf(entry, values).flatMap(({ registryKey, slash }) => {
    if (registryKey === undefined || registryKey === entry.globalRegistry) return [];
    const given = textOf(values, registryKey);
    const moved = `${given === undefined ? registry : sources!._registryFor(given.replace(/\/+$/, ''))}${slash ? '/' : ''}`;
    return moved === given ? [] : [valueAt(registryKey, moved)];
  });
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
