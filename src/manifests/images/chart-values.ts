import { ChartEntry, ChartImage } from './chart-image-entry';
import { parseImageName } from './image-lock-file';
import { fieldAt, Fields } from '../values/fields';

/** The value at a key, whose parts are joined by dots. */
export function valueOf(values: Fields | undefined, key: string | undefined): unknown {
  return key === undefined ? undefined : fieldAt(values, ...key.split('.'));
}

/** The string at a key of values; undefined if it is missing or empty, which charts treat the same. */
export function textOf(values: Fields | undefined, key: string | undefined): string | undefined {
  const value = valueOf(values, key);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? `${value}` : undefined;
}

/** Key that enables the digest of an image, in charts that have one. */
export function digestSwitch({ digestKey }: ChartImage): string | undefined {
  return digestKey?.replace(/[^.]*$/, 'useDigest');
}

/** True if the chart's own digest of an image counts with these values. */
export function isPinnedWith(image: ChartImage, values: Fields | undefined): boolean {
  return image.pinned === true && valueOf(values, image.digestKey) !== '' && valueOf(values, digestSwitch(image)) !== false;
}

/** True if what conditions demand is so with these values. */
export function isUsed(when: readonly string[] | undefined, values: Fields | undefined, { defaults = {} }: ChartEntry): boolean {
  return (when ?? []).every((condition) => {
    const [, not, key, expected] = /^(!?)([^=]*)(?:=(.*))?$/.exec(condition)!;
    const value = valueOf(values, key) ?? defaults[key];
    if (expected !== undefined) return (String(value) === expected) === (not === '');
    return isSet(value) === (not === '');
  });
}

/** The name of an image with these values; undefined if neither they nor the chart name the repository. */
export function composedName(image: ChartImage, values: Fields | undefined, globalRegistry: string | undefined): string | undefined {
  const given = textOf(values, image.repositoryKey);
  if (image.whole && given !== undefined) return withRegistry(given, globalRegistry);
  const repository = given ?? image.repository;
  if (repository === undefined) return undefined;
  const registry = image.registryKey === undefined ? undefined : textOf(values, image.registryKey) ?? image.registry;
  const tag = textOf(values, image.tagKey) ?? image.tag;
  const name = `${registry === undefined ? '' : `${registry}/`}${repository}${image.suffix ?? ''}`;
  return withRegistry(`${name}${tagText(tag)}${digestText(textOf(values, image.digestKey))}`, globalRegistry);
}

/** A registry for all images of a chart takes the place of the host. */
function withRegistry(name: string, registry: string | undefined): string {
  const parsed = registry === undefined ? undefined : parseImageName(name);
  return parsed ? `${registry}/${parsed.path}${name.slice(nameLength(name))}` : name;
}

function nameLength(name: string): number {
  const at = name.indexOf('@');
  const plain = at < 0 ? name : name.slice(0, at);
  const colon = plain.indexOf(':', plain.lastIndexOf('/') + 1);
  return colon < 0 ? plain.length : colon;
}

/** Of an image without tag, the digest stands in its place. */
function tagText(tag: string | undefined): string {
  if (tag === undefined) return '';
  return tag.startsWith('@') ? tag : `:${tag}`;
}

function digestText(digest: string | undefined): string {
  if (digest === undefined) return '';
  return digest.includes(':') ? `@${digest}` : `@sha256:${digest}`;
}

function isSet(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'false' && value !== 0;
}
