import { ApiObject, App, ImplicitTokenResolver, Lazy, LazyResolver, NumberStringUnionResolver, ResolutionContext } from 'cdk8s';
import { Fields, isPlainObject } from '../../../manifests/values/fields';

/**
 * The fields of an object whose TypeScript name differs from the name in the API, as a tree keyed by TypeScript name.
 *
 * A string is the API's name; a tree leads to renamed fields below a field that keeps its name; a pair is both.
 * Lists are left out of the tree, and `*` stands for every key of a map. Fields without renames below them are absent.
 */
export interface FieldNames {
  readonly [field: string]: string | FieldNames | readonly [string, FieldNames];
}

/** One field of a `FieldNames` tree. */
interface Field {
  readonly api: string;
  readonly below?: FieldNames;
}

/**
 * A copy of fields with the API's names in their order, and with int-or-string objects as their value. Later changes of the original have
 * no effect.
 *
 * Tokens stay tokens, and their results are copied the same way. Objects of other classes and values that contain themselves are kept;
 * writing them fails.
 *
 * @param value fields as the user gave them
 * @param names the fields whose TypeScript name differs
 * @param around the values that contain this one
 * @param sorts true if fields are written by name
 */
export function apiFields(value: unknown, names?: FieldNames, around: unknown[] = [], sorts = sortsFields()): unknown {
  if (typeof value !== 'object' || value === null || around.includes(value)) return value;
  if (value instanceof Lazy) return Lazy.any({ produce: () => apiFields(value.produce(), names) });
  if (isToken(value)) return Lazy.any({ produce: () => apiFields(value.resolve(), names) });
  if (!Array.isArray(value) && !isPlainObject(value)) {
    const { value: inner } = value as { value?: unknown };
    return typeof inner === 'string' || typeof inner === 'number' ? inner : value;
  }
  around.push(value);
  const copy = Array.isArray(value) ? value.map((item) => apiFields(item, names, around, sorts)) : apiMap(value, names, around, sorts);
  around.pop();
  return copy;
}

function apiMap(value: Fields, names: FieldNames | undefined, around: unknown[], sorts: boolean): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const keys = Object.keys(value);
  // In order at once, where no name changes: objects that are filled in the same order are smaller.
  if (!names && sorts && !isSorted(keys)) keys.sort();
  for (const key of keys) {
    const child = value[key];
    if (child === undefined) continue;
    const field = names && fieldOf(names, key);
    // With both names given, the wrong one stays, and `misspelledFields` finds it.
    const name = field === undefined || value[field.api] !== undefined ? key : field.api;
    setField(fields, name, typeof child === 'object' ? apiFields(child, field?.below, around, sorts) : child);
  }
  return names ? inOrder(fields, sorts) : fields;
}

/**
 * The values of fields: tokens resolved, by the resolvers of the app. Values without tokens are not copied.
 *
 * @param value fields with the API's names
 * @param object the object that the fields belong to
 * @throws for a value that a manifest cannot hold
 */
export function resolveFields(value: unknown, object: ApiObject): unknown {
  // The resolver of int-or-string objects wraps their value for the generated classes of cdk8s.
  const resolvers = App.of(object).resolvers.filter((resolver) => !(resolver instanceof NumberStringUnionResolver));
  const added = resolvers.filter((resolver) => !(resolver instanceof LazyResolver || resolver instanceof ImplicitTokenResolver));
  const path: string[] = [];
  const resolve = (given: unknown): unknown => {
    if (given === undefined || given === null) return given;
    const asked = isData(given) ? added : resolvers;
    if (asked.length > 0) {
      const context = new ResolutionContext(object, [...path], given);
      for (const resolver of asked) {
        resolver.resolve(context);
        if (context.replaced) return resolve(apiFields(context.replacedValue));
      }
    }
    if (typeof given === 'string' || typeof given === 'boolean' || Number.isFinite(given)) return given;
    if (Array.isArray(given)) return sameOr(given, given.map((item, index) => below(`${index}`, item)).filter((item) => item !== undefined));
    if (typeof given === 'object' && isPlainObject(given)) {
      const keys = Object.keys(given);
      let fields: Record<string, unknown> | undefined;
      for (let index = 0; index < keys.length; index++) {
        const { [index]: key } = keys;
        const child = below(key, given[key]);
        if (!fields && (child === undefined || child !== given[key])) {
          fields = {};
          for (const before of keys.slice(0, index)) setField(fields, before, given[before]);
        }
        if (fields && child !== undefined) setField(fields, key, child);
      }
      return fields ?? given;
    }
    const what = typeof given === 'object' ? `an object of class '${given.constructor?.name}'` : `the ${typeof given} ${String(given)}`;
    throw new Error(`/${path.map(escapePointer).join('/')} is ${what}, which cannot be written to a manifest; pass a plain object, a list, a string, a number or a boolean`);
  };
  const below = (key: string, child: unknown): unknown => {
    if (typeof child === 'string' && added.length === 0) return child;
    path.push(key);
    const resolved = resolve(child);
    path.pop();
    return resolved;
  };
  return resolve(value);
}

