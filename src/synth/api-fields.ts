import { ApiObject, IResolver, Lazy, ResolutionContext } from 'cdk8s';
import { inNameOrder, setOwn, someOf, sortedKeys } from './map-fields';
import { ownResolvers } from './plain-manifest';

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
  readonly typescript: string;
  readonly api: string;
  readonly below?: FieldNames;
}

/** How tokens (`Lazy` and objects with a `resolve` method) are read while fields are written. */
interface TokenReader {
  /** Whether texts, numbers and booleans may stand for something, too. */
  readonly scalars: boolean;

  /**
   * What to write instead of a value; `undefined` when the value stands for itself.
   *
   * @param value the value as given
   * @param path where the value stands, in the API's spelling; positions in lists are numbers
   * @param below the renamed fields below this place
   */
  read(value: unknown, path: Path, below: FieldNames | undefined): { readonly instead: unknown; readonly done?: boolean } | undefined;
}

type Path = readonly (string | number)[];

/**
 * Writes the fields of one object for the API, resolving every token on the way.
 *
 * Names become the API's, int-or-string objects become their value, `undefined` is left out; everything else stays, known or not.
 * Keys are sorted unless `CDK8S_DISABLE_SORT` is set, as in cdk8s.
 * The resolvers of the app are asked first, once for each value, with paths in the API's spelling.
 *
 * @param value fields as the user gave them
 * @param names the fields whose TypeScript name differs
 * @param apiObject the object that the fields belong to
 * @param share whether lists and maps that are as they are to be written need not be copied
 */
export function writeFields(value: unknown, names: FieldNames | undefined, apiObject: ApiObject, share = false): unknown {
  const resolvers = ownResolvers(apiObject);
  return new FieldWriter({
    scalars: resolvers.length > 0,
    read: (given, path) => customized(given, path, resolvers, apiObject) ?? produced(given),
  }, isSorted(), share).write(value, names);
}

/**
 * A copy of fields as they are now: what the user does to his lists and maps afterwards changes nothing. Tokens and objects of classes
 * are kept as they are, and so is what contains itself, which is refused elsewhere.
 */
export function copyOfFields<T>(value: T): T {
  return copied(value, false, []);
}

/** Such a copy with the fields in order, if they are to be, and without those that hold nothing: what is written shares it. */
export function orderedCopyOfFields<T>(value: T): T {
  return copied(value, isSorted(), []);
}

/** A copy of a written object, to be changed by whoever gets it. */
export function copyOfManifest<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOfManifest) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyOfManifest<unknown>(Reflect.get(value, key)));
  return copy as T;
}

/** @param around the values that this one is in */
function copied<T>(value: T, sorted: boolean, around: unknown[]): T {
  if (typeof value !== 'object' || value === null || isToken(value) || around.includes(value)) return value;
  if (!Array.isArray(value) && !isDictionary(value)) return value;
  around.push(value);
  const copy = Array.isArray(value) ? value.map((item) => copied<unknown>(item, sorted, around)) : copiedMap(value, sorted, around);
  around.pop();
  return copy as T;
}

function copiedMap(map: object, sorted: boolean, around: unknown[]): object {
  const copy: Record<string, unknown> = {};
  for (const key of sorted ? sortedKeys(map) : Object.keys(map)) {
    const child: unknown = Reflect.get(map, key);
    if (child !== undefined || !sorted) setOwn(copy, key, copied(child, sorted, around));
  }
  return copy;
}

/** A written object with its keys in order, if they are to be. */
export function sortedFields(value: unknown): unknown {
  return isSorted() ? new FieldWriter({ scalars: false, read: () => undefined }, true, true).write(value, undefined) : value;
}

/**
 * Writes fields for an object that does not exist as a construct. Tokens stay tokens, and what they produce is written the same way.
 *
 * @param value fields as the user gave them
 * @param names the fields whose TypeScript name differs
 */
export function writeDetachedFields(value: unknown, names: FieldNames | undefined): unknown {
  return new FieldWriter({
    scalars: false,
    read: (given, _path, below) => isToken(given)
      ? { instead: Lazy.any({ produce: () => writeDetachedFields(produced(given)?.instead, below) }), done: true }
      : undefined,
  }, false, false).write(value, names);
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
  if (names === undefined || typeof value !== 'object' || value === null) { return []; }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => misspelledFields(item, names, `${pointer}/${index}`));
  }
  return Object.entries(value).flatMap(([key, child]) => {
    const field = fieldOf(names, key);
    const here = `${pointer}/${escapePointer(key)}`;
    const wrong: Array<[string, string]> = field && key !== field.api ? [[here, `${pointer}/${escapePointer(field.api)}`]] : [];
    return [...wrong, ...misspelledFields(child, field?.below, here)];
  });
}

/** Walks a value and writes it with the API's names. */
class FieldWriter {
  private readonly path: (string | number)[] = [];

  /**
   * @param tokens how tokens are read
   * @param sorted whether the fields of each object are written in order
   * @param share whether lists and maps that are as they are to be written are not copied
   */
  public constructor(private readonly tokens: TokenReader, private readonly sorted: boolean, private readonly share: boolean) {}

