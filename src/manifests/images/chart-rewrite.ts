import { ChartEntry, ChartImage } from './chart-image-entry';
import { containerImages, entryOf, imagesOfProgram, NamedChartImage, namedImages, unknownImagesOf } from './chart-images';
import { digestSwitch, isPinnedWith, textOf, valueOf } from './chart-values';
import { HelmChartImage } from './helm-chart-image';
import { ImageLikeString, imageLikeValues } from './image-like-strings';
import { ImageName, parseImageName, tagAndDigest } from './image-lock-file';
import { ImageResolver } from './image-resolver';
import { declaredChartEntry } from './images-annotation';
import { mergeValues, nestedValue, Values } from '../values/chart-values';
import { isFields } from '../values/fields';
import { parseImageReference } from '../values/image-reference';

/** An image of a chart after it has been decided where it comes from. */
export interface RewrittenChartImage {
  /** Key of the values that name the image. */
  readonly key: string;

  /** The original name from chart and values; undefined if it is unknown. */
  readonly given?: string;

  /** The name that it gets. */
  readonly image?: string;

  /** Key of the override that it matches. */
  readonly override?: string;

  /** True if the chart names a digest itself. */
  readonly pinned: boolean;

  /** The reason why the name cannot be written; the image then keeps its name. */
  readonly fault?: string;
}

/** An image, and the values that give it its name. */
interface ChartImageRewrite {
  readonly image: RewrittenChartImage;

  /** Values that name another registry or repository. */
  readonly name: readonly Values[];

  /** Values that name another tag or digest. */
  readonly pin: readonly Values[];

  /** True if one of the values holds the whole name. */
  readonly whole: boolean;

  /** Registry that goes before the whole path of the image, as it is in the registry that it comes from; undefined for no other place. */
  readonly registry?: string;
}

/**
 * Decides where an image of a chart comes from, whether the chart or the values name it.
 *
 * @param named the image
 * @param values values of the chart
 * @param globalRegistry key of a registry that goes before those of all images
 * @param sources where images come from
 */
function rewriteChartImage(
  { keys, name: given }: NamedChartImage, values: Values | undefined, globalRegistry: string | undefined, sources: ImageResolver | undefined,
): ChartImageRewrite {
  const found = { key: keys.repositoryKey, given, pinned: isPinnedWith(keys, values) };
  const old = given === undefined ? undefined : parseImageName(given);
  if (!sources || given === undefined || !old) return { image: { ...found, image: given }, name: [], pin: [], whole: false };
  const resolved = sources.resolve(given);
  const target = parseImageName(resolved.image)!;
  // A global registry changes for all images together.
  const shared = textOf(values, globalRegistry);
  const pin = pinValues(keys, old, target, { values, shared });
  const name = target.name === old.name ? [] : shared === undefined ? nameValues(keys, target, values) : movesAlong(given, target, shared, sources);
  if (name === undefined || pin === undefined) {
    const fault = shared === undefined || pin === undefined
      ? 'the chart has no value that takes such a name' : `the value ${globalRegistry} goes before the registry of every image`;
    return { image: { ...found, image: given, override: resolved.override, fault }, name: [], pin: [], whole: false };
  }
  const complete = name.length === 0 && pin.length > 0 && keys.stated === true && shared === undefined
    ? nameValues(keys, target, values) ?? [] : name;
  return {
    image: { ...found, image: `${target.name}${tagAndDigest(target)}`, override: resolved.override },
    name: complete,
    pin,
    whole: keys.whole === true && pin.length > 0,
    ...(name.length > 0 && target.name.endsWith(`/${old.path}`) && { registry: target.name.slice(0, -old.path.length - 1) }),
  };
}

/** No values, where an image is where the registry that values name for all of them goes; undefined where it is not. */
function movesAlong(given: string, target: ImageName, shared: string, sources: ImageResolver): Values[] | undefined {
  return target.name === `${sources.registryFor(shared)}${parseImageReference(given)!.name.slice(shared.length)}` ? [] : undefined;
}

/** Values that name the repository; undefined where none can. */
function nameValues(keys: ChartImage, target: ImageName, values: Values | undefined): Values[] | undefined {
  const { suffix = '', registryKey, repositoryKey } = keys;
  if (keys.whole) return [nestedValue(repositoryKey, `${target.name}${tagAndDigest(target)}`)];
  if (!target.name.endsWith(suffix)) return undefined;
  const name = target.name.slice(0, target.name.length - suffix.length);
  if (registryKey === undefined) return [nestedValue(repositoryKey, name)];
  const repository = textOf(values, repositoryKey) ?? keys.repository!;
  const kept = name.endsWith(`/${repository}`);
  const slash = name.indexOf('/');
  return [
    nestedValue(registryKey, kept ? name.slice(0, -repository.length - 1) : name.slice(0, slash)),
    ...(kept && !keys.stated ? [] : [nestedValue(repositoryKey, kept ? repository : name.slice(slash + 1))]),
  ];
}

/** The user's values, and the global registry in them. */
interface Given {
  readonly values: Values | undefined;
  readonly shared: string | undefined;
}

/** Values that name tag and digest; undefined where none can. */
function pinValues(keys: ChartImage, old: ImageName, target: ImageName, given: Given): Values[] | undefined {
  const { tagKey, digestKey } = keys;
  const { values, shared } = given;
  const tag = target.tag ?? old.tag;
  const sameTag = tag === old.tag;
  const dropsDigest = old.digest !== undefined && target.digest === undefined;
  if (keys.whole) {
    const name = shared === undefined ? target.name : parseImageReference(textOf(values, keys.repositoryKey) ?? keys.repository!)!.name;
    return sameTag && target.digest === old.digest ? [] : [nestedValue(keys.repositoryKey, `${name}${tagAndDigest(target)}`)];
  }
  // A digest that the chart names is that of its own tag.
  if (isPinnedWith(keys, values) && (!sameTag || dropsDigest) && target.digest === undefined) return undefined;
  if (target.digest !== undefined && target.digest !== old.digest) {
    if (digestKey === undefined) return tagKey === undefined || tag === undefined ? undefined : [nestedValue(tagKey, `${tag}@${target.digest}`)];
    const ignored = valueOf(values, digestSwitch(keys)) === false;
    return [
      nestedValue(digestKey, digestKey.endsWith('.sha') ? target.digest.replace(/^sha256:/, '') : target.digest),
      ...(ignored ? [nestedValue(digestSwitch(keys)!, true)] : []),
      ...tagValues(tagKey, sameTag, tag),
    ];
  }
  // A digest that the values name is that of the image that was there. It stands in its own value, or behind the tag.
  const emptied = dropsDigest && digestKey !== undefined && textOf(values, digestKey) !== undefined ? [nestedValue(digestKey, '')] : [];
  const rewritten = !sameTag || (dropsDigest && emptied.length === 0);
  if (!rewritten) return emptied;
  return tagKey === undefined || tag === undefined ? undefined : [nestedValue(tagKey, tag), ...emptied];
}

function tagValues(tagKey: string | undefined, same: boolean, tag: string | undefined): Values[] {
  return same || tagKey === undefined || tag === undefined ? [] : [nestedValue(tagKey, tag)];
}

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

  /** Strings in other values that look like images, each with a mark if it would come from elsewhere. */
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