/** True if a value is none that the resolvers of every app replace. */
function isData(value: {}): boolean {
  return typeof value === 'object' ? (Array.isArray(value) || isPlainObject(value)) && !isToken(value) : typeof value !== 'function';
}

function sameOr(list: readonly unknown[], resolved: readonly unknown[]): readonly unknown[] {
  return resolved.length === list.length && resolved.every((item, index) => item === list[index]) ? list : resolved;
}

/** Fields at all levels in the order in which they are written. */
export function sortedFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedFields);
  const fields: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setField(fields, key, sortedFields(child));
  return inOrder(fields, sortsFields());
}

/** False if `CDK8S_DISABLE_SORT` is set, as in cdk8s. */
function sortsFields(): boolean {
  return !process.env.CDK8S_DISABLE_SORT;
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if (names[index - 1] >= names[index]) return false;
  return true;
}

/** Fields in the order in which they are written. */
function inOrder(fields: Record<string, unknown>, sorts: boolean): Record<string, unknown> {
  const names = Object.keys(fields);
  if (!sorts || isSorted(names)) return fields;
  const sorted: Record<string, unknown> = {};
  for (const name of names.sort()) setField(sorted, name, fields[name]);
  return sorted;
}

/** Sets a field of any name: an assignment to `__proto__` would set none. */
export function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, configurable: true, enumerable: true, writable: true });
  else fields[name] = value;
}

/**
 * Finds fields of a written object that carry a TypeScript name where the API has another one.
 *
 * @param value an object as it goes to the API
 * @param names the fields whose TypeScript name differs
 * @param pointer where the value stands
 * @returns pairs of JSON pointers: what was found, and what the API calls it
 */
export function misspelledFields(value: unknown, names: FieldNames | undefined, pointer = ''): Array<[string, string]> {
  if (names === undefined || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => misspelledFields(item, names, `${pointer}/${index}`));
  return Object.entries(value).flatMap(([key, child]) => {
    const field = fieldOf(names, key);
    const here = `${pointer}/${escapePointer(key)}`;
    const wrong: Array<[string, string]> = field && key !== field.api ? [[here, `${pointer}/${escapePointer(field.api)}`]] : [];
    return [...wrong, ...misspelledFields(child, field?.below, here)];
  });
}

function isToken(value: object): value is { resolve(): unknown } {
  return typeof (value as { resolve?: unknown }).resolve === 'function';
}

/** Fields of a tree under both of their names, made once for each tree. */
const FIELDS = new WeakMap<FieldNames, ReadonlyMap<string, Field>>();

function fieldOf(names: FieldNames, key: string): Field | undefined {
  let fields = FIELDS.get(names);
  if (!fields) {
    fields = new Map(Object.entries(names).flatMap(([typescript, entry]): [string, Field][] => {
      const [api, below] = typeof entry === 'string' ? [entry, undefined] : Array.isArray(entry) ? entry as [string, FieldNames] : [typescript, entry as FieldNames];
      return [[typescript, { api, below }], [api, { api, below }]];
    }));
    FIELDS.set(names, fields);
  }
  const every = fields.get('*');
  return fields.get(key) ?? (every && { api: key, below: every.below });
}

function escapePointer(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1');
}
