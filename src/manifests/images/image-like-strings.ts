import { ChartEntry } from './chart-image-entry';
import { imageFields, registryFields } from './image-fields';
import { parseImageName } from './image-lock-file';
import { objectsInList } from '../objects/manifest-list';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { imageFacts } from '../systems/providers';
import { Fields, isFields, matchingPaths, pointerTo } from '../values/fields';

/** A string that looks like the name of an image, in a field that is not known to name one. */
export interface ImageLikeString {
  /** The field. */
  readonly path: readonly string[];

  /** The name, without the scheme that may stand before it. */
  readonly image: string;
}

const NAMED_IMAGE = /image/i;
const FLAG = /^--?[\w.-]*image[\w.-]*$/i;
const FLAG_WITH_VALUE = /^--?[\w.-]*image[\w.-]*=(.*)$/is;
const SCHEME = /^(docker|oci):\/\//;

/** A registry with its port, which reads like a name with a tag. */
const HOST_AND_PORT = /^(localhost|[\w-]+(\.[\w-]+)+):\d+$/;

const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

/**
 * Finds possible images besides those of `imageFields`: names with a tag or digest in fields, environment variables and flags that have
 * "image" in their own names.
 *
 * @param object an object as it is written
 */
export function imageLikeStrings(object: ManifestObject): ImageLikeString[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => imageLikeStrings(item).map((found) => ({ ...found, path: [...path, ...found.path] })));
  if (groupKind(object) === DEFINITION) return [];
  const known = [
    ...imageFields(object).flatMap(({ name, tag, digest }) => [name, ...(tag ? [tag] : []), ...(digest ? [digest] : [])]),
    ...registryFields(object).map(({ path }) => path),
    // Another check reads values together with the entry of their chart.
    ...imageFacts(object).flatMap(({ chartValues = [] }) => chartValues).flatMap((pattern) => matchingPaths(object, pattern)),
  ];
  return search(object, [], new Set(known.map(pointerTo)));
}

/**
 * Finds possible images in the values of a chart, besides the known ones.
 *
 * @param entry the entry of the chart
 * @param values values that the chart is given
 */
export function imageLikeValues({ images, containers = [] }: ChartEntry, values: Fields | undefined): ImageLikeString[] {
  const keys = images.flatMap(({ repositoryKey, registryKey, tagKey, digestKey }) => [repositoryKey, registryKey, tagKey, digestKey]);
  const known = [...keys, ...containers].flatMap((key) => (key === undefined ? [] : [key.split('.')]));
  const named = new Set(images.map(({ repositoryKey }) => pointerTo(repositoryKey.split('.').slice(0, -1))));
  const pointers = new Set(known.map(pointerTo));
  return [...search(values, [], pointers), ...searchParts(values, [], named)];
}

function search(value: unknown, path: readonly string[], known: ReadonlySet<string>): ImageLikeString[] {
  if (known.has(pointerTo(path))) return [];
  if (typeof value === 'string') return NAMED_IMAGE.test(fieldOf(path)) ? imageLike(path, value) : [];
  if (Array.isArray(value)) return [...flags(value, path), ...value.flatMap((item, index) => search(item, [...path, `${index}`], known))];
  if (!isFields(value)) return [];
  return [
    ...(typeof value.name === 'string' && NAMED_IMAGE.test(value.name) && typeof value.value === 'string' && !known.has(pointerTo([...path, 'value']))
      ? imageLike([...path, 'value'], value.value) : []),
    ...Object.entries(value).flatMap(([key, inner]) => search(inner, [...path, key], known)),
  ];
}

/** The name of a field, and for an item of a list that of the list. What stands in the map "image" as a whole name replaces its parts. */
function fieldOf(path: readonly string[]): string {
  const last = path.at(-1) ?? '';
  return /^\d+$/.test(last) ? path.at(-2) ?? '' : last === 'override' ? path.at(-2) ?? '' : last;
}

function flags(list: readonly unknown[], path: readonly string[]): ImageLikeString[] {
  return list.flatMap((word, index) => {
    if (typeof word !== 'string') return [];
    const [, value] = FLAG_WITH_VALUE.exec(word) ?? [];
    if (value !== undefined) return imageLike([...path, `${index}`], value);
    const before: unknown = list[index - 1];
    return typeof before === 'string' && FLAG.test(before) ? imageLike([...path, `${index}`], word) : [];
  });
}

/** Maps that name an image by its parts. */
function searchParts(value: unknown, path: readonly string[], named: ReadonlySet<string>): ImageLikeString[] {
  if (!isFields(value)) return [];
  const { registry, repository, tag, digest } = value;
  const text = [isText(registry) ? `${registry}/` : '', repository, isText(tag) ? `:${tag}` : '', isText(digest) ? `@${digest}` : ''].join('');
  const found = NAMED_IMAGE.test(path.at(-1) ?? '') && isText(repository) && !named.has(pointerTo(path)) && parseImageName(text) !== undefined;
  return [...(found ? [{ path, image: text }] : []), ...Object.entries(value).flatMap(([key, inner]) => searchParts(inner, [...path, key], named))];
}

function isText(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function imageLike(path: readonly string[], text: string): ImageLikeString[] {
  const image = text.replace(SCHEME, '');
  const name = HOST_AND_PORT.test(image) ? undefined : parseImageName(image);
  return name === undefined || (name.tag === undefined && name.digest === undefined) ? [] : [{ path, image }];
}
