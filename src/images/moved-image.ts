import { ChartImage } from './chart-image-entry';
import { NamedChartImage } from './chart-images';
import { textOf } from './chart-values';
import { ImageName, parseImageName, tagAndDigest } from './image-name';
import { ImageSources } from './image-sources';
import { valueAt, Values } from '../addons/values';

/** An image of a chart after it has been decided where it comes from. */
export interface MovedImage {
  /** Key of the values that name the image. */
  readonly key: string;

  /** The name as chart and values have it; undefined where nobody tells it. */
  readonly given?: string;

  /** The name that it gets. */
  readonly image?: string;

  /** Key of the override that it matches. */
  readonly override?: string;

  /** Whether the chart names a digest itself. */
  readonly pinned: boolean;

  /** What keeps the name from being written; the image keeps the one that it has. */
  readonly fault?: string;
}

/** An image, and the values that give it its name. */
export interface ImageMove {
  readonly image: MovedImage;

  /** Values that name another registry or repository. */
  readonly name: readonly Values[];

  /** Values that name another tag or digest. */
  readonly pin: readonly Values[];

  /** Registry that goes before the whole path of the image, as it is in the registry that it comes from; undefined for no other place. */
  readonly registry?: string;
}

/**
 * Decides where an image of a chart comes from. A registry or repository that the values name stays.
 *
 * @param named the image
 * @param values values of the chart
 * @param globalRegistry key of a registry that goes before those of all images
 * @param sources where images come from
 */
export function moveImage(
  { keys, name: given }: NamedChartImage, values: Values | undefined, globalRegistry: string | undefined, sources: ImageSources | undefined,
): ImageMove {
  const found = { key: keys.repositoryKey, given, pinned: keys.pinned ?? false };
  const old = given === undefined ? undefined : parseImageName(given);
  if (!sources || given === undefined || !old) return { image: { ...found, image: given }, name: [], pin: [] };
  const resolved = sources._resolve(given);
  const chosen = parseImageName(resolved.image)!;
  const own = [keys.repositoryKey, keys.registryKey, globalRegistry].some((key) => textOf(values, key) !== undefined);
  const target = own ? { ...chosen, name: old.name } : chosen;
  const pin = pinValues(keys, old, target);
  const name = target.name === old.name ? [] : nameValues(keys, target, values);
  if (name === undefined || pin === undefined) {
    return { image: { ...found, image: given, override: resolved.override, fault: 'the chart has no value that takes such a name' }, name: [], pin: [] };
  }
  const complete = name.length === 0 && pin.length > 0 && keys.stated === true ? nameValues(keys, target, values) ?? [] : name;
  return {
    image: { ...found, image: `${target.name}${tagAndDigest(target)}`, override: resolved.override },
    name: complete,
    pin,
    ...(name.length > 0 && target.name.endsWith(`/${old.path}`) && { registry: target.name.slice(0, -old.path.length - 1) }),
  };
}

/** Values that name the repository; undefined where none can. */
function nameValues(keys: ChartImage, target: ImageName, values: Values | undefined): Values[] | undefined {
  const { suffix = '', registryKey, repositoryKey } = keys;
  if (keys.whole) return [valueAt(repositoryKey, `${target.name}${tagAndDigest(target)}`)];
  if (!target.name.endsWith(suffix)) return undefined;
  const name = target.name.slice(0, target.name.length - suffix.length);
  if (registryKey === undefined) return [valueAt(repositoryKey, name)];
  const repository = textOf(values, repositoryKey) ?? keys.repository!;
  const kept = name.endsWith(`/${repository}`);
  const slash = name.indexOf('/');
  return [
    valueAt(registryKey, kept ? name.slice(0, -repository.length - 1) : name.slice(0, slash)),
    ...(kept && !keys.stated ? [] : [valueAt(repositoryKey, kept ? repository : name.slice(slash + 1))]),
  ];
}

/** Values that name tag and digest; undefined where none can. */
function pinValues(keys: ChartImage, old: ImageName, target: ImageName): Values[] | undefined {
  const { tagKey, digestKey } = keys;
  const tag = target.tag ?? old.tag;
  const sameTag = tag === old.tag;
  if (keys.whole) return sameTag && target.digest === old.digest ? [] : [valueAt(keys.repositoryKey, `${target.name}${tagAndDigest(target)}`)];
  // A digest that the chart names is that of its own tag.
  if (keys.pinned && !sameTag && target.digest === undefined) return undefined;
  if (target.digest !== undefined && target.digest !== old.digest) {
    if (digestKey === undefined) return tagKey === undefined || tag === undefined ? undefined : [valueAt(tagKey, `${tag}@${target.digest}`)];
    return [valueAt(digestKey, digestKey.endsWith('.sha') ? target.digest.replace(/^sha256:/, '') : target.digest), ...tagValues(tagKey, sameTag, tag)];
  }
  return sameTag ? [] : tagKey === undefined ? undefined : tagValues(tagKey, sameTag, tag);
}

function tagValues(tagKey: string | undefined, same: boolean, tag: string | undefined): Values[] {
  return same || tagKey === undefined || tag === undefined ? [] : [valueAt(tagKey, tag)];
}
