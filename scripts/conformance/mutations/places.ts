import { groupOf, ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { structureOf } from '../../../src/manifests/rules/structure/structures';
import { SchemaNode } from '../../../src/manifests/schema/schema-node';
import { FieldPath, isFields } from '../../../src/manifests/values/fields';
import { Random } from '../random';

/** A value in an object, and what is known of its field. */
export interface Place {
  readonly path: FieldPath;
  readonly value: unknown;

  /** Schema of the value; undefined where it is not known. */
  readonly node?: SchemaNode;
}

/** Fields that identify the object: their change is a mutation of its own. */
const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace']);

/** All values below an object. */
export function placesIn(object: ManifestObject): Place[] {
  return childrenOf({ path: [], value: object, node: rootNode(object) }).flatMap(below).filter(({ path }) => !IDENTITY.has(path.join('.')));
}

/** One of several places, each level of nesting as likely as the others: a list with a hundred files would draw everything. */
export function pickPlace(places: readonly Place[], random: Random): Place {
  if (random.chance(0.5)) return random.pick(places);
  const depth = random.pick([...new Set(places.map(({ path }) => path.length))]);
  return random.pick(places.filter(({ path }) => path.length === depth));
}

/** Schema of an object. */
export function rootNode(object: ManifestObject): SchemaNode | undefined {
  const { apiVersion } = object;
  if (typeof apiVersion !== 'string') return undefined;
  return structureOf(groupOf(object), String(object.kind))?.versions.get(apiVersion.slice(apiVersion.indexOf('/') + 1));
}

/** The value at a path. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value);
}

/** A copy of an object with another value at a path, if there is something around it; with the field left out, for undefined. */
export function replaced(object: ManifestObject, path: FieldPath, value: unknown): ManifestObject {
  const copy = structuredClone(object);
  const holder = valueAt(copy, path.slice(0, -1));
  const key = path[path.length - 1];
  if (typeof holder !== 'object' || holder === null) return copy;
  if (value !== undefined) Reflect.set(holder, key, structuredClone(value));
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return copy;
}

function below(place: Place): Place[] {
  return [place, ...childrenOf(place).flatMap(below)];
}

function childrenOf({ path, value, node }: Place): Place[] {
  if (Array.isArray(value)) return value.map((item, index) => ({ path: [...path, index], value: item as unknown, node: node?.items }));
  if (!isFields(value)) return [];
  return Object.entries(value).map(([key, inner]) => ({ path: [...path, key], value: inner, node: node?.fields?.get(key) ?? node?.values }));
}
