import { IConstruct } from 'constructs';
import { API, ClassShape, isConstruct, MethodShape, registerClass, Shape } from './argument-type';
import { ArgumentFault, checkArguments } from './check-arguments';
import { fieldText } from '../../../manifests/values/fields';
import { formatProblem, placeText } from '../../../manifests/values/problem';

type Method = (...values: unknown[]) => unknown;

/** True once an index has checked exports. */
let isPackage = false;

/**
 * Returns exports whose public classes check the arguments of constructors, methods and static methods. A call throws one error with all
 * faults of its arguments, before any code of the class runs.
 *
 * The index of the package does this (`scripts/bundle.ts`), where the table and the code are of one build. Modules of the source tree check
 * nothing, so that a new property reaches its class before the table has it.
 *
 * @param exports the exports of the package, or a part of them
 * @param namespace the namespace of the package that has these exports
 */
export function checkedExports<T extends object>(exports: T, namespace?: string): T {
  isPackage = true;
  const all: Record<string, any> = { ...exports };
  for (const [name, shape] of Object.entries(API.classes)) {
    if (shape.namespace === namespace && all[name]) all[name] = checkedClass(name, all[name] as Function, shape);
  }
  if (namespace === undefined) {
    const namespaces = new Set(Object.values(API.classes).flatMap((shape) => shape.namespace ?? []));
    for (const name of namespaces) if (all[name]) all[name] = checkedExports(all[name] as object, name);
  }
  return all as T;
}

/**
 * Checks a struct that the library gets from a function of the user.
 *
 * @param struct name of the struct
 * @param value the struct
 */
export function checkedStruct<T>(struct: string, value: T): T {
  if (!isPackage) return value;
  const { values, faults } = checkArguments({ [struct]: struct }, [value], false);
  if (faults.length === 0) return values[0] as T;
  throw new Error(faults.map(({ path, ...fault }) => formatProblem({ ...fault, property: fieldText(path) })).join('\n'));
}

/**
 * Wraps methods in place, since all objects of a class share them, and returns a proxy for the constructor, which `instanceof` and subclasses
 * treat as the class itself.
 */
function checkedClass(name: string, constructor: Function, { takes, statics = {}, methods = {} }: ClassShape): Function {
  registerClass(name, constructor);
  wrap(constructor, statics, `${name}.`);
  wrap(constructor.prototype as object, methods, '');
  const construct = (_: Function, values: readonly unknown[], derived: Function): object => {
    const isDerived = derived.prototype !== constructor.prototype;
    const usable = demandArguments(construct, {}, `new ${name}`, takes!, values, isDerived);
    // Instances that a proxy derives would have a hidden class each.
    return Reflect.construct(constructor, usable, isDerived ? derived : constructor) as object;
  };
  return takes ? new Proxy(constructor, { construct }) : constructor;
}

function wrap(holder: object, methods: Readonly<Record<string, MethodShape>>, prefix: string): void {
  for (const [name, { takes }] of Object.entries(methods)) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    if (!descriptor || Object.keys(takes).length === 0) continue;
    const method = descriptor.value as Method;
    const value = function (this: object, ...values: unknown[]) {
      return method.apply(this, demandArguments(value, this, `${prefix}${name}`, takes, values));
    };
    Object.defineProperty(holder, name, { ...descriptor, value: Object.defineProperty(value, 'name', { value: name }) });
  }
}

/** Returns the arguments of a call, where null is left out; throws an error with all their faults, which begins its stack at the caller. */
function demandArguments(
  called: Function, self: object, name: string, takes: Shape, values: readonly unknown[], mayHaveMore = false,
): unknown[] {
  const { values: usable, faults } = checkArguments(takes, values, mayHaveMore);
  if (faults.length === 0) return usable;
  const owner = [self, ...values].find(isConstruct);
  const id = values[Object.keys(takes).indexOf('id')];
  const error = new Error(faults.map((fault) => faultText(fault, owner, name, id)).join('\n'));
  Error.captureStackTrace(error, called);
  throw error;
}

/** Renders a fault with the path of the construct that has the method or that the call would create. */
function faultText({ path, ...fault }: ArgumentFault, owner: IConstruct | undefined, name: string, id: unknown): string {
  const property = fieldText(path);
  if (owner && typeof id === 'string' && id !== '') {
    const place = owner.node.path === '' ? id : `${owner.node.path}/${id}`;
    return `${placeText([place])}${formatProblem({ ...fault, property })}`;
  }
  return `${owner ? placeText([owner.node.path]) : ''}${formatProblem({ ...fault, property: `${name}(${property})` })}`;
}
