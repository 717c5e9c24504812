import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { TypeText } from './api-shape';
import { API } from './api-table.generated';
import { publicClass } from './public-class';
import { isFields } from '../values/fields';

/** What an argument must be. */
export interface ArgumentType {
  readonly kind: 'list' | 'map' | 'named';

  /** The type, or that of elements. */
  readonly name: string;

  /** The type of elements of a list or map. */
  readonly element?: ArgumentType;

  readonly optional: boolean;
  readonly variadic: boolean;
}

const KNOWN = new Map<TypeText, ArgumentType>();

/** A type of the table. */
export function argumentType(text: TypeText): ArgumentType {
  let type = KNOWN.get(text);
  if (!type) KNOWN.set(text, type = parse(text));
  return type;
}

function parse(text: TypeText): ArgumentType {
  const [, dots, name, mark] = /^(\.\.\.)?(.*?)(\?)?$/.exec(text)!;
  const rest = { optional: mark !== undefined, variadic: dots !== undefined };
  if (!/^[[{]/.test(name)) return { kind: 'named', name, ...rest };
  const element = argumentType(name.slice(1, -1));
  return { kind: name.startsWith('[') ? 'list' : 'map', name: element.name, element, ...rest };
}

function has(value: unknown, ...methods: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function');
}

// By what they can do: an app may have several copies of these packages.
const BUILT_IN: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  object: (value) => isFields(value) && !isBuiltIn(value),
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date,
  Size: (value) => has(value, 'toMebibytes'),
  Duration: (value) => has(value, 'toSeconds'),
  ApiObject: (value) => has(value, 'addJsonPatch', 'toJson'),
  Chart: (value) => typeof value === 'object' && value !== null && Chart.isChart(value),
  App: (value) => has(value, 'synth', 'synthYaml'),
  Construct: isConstruct,
  IConstruct: isConstruct,
};

/** True if an object is of a class of JavaScript, such as a Map, a Promise, a Date or an Error. */
export function isBuiltIn(value: object): boolean {
  return Object.prototype.toString.call(value) !== '[object Object]';
}

/** True if a value is a construct. */
export function isConstruct(value: unknown): value is Construct {
  return typeof value === 'object' && value !== null && has((value as Partial<Construct>).node, 'tryFindChild');
}

/** True if objects of a class are constructs: charts and apps among them. */
export function isConstructClass(constructor: Function): constructor is typeof Construct {
  return isPrototypeOf(Construct, constructor.prototype);
}

/** The class of constructs that a class is at its base. */
export function baseOf(constructor: Function): typeof Construct | typeof Chart {
  return isPrototypeOf(Chart, constructor.prototype) ? Chart : Construct;
}

function isObjectOf(name: string, value: unknown): boolean {
  const constructor = publicClass(name);
  return constructor !== undefined && isPrototypeOf(constructor, value);
}

/** As `instanceof`, which charts answer for all charts. */
function isPrototypeOf({ prototype }: Function, value: unknown): boolean {
  return Object.prototype.isPrototypeOf.call(prototype as object, value as object);
}

/** True if a value has a type that is no struct. */
export function isOfType(name: string, value: unknown): boolean {
  const { [name]: test } = BUILT_IN;
  if (test) return test(value);
  const { [name]: members } = API.enums;
  if (members) return Object.values(members).includes(value as string);
  const { [name]: required } = API.interfaces;
  if (!required) return isObjectOf(name, value);
  // What is implemented by internal members is implemented by the library's classes alone.
  const implementers = Object.keys(API.classes).filter((other) => API.classes[other].interfaces?.includes(name));
  return required.length === 0 ? implementers.some((other) => isObjectOf(other, value))
    : typeof value === 'object' && value !== null && required.every((member) => member in value);
}
