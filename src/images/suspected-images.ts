import { ChartEntry } from './chart-image-entry';
import { parseImageName } from './image-name';
import { imagePlaces } from './image-places';
import { placesOf, pointerTo } from './json-pointer';
import { objectsInList } from './list-items';
import { Fields, groupKind, isFields, ManifestObject } from './manifest-object';
import { registryFields } from './registry-fields';

/** Text that looks like the name of an image, in a field of which nobody knows whether it is one. */
export interface SuspectedImage {
  /** The field. */
  readonly path: readonly string[];

  /** The name, without the scheme that may stand before it. */
  readonly image: string;
}

const SAYS_IMAGE = /image/i;
const FLAG = /^--?[\w.-]*image[\w.-]*$/i;
const FLAG_WITH_VALUE = /^--?[\w.-]*image[\w.-]*=(.*)$/is;
const SCHEME = /^(docker|oci):\/\//;

/** A registry with its port, which reads like a name with a tag. */
const HOST_AND_PORT = /^(localhost|[\w-]+(\.[\w-]+)+):\d+$/;

const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

/** Values of charts, which are looked at together with what is known of the chart. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'helm.toolkit.fluxcd.io/HelmRelease': ['spec/values'],
  'argoproj.io/Application': ['spec/source/helm/valuesObject', 'spec/sources/*/helm/valuesObject'],
};

/**
 * What may be images beside those that `imageFields` finds: names with a tag or digest in fields, environment variables and flags that
 * have "image" in their own names.
 *
 * @param object an object as it is written
 */
export function suspectedImages(object: ManifestObject): SuspectedImage[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => suspectedImages(item).map((found) => ({ ...found, path: [...path, ...found.path] })));
  if (groupKind(object) === DEFINITION) return [];
  const known = [
    ...imagePlaces(object).flatMap(({ name, tag, digest }) => [name, ...(tag ? [tag] : []), ...(digest ? [digest] : [])]),
    ...registryFields(object).map(({ path }) => path),
    ...(VALUES[groupKind(object)] ?? []).flatMap((pattern) => placesOf(object, pattern)),
  ];
  return search(object, [], new Set(known.map(pointerTo)));
}

/**
 * What may be images in values of a chart beside those that are known to be.
 *
 * @param entry what is known about the chart
 * @param values values that the chart is given
 */
export function suspectedValues({ images, containers = [] }: ChartEntry, values: Fields | undefined): SuspectedImage[] {
  const keys = images.flatMap(({ repositoryKey, registryKey, tagKey, digestKey }) => [repositoryKey, registryKey, tagKey, digestKey]);
  const known = [...keys, ...containers].flatMap((key) => (key === undefined ? [] : [key.split('.')]));
  const named = new Set(images.map(({ repositoryKey }) => pointerTo(repositoryKey.split('.').slice(0, -1))));
  const pointers = new Set(known.map(pointerTo));
  return [...search(values, [], pointers), ...searchParts(values, [], named)];
}

function search(value: unknown, path: readonly string[], known: ReadonlySet<string>): SuspectedImage[] {
  if (known.has(pointerTo(path))) return [];
  if (typeof value === 'string') return SAYS_IMAGE.test(fieldOf(path)) ? suspected(path, value) : [];
  if (Array.isArray(value)) return [...flags(value, path), ...value.flatMap((item, index) => search(item, [...path, `${index}`], known))];
  if (!isFields(value)) return [];
  return [
    ...(typeof value.name === 'string' && SAYS_IMAGE.test(value.name) && typeof value.value === 'string' && !known.has(pointerTo([...path, 'value']))
      ? suspected([...path, 'value'], value.value) : []),
    ...Object.entries(value).flatMap(([key, inner]) => search(inner, [...path, key], known)),
  ];
}

/** The name of a field, and for an item of a list that of the list. What stands in the map "image" as a whole name replaces its parts. */
function fieldOf(path: readonly string[]): string {
  const last = path.at(-1) ?? '';
  return /^\d+$/.test(last) ? path.at(-2) ?? '' : last === 'override' ? path.at(-2) ?? '' : last;
}

function flags(list: readonly unknown[], path: readonly string[]): SuspectedImage[] {
  return list.flatMap((word, index) => {
    if (typeof word !== 'string') return [];
    const [, value] = FLAG_WITH_VALUE.exec(word) ?? [];
    if (value !== undefined) return suspected([...path, `${index}`], value);
    const before: unknown = list[index - 1];
    return typeof before === 'string' && FLAG.test(before) ? suspected([...path, `${index}`], word) : [];
  });
}

/** Maps that name an image by its parts. */
function searchParts(value: unknown, path: readonly string[], named: ReadonlySet<string>): SuspectedImage[] {
  if (!isFields(value)) return [];
  const { registry, repository, tag, digest } = value;
  const text = [isText(registry) ? `${registry}/` : '', repository, isText(tag) ? `:${tag}` : '', isText(digest) ? `@${digest}` : ''].join('');
  const found = SAYS_IMAGE.test(path.at(-1) ?? '') && isText(repository) && !named.has(pointerTo(path)) && parseImageName(text) !== undefined;
  return [...(found ? [{ path, image: text }] : []), ...Object.entries(value).flatMap(([key, inner]) => searchParts(inner, [...path, key], named))];
}

function isText(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function suspected(path: readonly string[], text: string): SuspectedImage[] {
  const image = text.replace(SCHEME, '');
  const name = HOST_AND_PORT.test(image) ? undefined : parseImageName(image);
  return name === undefined || (name.tag === undefined && name.digest === undefined) ? [] : [{ path, image }];
}
