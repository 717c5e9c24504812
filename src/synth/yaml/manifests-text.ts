import { isMap } from './yaml-fault';
import { yamlText } from './yaml-text';

/** An object as it goes to a server. */
export type Manifest = Readonly<Record<string, unknown>>;

/** What a reader looks for first. */
const FIRST = ['apiVersion', 'kind', 'metadata'];
const FIRST_OF_METADATA = ['name', 'namespace', 'labels', 'annotations'];

/**
 * Writes objects as the documents of one file, one at a time: what kind of object it is and its name come first, then the fields in the
 * order in which they are given.
 *
 * @param manifests the objects
 * @returns the text of each document; together they are the text of the file
 */
export function* manifestTexts(manifests: Iterable<Manifest>): Generator<string> {
  let separator = '';
  for (const manifest of manifests) {
    yield separator + yamlText(inReadingOrder(manifest));
    separator = '---\n';
  }
}

/** The text of a file with objects. */
export function manifestsText(manifests: Iterable<Manifest>): string {
  return [...manifestTexts(manifests)].join('');
}

function inReadingOrder(manifest: Manifest): Manifest {
  const { metadata } = manifest;
  return withFirst(metadata === undefined ? manifest : { ...manifest, metadata: withFirst(metadata, FIRST_OF_METADATA) }, FIRST) as Manifest;
}

/** What is no map is left to be refused. */
function withFirst(map: unknown, keys: readonly string[]): unknown {
  if (typeof map !== 'object' || map === null || !isMap(map)) return map;
  const first: Record<string, unknown> = {};
  for (const key of keys) if (Object.hasOwn(map, key)) first[key] = map[key];
  return { ...first, ...map };
}
