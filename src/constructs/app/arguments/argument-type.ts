import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import TABLE from '../../../../data/api.json';
import { isFields } from '../../../manifests/values/fields';

/**
 * A type as a string: `string`, `number`, `boolean`, `any`, `object`, the name of a type, `[T]` for a list, `{T}` for an object with values of
 * a type. A `?` at the end makes it optional, `...` at the beginning variadic.
 */
export type TypeText = string;

/** Values by name, in their order. */
export type Shape = Readonly<Record<string, TypeText>>;

/** Parameters of a method. */
export interface MethodShape {
  readonly takes: Shape;

  /** The type that a static method returns. */
  readonly gives?: TypeText;
}

/** Calls that a class has. */
export interface ClassShape {
  /** Namespace of the package that exports it. Default: the package itself. */
  readonly namespace?: string;

  /** Name of the class that it extends. */
  readonly base?: string;

  /** Names of interfaces that are no structs. */
  readonly interfaces?: readonly string[];

  readonly abstract?: boolean;

  /** Parameters of the constructor; undefined if there is no public one. */
  readonly takes?: Shape;

  readonly statics?: Readonly<Record<string, MethodShape>>;
  readonly methods?: Readonly<Record<string, MethodShape>>;
}

/** The public types of the package, without those that are generated from schemas. */
export interface ApiTable {
  readonly classes: Readonly<Record<string, ClassShape>>;

  /** Properties, those of bases too. */
  readonly structs: Readonly<Record<string, Shape>>;

  /** Methods and properties that an object must have. */
  readonly interfaces: Readonly<Record<string, readonly string[]>>;

  /** Values by the names of members. */
  readonly enums: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}

/** The public types of the package. */
export const API: ApiTable = TABLE as unknown as ApiTable;

/** The type of an argument. */
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

const RUN_TIME_TYPE = Symbol.for('jsii.rtti');

/** The name of a class in the API. A bundle renames classes, and jsii writes the name into them. */
export function className(constructor: Function & { [RUN_TIME_TYPE]?: { readonly fqn: string } }): string {
  return Object.hasOwn(constructor, RUN_TIME_TYPE) ? constructor[RUN_TIME_TYPE]!.fqn.replace(/^.*\./, '') : constructor.name;
}

const CLASSES = new Map<string, Function>();

/** Registers a public class, so that its objects are recognized. */
export function registerClass(name: string, constructor: Function): void {
  CLASSES.set(name, constructor);
}

function isObjectOf(name: string, value: unknown): boolean {
  const constructor = CLASSES.get(name);
  // As `instanceof`, which charts answer for all charts.
  return constructor !== undefined && Object.prototype.isPrototypeOf.call(constructor.prototype as object, value as object);
}

/** True if a value has a type that is no struct. */
export function isOfType(name: string, value: unknown): boolean {
  const { [name]: test } = BUILT_IN;
  if (test) return test(value);
  const { [name]: members } = API.enums;
  if (members) return Object.values(members).includes(value as string);
  const { [name]: required } = API.interfaces;
  if (!required) return isObjectOf(name, value);
  // An interface of internal members is implemented by the library's classes alone.
  const implementers = Object.keys(API.classes).filter((other) => API.classes[other].interfaces?.includes(name));
  return required.length === 0 ? implementers.some((other) => isObjectOf(other, value))
    : typeof value === 'object' && value !== null && required.every((member) => member in value);
}
