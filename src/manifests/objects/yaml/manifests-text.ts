import { yamlText } from './yaml-text';
import { isPlainObject } from '../../values/fields';

/** An object as it goes to a server. */
export type Manifest = Readonly<Record<string, unknown>>;

const SEPARATOR = '---\n';

/** The fields that come first. */
const FIRST = ['apiVersion', 'kind', 'metadata'];
const FIRST_OF_METADATA = ['name', 'namespace', 'labels', 'annotations'];

/**
 * Writes objects as the documents of one file: what kind of object it is and its name come first, then the fields in the order in which they
 * are given.
 *
 * @param manifests the objects
 * @returns the content of the file
 */
export function manifestsText(manifests: readonly Manifest[]): string {
  let text = '';
  for (const manifest of manifests) text += `${text === '' ? '' : SEPARATOR}${yamlText(inReadingOrder(manifest))}`;
  return text;
}

function inReadingOrder(manifest: Manifest): Manifest {
  const ordered = withFirst(manifest, FIRST) as Manifest;
  if (ordered.metadata === undefined) return ordered;
  const metadata = withFirst(ordered.metadata, FIRST_OF_METADATA);
  return metadata === ordered.metadata ? ordered : { ...ordered, metadata };
}

/** A map with some fields before the others. What is no map is left to be refused. */
function withFirst(map: unknown, keys: readonly string[]): unknown {
  if (!isPlainObject(map)) return map;
  const present = keys.filter((key) => Object.hasOwn(map, key));
  const given = Object.keys(map);
  if (present.every((key, index) => key === given[index])) return map;
  const first: Record<string, unknown> = {};
  for (const key of present) first[key] = map[key];
  return { ...first, ...map };
}
