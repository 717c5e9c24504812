import { PatchOperation } from './tenant-page';
import { ManifestObject } from '../objects/manifest-object';
import { storedPair } from '../stored/stored-objects';
import { fieldAt, isFields, pointerTo, sameValue } from '../values/fields';

/**
 * The patches after which an object is stored as another one. Defaults that the server writes, spellings of the same value and versions of the
 * API need none.
 *
 * @param made the object as a page writes it
 * @param wanted the object as it was
 * @param isPatched true if the object has its patches: a default that the server added before and does not add now is written then
 */
export function patchOperations(made: ManifestObject, wanted: ManifestObject, isPatched = false): PatchOperation[] {
  const { before, after } = storedPair(wanted, made);
  const operations: PatchOperation[] = [];
  // Of another version of the API, the fields are elsewhere.
  const given = before.apiVersion === wanted.apiVersion ? wanted : before;
  compare({ wanted: before, given: isPatched ? before : given, made: after, written: made }, [], operations);
  return operations;
}

/** A field of both objects: as it should be stored and was written, as it would be stored and is written. */
interface Compared {
  readonly wanted: unknown;
  readonly given: unknown;
  readonly made: unknown;
  readonly written: unknown;
}

function compare({ wanted, given, made, written }: Compared, path: readonly string[], operations: PatchOperation[]): void {
  if (sameValue(wanted, made)) return;
  if (!isSetValue(wanted) || !isSetValue(given)) {
    // The server adds the same default again that it has added before.
    if (isSetValue(written)) operations.push({ op: 'remove', path: pointerTo(path) });
    return;
  }
  const below = childrenOf(wanted, made, written);
  if (!below) {
    operations.push({ op: isSetValue(written) ? 'replace' : 'add', path: pointerTo(path), value: given });
    return;
  }
  for (const name of below) {
    const [one, two, three, four] = [wanted, given, made, written].map((value) => fieldOf(value, name));
    compare({ wanted: one, given: two, made: three, written: four }, [...path, name], operations);
  }
}

/** The fields or items in which two values differ; undefined if the value as a whole has to be written. */
function childrenOf(wanted: unknown, made: unknown, written: unknown): readonly string[] | undefined {
  if (isFields(wanted) && isFields(written)) {
    const names = new Set([...Object.keys(wanted), ...isFields(made) ? Object.keys(made) : []]);
    return [...names].filter((name) => !sameValue(fieldAt(wanted, name), fieldAt(made, name)));
  }
  if (!Array.isArray(wanted) || !Array.isArray(made) || !Array.isArray(written)) return undefined;
  const isAlike = wanted.length === written.length && made.length === written.length && [wanted, written].every((list) => list.every(isFields));
  // Items of other names are others, which people read as a whole.
  if (!isAlike || !wanted.every((item, index) => sameValue(fieldAt(item, 'name'), fieldAt(written[index], 'name')))) return undefined;
  return written.map((_, index) => `${index}`);
}

function fieldOf(value: unknown, name: string): unknown {
  return Array.isArray(value) ? value[Number(name)] : fieldAt(value, name);
}

function isSetValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}
