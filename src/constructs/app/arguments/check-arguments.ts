import { API, ArgumentType, argumentType, className, isBuiltIn, isOfType, Shape } from './argument-type';
import { choiceWords, nameWords, shownValue } from '../../../manifests/schema/value-words';
import { FieldPath, Fields, isFields } from '../../../manifests/values/fields';
import { Finding } from '../../../manifests/values/finding';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Rule } from '../../../manifests/values/problem';
import { isSecretName } from '../../../manifests/values/secret-text';

/** A fault of an argument. */
export interface ArgumentFault extends Finding {
  readonly rule: Rule;
}

/**
 * Checks the arguments of a call: returns its faults, and the arguments, where null is left out.
 *
 * @param parameters what it takes
 * @param values what it was given
 * @param mayHaveMore true if its options may have properties of a class that extends this one
 */
export function checkArguments(
  parameters: Shape, values: readonly unknown[], mayHaveMore: boolean,
): { readonly values: unknown[]; readonly faults: readonly ArgumentFault[] } {
  const check = new Check(mayHaveMore);
  // Further values are ignored, as JavaScript does.
  const checked = [...values];
  const types = typesOf(parameters);
  types.forEach(([name, type], index) => {
    const last = type.variadic ? values.length : index + 1;
    for (let place = index; place < last; place++) {
      const hasName = !(isOptions(type) && isMap(values[place]));
      checked[place] = check.at(hasName ? [name] : [], type, values[place], place < values.length);
    }
    // Beside other parameters, it is the id of a new construct, which only the root of a tree may lack.
    if (name === 'id' && types.length > 1 && values[index] === '') check.emptyId();
  });
  return { values: checked, faults: check.faults };
}

const TYPES = new Map<Shape, readonly (readonly [string, ArgumentType])[]>();

/** The types of parameters or properties by their names. */
function typesOf(shape: Shape): readonly (readonly [string, ArgumentType])[] {
  let types = TYPES.get(shape);
  if (!types) TYPES.set(shape, types = Object.entries(shape).map(([name, text]) => [name, argumentType(text)]));
  return types;
}

const MISSING_RULE: Rule = {
  id: 'TC-ARGUMENT-MISSING',
  title: 'Required arguments and properties must be set, and be neither undefined nor null.',
};

const TYPE_RULE: Rule = {
  id: 'TC-ARGUMENT-TYPE',
  title: 'Arguments and properties must have the type that the API states.',
};

const UNKNOWN_RULE: Rule = {
  id: 'TC-ARGUMENT-UNKNOWN',
  title: 'Properties must be ones that the API has: others would be ignored.',
};

const UNSET_FIX = 'give it a value: is it the one of a variable that is not set?';

class Check {
  public readonly faults: ArgumentFault[] = [];
  private readonly path: (string | number)[] = [];

  public constructor(private readonly mayHaveMore: boolean) {}

  public at(path: readonly string[], type: ArgumentType, value: unknown, isGiven: boolean): unknown {
    this.path.splice(0, this.path.length, ...path);
    return this.value(type, value, isGiven);
  }

  /** Reports that the id which was checked last is empty. */
  public emptyId(): void {
    this.add({ rule: MISSING_RULE, message: 'it is empty, and it is required', accepted: 'a string', fix: UNSET_FIX });
  }

  private value(type: ArgumentType, value: unknown, isGiven = true): unknown {
    if (value !== undefined && value !== null) return this.present(type, value);
    if (type.name === 'any' && type.kind === 'named') return value;
    // jsii passes null for a value that is left out.
    if (type.optional) return undefined;
    const message = isGiven ? `it is ${value}, and it is required` : 'it is required, and it is not there';
    this.add({ rule: MISSING_RULE, message, accepted: typeWords(type), fix: missingFix(type, isGiven) });
    return value;
  }

  private below(name: string | number, type: ArgumentType, value: unknown, isGiven = true): unknown {
    this.path.push(name);
    const checked = this.value(type, value, isGiven);
    this.path.pop();
    return checked;
  }

