/** An object of plain JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** The keys and indexes that lead to a field, e.g. `['spec', 'rules', 0]`. */
export type FieldPath = readonly (string | number)[];

/** True if a value is an object with fields: no list, no `null`. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if a value is an object literal: an instance of a class, such as a token, is a value of its own. */
export function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object literal of another realm has another prototype.
  return prototype === Object.prototype || prototype === null || value.constructor?.name === 'Object';
}

/** An object of which at least one field is set; otherwise undefined. */
export function unlessEmpty<T extends object>(fields: T | undefined): T | undefined {
  return fields && Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}

/** The value at a path; undefined if a part of the path is missing. */
export function fieldAt(value: unknown, ...path: FieldPath): unknown {
  return valueAt(value, path);
}

/** The value at a path. Accessors are called most of all: to hand on parts of a path one by one takes as long as to follow it. */
function valueAt(value: unknown, path: FieldPath): unknown {
  let place = value;
  for (let depth = 0; depth < path.length; depth++) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, path[depth])) return undefined;
    place = (place as Fields)[path[depth]];
  }
  return place;
}

/** The string at a path; undefined if there is none, or an empty one. */
export function stringAt(value: unknown, ...path: FieldPath): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A string, number or boolean as a string; empty for other values, some of which JavaScript has no string of. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** The integer at a path; undefined if there is none. */
export function numberAt(value: unknown, ...path: FieldPath): number | undefined {
  const found = valueAt(value, path);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** True if the field at a path is set. `null` is unset: the API server drops it. */
export function isSet(value: unknown, ...path: FieldPath): boolean {
  const found = valueAt(value, path);
  return found !== undefined && found !== null;
}

/** True if the object at a path has fields. Cluster API treats an empty one as unset. */
export function isFilled(value: unknown, ...path: FieldPath): boolean {
  const found = valueAt(value, path);
  return isFields(found) && Object.keys(found).length > 0;
}

const EMPTY: readonly never[] = Object.freeze([]);

/** The list at a path; empty if there is none. */
export function listAt(value: unknown, ...path: FieldPath): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : EMPTY;
}

/** The objects in the list at a path, each with its index; empty if there is no list. */
export function objectsAt(value: unknown, ...path: FieldPath): readonly (readonly [Fields, number])[] {
  const list = valueAt(value, path);
  if (!Array.isArray(list)) return EMPTY;
  const found: (readonly [Fields, number])[] = [];
  for (let index = 0; index < list.length; index++) if (isFields(list[index])) found.push([list[index], index]);
  return found;
}

/** An object in a list, the name of the list, and the place of the object. */
export interface PlacedFields {
  readonly list: string;
  readonly fields: Fields;
  readonly path: FieldPath;
}

/** The objects in several lists below a path. */
export function objectsInLists(value: unknown, start: FieldPath, ...lists: readonly string[]): PlacedFields[] {
  return lists.flatMap((list) => objectsAt(value, ...start, list).map(([fields, index]) => ({ list, fields, path: [...start, list, index] })));
}

/** The strings in the list at a path, each with its index; empty if there is no list. */
export function stringsAt(value: unknown, ...path: FieldPath): readonly (readonly [string, number])[] {
  const list = valueAt(value, path);
  if (!Array.isArray(list)) return EMPTY;
  const found: (readonly [string, number])[] = [];
  for (let index = 0; index < list.length; index++) if (typeof list[index] === 'string') found.push([list[index], index]);
  return found;
}

/**
 * A path as users write it: `spec.rules[0]`, `metadata.annotations["example.com/a"]`; empty for the object as a whole.
 *
 * @param path the path
 * @param start what the path starts from, as users write it, e.g. `controlPlane.labels`
 */
export function fieldText(path: FieldPath, start = ''): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, start);
}

/** True if two values say the same to a server: the order of keys does not matter, and `null` counts as nothing. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((item, index) => sameValue(item, other[index]));
  if (isFields(one)) {
    if (!isFields(other)) return false;
    for (const key of Object.keys(one)) if (!sameValue(one[key], Object.hasOwn(other, key) ? other[key] : undefined)) return false;
    for (const key of Object.keys(other)) if (!Object.hasOwn(one, key) && !isNothing(other[key])) return false;
    return true;
  }
  return isNothing(one) && isNothing(other);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A JSON pointer (RFC 6901) to a path of field names. */
export function pointerTo(path: readonly string[]): string {
  return path.map((part) => `/${part.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

/** The field names of a JSON pointer. */
export function pathOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/**
 * The paths that a pattern with `*` matches: every item of a list, every key of an object. All fields of a path but the last must exist.
 *
 * @param value where the path starts
 * @param pattern field names joined by slashes, e.g. `spec/containers/N/image` with `*` for N
 */
export function matchingPaths(value: unknown, pattern: string): string[][] {
  const parts = pattern.split('/');
  const below = (here: unknown, path: string[]): string[][] => {
    if (path.length === parts.length) return [path];
    if (typeof here !== 'object' || here === null) return [];
    const part = parts[path.length];
    const names = part === '*' ? Object.keys(here) : Object.hasOwn(here, part) || path.length === parts.length - 1 ? [part] : [];
    return names.flatMap((name) => below(fieldAt(here, name), [...path, name]));
  };
  return below(value, []);
}

/**
 * A copy of a value with other values in some places. What does not change is shared with the original; maps on the way are made when
 * they are missing.
 *
 * @param value plain JSON
 * @param changes new values by JSON pointer
 */
export function withValues<T>(value: T, changes: ReadonlyMap<string, unknown>): T {
  let result: unknown = value;
  for (const [pointer, change] of changes) result = withValue(result, pathOf(pointer), change);
  return result as T;
}

/**
 * A copy of a value in which some fields are those of another one; a field that the other one lacks is unset.
 *
 * @param value plain JSON
 * @param other where the fields are taken from
 * @param pointers JSON pointers to the fields; those that neither has are left out
 */
export function withFieldsOf<T>(value: T, other: unknown, pointers: readonly string[]): T {
  return withValues(value, new Map(pointers.flatMap((pointer) => {
    const path = pathOf(pointer);
    const found = [value, other].some((one) => fieldAt(one, ...path) !== undefined);
    return found ? [[pointer, fieldAt(other, ...path)]] : [];
  })));
}

function withValue(value: unknown, [first, ...rest]: readonly string[], change: unknown): unknown {
  if (first === undefined) return change;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (`${index}` === first ? withValue(item, rest, change) : item));
  return { ...(value as object | undefined), [first]: withValue(fieldAt(value, first), rest, change) };
}
