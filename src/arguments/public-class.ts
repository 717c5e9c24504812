import { API } from './api-table.generated';

const CLASSES = new Map<string, Function>();

const RUN_TIME_TYPE = Symbol.for('jsii.rtti');

/** The name of a class in the API. A bundle renames classes, and what jsii writes into them stays. */
export function className(constructor: Function & { [RUN_TIME_TYPE]?: { readonly fqn: string } }): string {
  return Object.hasOwn(constructor, RUN_TIME_TYPE) ? constructor[RUN_TIME_TYPE]!.fqn.replace(/^.*\./, '') : constructor.name;
}

/** Makes a class known by its name. */
export function registerClass(constructor: Function): void {
  CLASSES.set(className(constructor), constructor);
}

/** The public class of a name; undefined if nothing has loaded it, so that it has no objects. */
export function publicClass(name: string): Function | undefined {
  return CLASSES.get(name);
}

/** Classes that an object of a class can be made of by `new`: it, and what extends it. */
export function creatable(name: string): string[] {
  const below = Object.keys(API.classes).filter((other) => API.classes[other].base === name).flatMap(creatable);
  const { abstract, takes } = API.classes[name];
  return [...(takes && !abstract ? [name] : []), ...below];
}

/** Static methods of a class that give an object of it. */
export function factories(name: string): string[] {
  return Object.entries(API.classes[name].statics ?? {}).filter(([, { gives }]) => gives === name).map(([method]) => method);
}

/** True if something takes objects of a class, so that it can report what is wrong with them. */
export function isArgument(name: string): boolean {
  if (!Object.hasOwn(API.classes, name)) return false;
  const { base = '', interfaces = [] } = API.classes[name];
  return taken().has(name) || isArgument(base) || interfaces.some((type) => taken().has(type));
}

let names: ReadonlySet<string> | undefined;

/** The names of all types that something takes. */
function taken(): ReadonlySet<string> {
  return names ??= new Set([
    ...Object.values(API.structs),
    ...Object.values(API.classes).flatMap(({ takes = {}, statics = {}, methods = {} }) => (
      [takes, ...[...Object.values(statics), ...Object.values(methods)].map((method) => method.takes)])),
  ].flatMap((shape) => Object.values(shape).flatMap((text) => /\w+/.exec(text) ?? [])));
}