  private present(type: ArgumentType, value: unknown): unknown {
    if (type.kind === 'list' && Array.isArray(value)) return this.list(type.element!, value);
    if (type.kind === 'map' && isMap(value)) return this.map(type.element!, value);
    if (isOptions(type) && isMap(value)) return this.struct(type.name, value);
    if (type.kind === 'named' && !isOptions(type) && isOfType(type.name, value)) return value;
    const message = isSecret(this.path) ? 'a value of another type is given' : givenWords(value, type);
    this.add({ rule: TYPE_RULE, message, accepted: typeWords(type), fix: typeFix(type, value) });
    return value;
  }

  private list(type: ArgumentType, values: readonly unknown[]): unknown {
    const checked = Array.from(values, (value, index) => this.below(index, type, value));
    return checked.every((value, index) => value === values[index]) ? values : checked;
  }

  private map(type: ArgumentType, values: Fields): unknown {
    const entries = Object.entries(values).map(([name, value]) => [name, this.below(name, type, value)] as const);
    return entries.every(([name, value]) => value === values[name]) ? values : Object.fromEntries(entries);
  }

  private struct(name: string, values: Fields): unknown {
    let changed: Record<string, unknown> | undefined;
    for (const [property, type] of typesOf(API.structs[name])) {
      const { [property]: value } = values;
      if (value === undefined && type.optional) continue;
      const checked = this.below(property, type, value, property in values);
      if (checked !== value) (changed ??= { ...values })[property] = checked;
    }
    if (this.path.length > 0 || !this.mayHaveMore) this.addUnknown(name, values);
    return changed ?? values;
  }

  /** Reports properties that a struct does not have. */
  private addUnknown(struct: string, values: Fields): void {
    const known = API.structs[struct];
    // Objects of a user's own class may have more properties.
    if (![Object.prototype, null].includes(Object.getPrototypeOf(values) as object)) return;
    for (const name of Object.keys(values)) {
      if (name.startsWith('_') || values[name] === undefined || Object.hasOwn(known, name)) continue;
      const names = Object.keys(known);
      const nearest = nearestName(name, names) ?? names.find((other) => other.toLowerCase().endsWith(name.toLowerCase()));
      this.path.push(name);
      this.add({
        rule: UNKNOWN_RULE,
        message: `${struct} has no such property, and ${isSecret([name]) ? 'its value' : shownArgument(values[name])} would be ignored`,
        fix: nearest === undefined ? 'remove it, or correct its name' : `did you mean ${nearest}?`,
      });
      this.path.pop();
    }
  }

  private add(fault: Omit<ArgumentFault, 'path'>): void {
    this.faults.push({ path: [...this.path], ...fault });
  }
}

/** True if the value of a property is not to be quoted. */
function isSecret(path: FieldPath): boolean {
  const property = path.filter((part) => typeof part === 'string').at(-1);
  return property !== undefined && isSecretName(property);
}

function isOptions({ kind, name }: ArgumentType): boolean {
  return kind === 'named' && Object.hasOwn(API.structs, name);
}

/**
 * True if a value may be a map or a struct: an object with properties, of no class of this library, and of none of JavaScript, whose content is no
 * properties.
 */
function isMap(value: unknown): value is Fields {
  return isFields(value) && !isBuiltIn(value) && (typeof value.constructor !== 'function' || API.classes[className(value.constructor)] === undefined);
}

const MOST_WAYS = 3;

/** Names of types as sentences have them, and how a value of them is written. */
const WORDS: Readonly<Record<string, { readonly words: string; readonly example?: string }>> = {
  any: { words: 'any value' },
  object: { words: 'an object' },
  string: { words: 'a string' },
  number: { words: 'a number' },
  boolean: { words: 'true or false' },
  date: { words: 'a Date', example: 'new Date()' },
  Size: { words: 'a Size of cdk8s', example: 'Size.gibibytes(4)' },
  Duration: { words: 'a Duration of cdk8s', example: 'Duration.minutes(5)' },
  ApiObject: { words: 'an ApiObject of cdk8s' },
  Chart: { words: 'a Chart of cdk8s' },
  App: { words: 'an App of cdk8s' },
  Construct: { words: 'a construct' },
  IConstruct: { words: 'a construct' },
};

/** A type in words. */
function typeWords(type: ArgumentType): string {
  const { kind, element } = type;
  if (element) return `${kind === 'list' ? 'a list' : 'an object'}${element.name === 'any' ? '' : `, each ${kind === 'list' ? 'entry' : 'value'} ${typeWords(element)}`}`;
  const { name } = type;
  if (WORDS[name]) return WORDS[name].words;
  if (API.enums[name]) return choiceWords(Object.values(API.enums[name]));
  if (API.structs[name]) return `an object with properties of ${name}: ${nameWords(Object.keys(API.structs[name]))}`;
  return `${article(name)} ${name}`;
}

