import { ManifestObject } from '../../src/manifests/objects/manifest-object';
import { fieldAt, FieldPath, isFields } from '../../src/manifests/values/fields';

/** The paths of all fields, and of items of lists. A field of `null` is the same as none. */
function pathsIn(value: unknown, path: FieldPath = []): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => [[...path, index], ...pathsIn(item, [...path, index])]);
  if (!isFields(value)) return [];
  return Object.entries(value).filter(([, field]) => field !== null).flatMap(([key, field]) => [[...path, key], ...pathsIn(field, [...path, key])]);
}

/** The paths of all fields of an object but for those that identify it. */
export function removablePaths(object: ManifestObject): FieldPath[] {
  return pathsIn(object).filter(([first, second]) => (
    !['apiVersion', 'kind'].includes(String(first)) && !(first === 'metadata' && (second === undefined || ['name', 'namespace'].includes(String(second))))));
}

/** An object without a field, or a list without an item. */
export function withoutPath(object: ManifestObject, path: FieldPath): ManifestObject {
  const copy = structuredClone(object);
  const owner = fieldAt(copy, ...path.slice(0, -1)) as Record<string, unknown> | unknown[];
  const last = path.at(-1)!;
  if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else delete owner[last];
  return copy;
}
