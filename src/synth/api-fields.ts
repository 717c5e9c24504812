import { ApiObject, App, IResolver, ImplicitTokenResolver, Lazy, LazyResolver, NumberStringUnionResolver, ResolutionContext } from 'cdk8s';

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
  /**
   * What to write instead of a value; `undefined` when the value stands for itself.
   *
   * @param value the value as given
   * @param path where the value stands, in the API's spelling
   * @param below the renamed fields below this place
   */
  read(value: unknown, path: readonly string[], below: FieldNames | undefined): { readonly instead: unknown; readonly done?: boolean } | undefined;
}

/** The resolvers of cdk8s itself, which `TokenReader`s replace. */
const BUILT_IN_RESOLVERS: readonly unknown[] = [LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver];

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
 */
export function writeFields(value: unknown, names: FieldNames | undefined, apiObject: ApiObject): unknown {
  const resolvers = App.of(apiObject).resolvers.filter(resolver => !BUILT_IN_RESOLVERS.includes(resolver.constructor));
  return new FieldWriter({
    read: (given, path) => customized(given, path, resolvers, apiObject) ?? produced(given),
  }, isSorted()).write(value, names);
}

/**
 * A copy of fields as they are now: what the user does to his lists and maps afterwards changes nothing. Tokens and objects of classes
 * are kept as they are, and so is what contains itself, which is refused elsewhere.
 */
export function copyOfFields<T>(value: T, around: readonly unknown[] = []): T {
  if (typeof value !== 'object' || value === null || isToken(value) || around.includes(value)) return value;
  const within = [...around, value];
  if (Array.isArray(value)) return value.map((item) => copyOfFields<unknown>(item, within)) as T;
  if (!isDictionary(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, key, copyOfFields<unknown>(child, within));
  return copy as T;
}

/** A written object with its keys in order, if they are to be. */
export function sortedFields(value: unknown): unknown {
  return isSorted() ? new FieldWriter({ read: () => undefined }, true).write(value, undefined) : value;
}

/**
 * Writes fields for an object that does not exist as a construct. Tokens stay tokens, and what they produce is written the same way.
 *
 * @param value fields as the user gave them
 * @param names the fields whose TypeScript name differs
 */
export function writeDetachedFields(value: unknown, names: FieldNames | undefined): unknown {
  return new FieldWriter({
    read: (given, _path, below) => isToken(given)
      ? { instead: Lazy.any({ produce: () => writeDetachedFields(produced(given)?.instead, below) }), done: true }
      : undefined,
  }, false).write(value, names);
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
  private readonly path: string[] = [];

  /**
   * @param tokens how tokens are read
   * @param sorted whether the fields of each object are written in order
   */
  public constructor(private readonly tokens: TokenReader, private readonly sorted: boolean) {}

  /** Writes one value and everything below it. */
  public write(value: unknown, names: FieldNames | undefined): unknown {
    if (value === undefined || value === null) { return value; }
    const replacement = this.tokens.read(value, this.path, names);
    if (replacement) {
      return replacement.done ? replacement.instead : this.write(replacement.instead, names);
    }
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) { return value; }
    if (typeof value !== 'object') { throw this.unwritable(`the ${typeof value} ${String(value)}`); }
    if (Array.isArray(value)) {
      return value.map((item, index) => this.at(`${index}`, item, names)).filter(item => item !== undefined);
    }
    if (isDictionary(value)) { return this.writeDictionary(value, names); }

    const inner: unknown = Reflect.get(value, 'value');
    if (typeof inner === 'string' || typeof inner === 'number') { return inner; }
    throw this.unwritable(`an object of class '${value.constructor?.name}'`);
  }

  private unwritable(what: string): Error {
    return new Error(`${this.place()} is ${what}, which cannot be written to a manifest; pass a plain object, a list, a string, a number or a boolean`);
  }

  private place(): string {
    return `/${this.path.map(escapePointer).join('/')}`;
  }

  private writeDictionary(value: object, names: FieldNames | undefined): object {
    const given = value as Readonly<Record<string, unknown>>;
    const keys = names ? this.keysByName(given, names) : undefined;
    const order = [...keys?.keys() ?? Object.keys(given)];
    const written: Record<string, unknown> = {};
    for (const name of this.sorted ? order.sort() : order) {
      const child = given[keys?.get(name) ?? name];
      const result = child === undefined ? undefined : this.at(name, child, names && fieldOf(names, name)?.below);
      if (result !== undefined) { setOwn(written, name, result); }
    }
    return written;
  }

  /** The names of the API, with the keys under which their values were given. */
  private keysByName(given: Readonly<Record<string, unknown>>, names: FieldNames): Map<string, string> {
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

  private at(key: string, value: unknown, names: FieldNames | undefined): unknown {
    this.path.push(key);
    const result = this.write(value, names);
    this.path.pop();
    return result;
  }
}

/** What a resolver of the app puts in place of a value. */
function customized(
  value: unknown, path: readonly string[], resolvers: readonly IResolver[], apiObject: ApiObject,
): { instead: unknown } | undefined {
  for (const resolver of resolvers) {
    const context = new ResolutionContext(apiObject, [...path], value);
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

/** An assignment to `__proto__` would set no field. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    target[key] = value;
  }
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
