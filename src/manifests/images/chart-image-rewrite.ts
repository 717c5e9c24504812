import { ChartImage } from './chart-image-entry';
import { NamedChartImage } from './chart-images';
import { digestSwitch, isPinnedWith, textOf, valueOf } from './chart-values';
import { ImageName, parseImageName, tagAndDigest } from './image-name';
import { ImageResolver } from './image-resolver';
import { nestedValue, Values } from '../values/chart-values';
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
export interface ChartImageRewrite {
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
export function rewriteChartImage(
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