/** The classes that can be instantiated for a type: the class itself and its subclasses. */
export function creatable(name: string): string[] {
  const below = Object.keys(API.classes).filter((other) => API.classes[other].base === name).flatMap(creatable);
  const { abstract, takes } = API.classes[name];
  return [...(takes && !abstract ? [name] : []), ...below];
}

/** Static methods of a class that return an object of it. */
export function factories(name: string): string[] {
  return Object.entries(API.classes[name].statics ?? {}).filter(([, { gives }]) => gives === name).map(([method]) => method);
}

/** Expressions that create an object of a type. */
function waysTo(name: string): string[] {
  if (WORDS[name]) return WORDS[name].example === undefined ? [] : [WORDS[name].example];
  if (!API.classes[name]) return [];
  return [...creatable(name).map((other) => `new ${other}(…)`), ...factories(name).map((method) => `${name}.${method}(…)`)].slice(0, MOST_WAYS);
}

/** The fix for a missing value. */
function missingFix(type: ArgumentType, isGiven: boolean): string {
  if (isGiven && ['string', 'number', 'boolean'].includes(type.name)) return UNSET_FIX;
  return type.kind === 'named' && waysTo(type.name).length > 0 ? `write ${waysWords(type.name)}` : 'give it a value';
}

/** The fix for a value of another type. */
function typeFix(type: ArgumentType, value: unknown): string {
  const { kind, name } = type;
  if (value instanceof Promise) return 'write await before it: its value is not there yet';
  if (value instanceof Map && kind !== 'list') return 'write names and values in braces; Object.fromEntries(…) makes them of a Map';
  if (kind === 'list') return 'write a list in square brackets, also of one entry';
  if (kind === 'map') return 'write names and values in braces';
  if (name === 'number' && typeof value === 'string') return 'leave out the quotes; Number(…) makes a number of the string of a variable';
  if (name === 'boolean') return 'write true or false without quotes; compare the string of a variable, as in process.env.X === \'true\'';
  if (name === 'string') return ['number', 'boolean', 'bigint'].includes(typeof value) ? 'put it in quotes' : 'write a string in quotes';
  if (API.enums[name]) return enumFix(name, value);
  if (typeof value === 'function') return `make an object of it: new ${className(value)}(…)`;
  if (waysTo(name).length > 0) return `write ${waysWords(name)}`;
  return API.interfaces[name] ? `give an object with ${nameWords(API.interfaces[name])}` : 'pass a value of this type';
}

function waysWords(name: string): string {
  return waysTo(name).join(' or ');
}

function enumFix(name: string, value: unknown): string {
  const members = Object.entries(API.enums[name]);
  const texts = members.flatMap(([member, text]) => [member, String(text)]);
  const nearest = nearestName(typeof value === 'string' ? value : shownArgument(value), texts);
  const found = members.find(([member, text]) => nearest === member || nearest === String(text));
  return found ? `did you mean ${name}.${found[0]}?` : `write ${name}.${members[0][0]}, or another member of ${name}`;
}

/** The type of a value, in words. */
function givenWords(value: unknown, type: ArgumentType): string {
  const shown = shownArgument(value);
  if (type.kind === 'named' && API.enums[type.name]) return `${shown} is no ${type.name}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${shown} is not a finite number`;
  return PRIMITIVES[typeof value] === undefined ? `${shown} is given` : `${shown} is ${PRIMITIVES[typeof value]}`;
}

const PRIMITIVES: Readonly<Record<string, string | undefined>> = { string: 'a string', number: 'a number', boolean: 'a boolean', bigint: 'a BigInt' };

/** A value as it was given. */
function shownArgument(value: unknown): string {
  if (typeof value === 'function') return API.classes[className(value)] || /^class\b/.test(String(value)) ? `the class ${className(value)}` : 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return shownValue(value);
  const name = className(value.constructor ?? Object);
  return ['Object', 'Array'].includes(name) ? shownValue(value) : `${article(name)} ${name}`;
}

function article(name: string): string {
  return /^[AEIO]/.test(name) ? 'an' : 'a';
}
