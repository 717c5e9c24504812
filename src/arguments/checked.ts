import { IConstruct } from 'constructs';
import { MethodShape, Shape } from './api-shape';
import { API } from './api-table.generated';
import { ArgumentFault, isUnusable, keepFaults } from './argument-fault';
import { isConstruct } from './argument-type';
import { checkArguments } from './check-arguments';
import { className, isArgument, registerClass } from './public-class';
import { ARGUMENT_RULES } from './rules';
import { constructStandIn, newPlace, placeOf, standIn, standInAround, standInResult } from './stand-in';
import { formatProblem, Problem, Rule } from '../problems/problem';
import { Problems } from '../problems/problems';
import { fieldText } from '../values/fields';
import { KubernetesVersion } from '../values/kubernetes-version';

type Method = (...values: unknown[]) => unknown;

/**
 * Has the arguments of a public class checked: of its constructor, of its methods, and of its static methods.
 *
 * What is wrong is reported with the problems of the construct, and the program goes on: optional values that are wrong are left out, and
 * what cannot be made without the ones that it needs has a stand-in. An object that is no construct keeps what was wrong until it is given to
 * one. Where there is no construct at all, such as in `Plan.between`, an error is thrown.
 */
export function checked<T extends Function>(constructor: T): T {
  const shape = API.classes[className(constructor)];
  // A class that is new: 'npm run arguments' adds it to the table.
  if (!shape) return constructor;
  registerClass(constructor);
  wrap(constructor, shape.statics ?? {});
  wrap(constructor.prototype as object, shape.methods ?? {});
  const { takes: parameters } = shape;
  return parameters ? new Proxy(constructor, { construct: (target, values, derived) => create(target, parameters, values, derived) }) : constructor;
}

/**
 * Has the arguments of the methods of a public class checked whose results are used at once, as in tests: what is wrong is thrown, and there
 * are no stand-ins, with which every assertion would pass.
 */
export function checkedAtOnce<T extends Function>(constructor: T): T {
  const shape = API.classes[className(constructor)];
  // As in `checked`.
  if (!shape) return constructor;
  registerClass(constructor);
  wrap(constructor, shape.statics ?? {}, callAtOnce);
  wrap(constructor.prototype as object, shape.methods ?? {}, callAtOnce);
  return constructor;
}

function create(constructor: Function, parameters: Shape, values: readonly unknown[], derived: Function): object {
  const { values: usable, faults, isRefused } = checkArguments(parameters, values, false, derived.prototype !== constructor.prototype);
  const [scope, id] = values;
  const around = 'id' in parameters && isConstruct(scope) ? scope : undefined;
  if (!isRefused && !(around && standInAround(around))) {
    const object = Reflect.construct(constructor, usable, derived) as object;
    if (faults.length > 0) tell(object, constructor, faults);
    return object;
  }
  if (around) {
    const place = newPlace(placeOf(around), id);
    report(place, faults);
    return constructStandIn(derived, place);
  }
  if ('id' in parameters) return refuse(`new ${className(constructor)}`, faults);
  const object = standIn(derived);
  tell(object, constructor, faults);
  return object;
}

/** Has what is wrong with the arguments of a new object reported: by itself, or by what it is given to. */
function tell(object: object, constructor: Function, faults: readonly ArgumentFault[]): void {
  const name = className(constructor);
  if (isConstruct(object)) report(object, faults);
  else if (isArgument(name)) keepFaults(object, faults);
  else refuse(`new ${name}`, faults);
}

function call(method: Method, self: object, name: string, { takes, gives }: MethodShape, values: readonly unknown[]): unknown {
  const owner = [self, ...values].find(isConstruct);
  const { values: usable, faults, isRefused } = checkArguments(takes, values, owner !== undefined);
  const make = () => (isRefused || isUnusable(self) ? standInResult({ takes, gives }, self, name, values) : method.apply(self, [...usable]));
  if (faults.length === 0) return make();
  const makesChild = 'id' in takes;
  if (!owner && !isArgument(gives ?? '')) refuse(name, faults);
  if (owner && !makesChild) report(placeOf(owner), faults, name);
  const result = make();
  if (owner && makesChild) report(placeOf(isConstruct(result) ? result : owner), faults);
  if (!owner) keepFaults(result as object, faults);
  return result;
}

function callAtOnce(method: Method, self: object, name: string, { takes }: MethodShape, values: readonly unknown[]): unknown {
  const { faults } = checkArguments(takes, values, false);
  if (faults.length > 0) refuse(name, faults);
  return method.apply(self, [...values]);
}

/** Has methods of a class or of its objects check what they are given. */
function wrap(holder: object, methods: Readonly<Record<string, MethodShape>>, run = call): void {
  for (const [name, shape] of Object.entries(methods)) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    const method = descriptor?.value as Method | undefined;
    if (!method) continue;
    const value = function (this: object, ...values: unknown[]) {
      return run(method, this, name, shape, values);
    };
    Object.defineProperty(holder, name, { ...descriptor, value: Object.defineProperty(value, 'name', { value: name }) });
  }
}

const REPORTED = new WeakMap<IConstruct, Set<string>>();

/** Reports what is wrong once: an argument that is handed on is checked again. */
function report(construct: IConstruct, faults: readonly ArgumentFault[], method?: string): void {
  const reported = REPORTED.get(construct) ?? new Set();
  REPORTED.set(construct, reported);
  for (const problem of faults.map((fault) => problemOf(fault, method))) {
    const text = formatProblem(problem);
    if (reported.has(text)) continue;
    reported.add(text);
    Problems.of(construct).add(problem);
    // What is said of what is left out, or of what it is a part of, has the same cause.
    Problems.of(construct)._settle((all) => all.filter((other) => isOfArguments(other) || !concerns(other.property, problem.property)));
  }
}

function isOfArguments({ rule }: Problem): boolean {
  return Object.values<Rule>(ARGUMENT_RULES).includes(rule);
}

/** True if one of two properties is the other one, or a part of it. */
function concerns(one = '', other = ''): boolean {
  // Of a list of clusters, a place is before the property.
  const [short, long] = [one, other].map((property) => property.replace(' ', '.')).sort((a, b) => a.length - b.length);
  return long.startsWith(short) && /^($|[.[])/.test(long.slice(short.length));
}

function problemOf({ path, ...fault }: ArgumentFault, method?: string): Problem {
  const property = fieldText(path);
  return { ...fault, property: method === undefined ? property : `${method}(${property})` };
}

/** For what no construct can report. */
function refuse(name: string, faults: readonly ArgumentFault[]): never {
  throw new Error(faults.map((fault) => formatProblem(problemOf(fault, name))).join('\n'));
}

/** Public classes of folders below this one, which cannot have themselves checked. */
export const CHECKED_BELOW = [checked(KubernetesVersion), checked(Problems)];
