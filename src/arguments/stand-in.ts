import { ApiObject, App, Chart } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { MethodShape, Shape } from './api-shape';
import { API } from './api-table.generated';
import { markUnusable } from './argument-fault';
import { ArgumentType, argumentType, baseOf, isConstructClass } from './argument-type';
import { className, publicClass } from './public-class';

// What could not be made has something in its place, so that the program goes on and everything that is wrong is reported at once. Nothing of it
// is written: an app in which something is refused writes nothing.

/** Constructs that stand for others, and where problems with them are reported. */
const PLACES = new WeakMap<IConstruct, Construct>();

/** Where problems of a construct are reported; below a stand-in that is in the app's tree, unlike the stand-in itself. */
export function placeOf(construct: IConstruct): IConstruct {
  return standInAround(construct) ?? construct;
}

/** The place of the stand-in that a construct is, or is below of; undefined if there is none. */
export function standInAround(construct: IConstruct): Construct | undefined {
  return construct.node.scopes.flatMap((scope) => PLACES.get(scope) ?? []).at(-1);
}

/** An object in place of one that could not be made. */
export function standIn(constructor: Function): object {
  return prepared(Object.create(constructor.prototype as object) as object, constructor);
}

/**
 * A construct in place of one that could not be made.
 *
 * @param constructor its class
 * @param place where what is wrong with it is reported
 */
export function constructStandIn(constructor: Function, place: Construct): object {
  const object = Reflect.construct(baseOf(constructor), [new Chart(new App(), 'refused'), place.node.id], constructor) as Construct;
  PLACES.set(object, place);
  return prepared(object, constructor);
}

/** A value that a method or property of a stand-in gives. */
export function standInFor({ kind, name, optional }: ArgumentType, owner: object, id: string): unknown {
  if (optional) return undefined;
  if (kind === 'list') return [];
  if (kind === 'map') return {};
  const { [name]: properties } = API.structs;
  if (properties) return lazily({}, properties);
  const scope = owner instanceof Construct ? owner : new Chart(new App(), 'refused');
  switch (name) {
    case 'string': return '';
    case 'number': return 0;
    case 'boolean': return false;
    case 'Chart': return new Chart(scope, id);
    case 'Construct': return new Construct(scope, id);
    case 'ApiObject': return new ApiObject(scope, id, { apiVersion: 'v1', kind: 'Refused' });
  }
  const constructor = publicClass(name);
  if (!constructor) return undefined;
  return isConstructClass(constructor) ? constructStandIn(constructor, newPlace(placeOf(scope), id)) : standIn(constructor);
}

/** A construct that problems are reported under. */
export function newPlace(scope: IConstruct, id: unknown): Construct {
  const name = typeof id === 'string' && id !== '' ? id : String(id ?? 'unnamed');
  const place = scope.node.tryFindChild(name);
  return place instanceof Construct ? place : new Construct(scope, name);
}

/** A class and those that it extends, from the bottom up. */
function chain(constructor: Function): Function[] {
  const base = Object.getPrototypeOf(constructor) as Function | null;
  return base && base !== Function.prototype ? [...chain(base), constructor] : [constructor];
}

function prepared(object: object, constructor: Function): object {
  markUnusable(object);
  for (const one of chain(constructor)) lazily(object, API.classes[className(one)]?.properties ?? {});
  return object;
}

function lazily(object: object, properties: Shape): object {
  for (const [name, text] of Object.entries(properties)) {
    let value: unknown;
    Object.defineProperty(object, name, { get: () => value ??= standInFor(argumentType(text), object, name), configurable: true, enumerable: true });
  }
  return object;
}

/** What a method of a stand-in gives. */
export function standInResult({ takes, gives }: MethodShape, owner: object, name: string, values: readonly unknown[]): unknown {
  return gives === undefined ? undefined : standInFor(argumentType(gives), owner, 'id' in takes ? String(values[0]) : name);
}