  /** Writes one value and everything below it. */
  public write(value: unknown, names: FieldNames | undefined): unknown {
    if (value === undefined || value === null) { return value; }
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
    if (isScalar && !this.tokens.scalars) { return value; }
    const replacement = this.tokens.read(value, this.path, names);
    if (replacement) {
      return replacement.done ? replacement.instead : this.write(replacement.instead, names);
    }
    if (isScalar) { return value; }
    if (typeof value !== 'object') { throw this.unwritable(`the ${typeof value} ${String(value)}`); }
    if (Array.isArray(value)) { return this.writeList(value, names); }
    if (isDictionary(value)) { return this.writeDictionary(value, names); }

    const inner: unknown = Reflect.get(value, 'value');
    if (typeof inner === 'string' || typeof inner === 'number') { return inner; }
    throw this.unwritable(`an object of class '${value.constructor?.name}'`);
  }

  private unwritable(what: string): Error {
    return new Error(`${this.place()} is ${what}, which cannot be written to a manifest; pass a plain object, a list, a string, a number or a boolean`);
  }

  private place(): string {
    return `/${this.path.map(step => escapePointer(`${step}`)).join('/')}`;
  }

  private writeList(list: readonly unknown[], names: FieldNames | undefined): unknown[] {
    let written: unknown[] | undefined = this.share ? undefined : [];
    for (let index = 0; index < list.length; index++) {
      const result = this.at(index, list[index], names);
      if (result !== list[index] || result === undefined) { written ??= list.slice(0, index); }
      if (result !== undefined) { written?.push(result); }
    }
    return written ?? list as unknown[];
  }

  private writeDictionary(value: object, names: FieldNames | undefined): object {
    const given = value as Readonly<Record<string, unknown>>;
    const keys = names && this.keysByName(given, names);
    const all = Object.keys(given);
    const order = keys ? [...keys.keys()] : all;
    const inOrder = this.sorted ? inNameOrder(order) : order;
    const mayShare = this.share && keys === undefined && inOrder === all && Object.getPrototypeOf(given) === Object.prototype;
    let written: Record<string, unknown> | undefined = mayShare ? undefined : {};
    for (let index = 0; index < inOrder.length; index++) {
      const name = inOrder[index];
      const child = given[keys?.get(name) ?? name];
      const result = child === undefined ? undefined : this.at(name, child, names && fieldOf(names, name)?.below);
      if (result !== child || result === undefined) { written ??= someOf(given, inOrder.slice(0, index)); }
      if (written && result !== undefined) { setOwn(written, name, result); }
    }
    return written ?? given;
  }

  /** The names of the API, with the keys under which their values were given; undefined if they are the same. */
  private keysByName(given: Readonly<Record<string, unknown>>, names: FieldNames): Map<string, string> | undefined {
    if (Object.keys(given).every(key => (fieldOf(names, key)?.api ?? key) === key)) { return undefined; }
    const keys = new Map<string, string>();
    for (const key of Object.keys(given).filter(candidate => given[candidate] !== undefined)) {
      const name = fieldOf(names, key)?.api ?? key;
      const other = keys.get(name);
      if (other !== undefined) {
        throw new Error(`${this.place()} has both '${other}' and '${key}', which are the same field '${name}'; give one of them`);
      }
      keys.set(name, key);
    }
    return keys;
  }

  private at(key: string | number, value: unknown, names: FieldNames | undefined): unknown {
    this.path.push(key);
    const result = this.write(value, names);
    this.path.pop();
    return result;
  }
}

/** What a resolver of the app puts in place of a value. */
function customized(
  value: unknown, path: Path, resolvers: readonly IResolver[], apiObject: ApiObject,
): { instead: unknown } | undefined {
  for (const resolver of resolvers) {
    const context = new ResolutionContext(apiObject, path.map(String), value);
    resolver.resolve(context);
    if (context.replaced) { return { instead: context.replacedValue }; }
  }
  return undefined;
}

/** What a token stands for. */
function produced(value: unknown): { instead: unknown } | undefined {
  if (value instanceof Lazy) { return { instead: value.produce() }; }
  return isToken(value) ? { instead: value.resolve() } : undefined;
}

function isSorted(): boolean {
  return !process.env.CDK8S_DISABLE_SORT;
}

function isToken(value: unknown): value is { resolve(): unknown } {
  return value instanceof Lazy || (typeof value === 'object' && value !== null && typeof Reflect.get(value, 'resolve') === 'function');
}

/** By name, because plain objects of another realm (`structuredClone`, `vm`) have another `Object`. */
function isDictionary(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || value.constructor?.name === 'Object';
}

/** Fields of a tree under both of their names, made once for each tree. */
const FIELDS = new WeakMap<FieldNames, Map<string, Field>>();

function fieldOf(names: FieldNames, key: string): Field | undefined {
  let fields = FIELDS.get(names);
  if (!fields) {
    fields = new Map();
    for (const [typescript, entry] of Object.entries(names)) {
      const [api, below] = typeof entry === 'string' ? [entry, undefined] : isPair(entry) ? entry : [typescript, entry];
      const field = { typescript, api, below };
      fields.set(typescript, field);
      fields.set(api, field);
    }
    FIELDS.set(names, fields);
  }
  const every = fields.get('*');
  return fields.get(key) ?? (every && { typescript: key, api: key, below: every.below });
}

function isPair(entry: FieldNames | readonly [string, FieldNames]): entry is readonly [string, FieldNames] {
  return Array.isArray(entry);
}

function escapePointer(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1');
}
