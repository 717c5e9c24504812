import { fieldAt, Fields, isFields, ManifestObject, textAt } from '../../images/manifest-object';

/** Whether there is something at a path of field names; `null` counts as nothing, as the API server drops it. */
export function isSet(value: unknown, ...path: readonly string[]): boolean {
  const found = fieldAt(value, ...path);
  return found !== undefined && found !== null;
}

/** Whether there is a map with something in it at a path of field names: Cluster API takes an empty one for none. */
export function isFilled(value: unknown, ...path: readonly string[]): boolean {
  const found = fieldAt(value, ...path);
  return isFields(found) && Object.keys(found).length > 0;
}

const EMPTY: readonly never[] = Object.freeze([]);

/** The list at a path of field names; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : EMPTY;
}

/** The maps in the list at a path of field names, each with its position. */
export function mapsAt(value: unknown, ...path: readonly string[]): readonly (readonly [Fields, number])[] {
  const list = fieldAt(value, ...path);
  if (!Array.isArray(list)) return EMPTY;
  const found: (readonly [Fields, number])[] = [];
  for (let index = 0; index < list.length; index++) if (isFields(list[index])) found.push([list[index], index]);
  return found;
}

/** The texts in the list at a path of field names, each with its position. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly (readonly [string, number])[] {
  const list = fieldAt(value, ...path);
  if (!Array.isArray(list)) return EMPTY;
  const found: (readonly [string, number])[] = [];
  for (let index = 0; index < list.length; index++) if (typeof list[index] === 'string') found.push([list[index], index]);
  return found;
}

/** The whole number at a path of field names; undefined where there is none. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** The namespace of an object. */
export function namespaceOf(object: ManifestObject): string | undefined {
  return textAt(object, 'metadata', 'namespace');
}

/** The name of an object. */
export function nameOf(object: ManifestObject): string | undefined {
  return textAt(object, 'metadata', 'name');
}
