import { SchemaNode } from './schema-nodes';
import { JsonSchema } from '../../../manifests/schema/schema-node';
import { Problem, Rule } from '../../../manifests/values/problem';

const VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';

/**
 * Merge of a list that several clients write with server-side apply (`TC-CRD-LIST-TYPE`).
 *
 * @example
 * const port = operators.Schema.object({ properties: { name: operators.Schema.string() }, required: ['name'] });
 * const ports = operators.Schema.array(port, { listType: operators.ListType.map('name') });
 */
export class ListType {
  /** The list is replaced as a whole. The API server takes it for lists without a type. */
  public static readonly ATOMIC = new ListType({ 'x-kubernetes-list-type': 'atomic' });

  /** Each entry belongs to the manager that added it, and must be unique. Entries are scalars, or atomic lists or maps. */
  public static readonly SET = new ListType({ 'x-kubernetes-list-type': 'set' });

  /**
   * Entries are objects, told apart by some of their fields.
   *
   * @param keys names of these fields: scalars that are required or have a default
   */
  public static map(...keys: string[]): ListType {
    return new ListType({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] });
  }

  /** @internal */
  public readonly _json: JsonSchema;

  private constructor(json: JsonSchema) {
    this._json = json;
  }
}

/** Merge of objects that several clients write with server-side apply. */
export enum MapType {
  /** Each field belongs to the manager that wrote it. The API server takes it for objects without a type. */
  GRANULAR = 'granular',

  /** The object is replaced as a whole. */
  ATOMIC = 'atomic',
}

type Fault = Pick<Problem, 'message' | 'accepted' | 'fix'>;

const LIST_TYPE_RULE: Rule = {
  id: 'TC-CRD-LIST-TYPE',
  title: 'Entries of a set must be scalars or atomic; the keys of a map-like list must be scalar fields that are required or have a default.',
  source: VALIDATION,
};

/** Checks the list type of a list. */
export function checkListType({ schema, path, place }: SchemaNode): Problem[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (place === 'junctor' || (listType === undefined && keys.length === 0)) return [];
  return listTypeFaults(schema, listType, keys).map((fault) => ({ rule: LIST_TYPE_RULE, property: path, ...fault }));
}

function listTypeFaults(schema: JsonSchema, listType: string | undefined, keys: readonly string[]): Fault[] {
  const { type, items = {} } = schema;
  if (type !== 'array') return [{ message: `only lists have a list type, and this is ${type ?? 'of no type'}`, fix: 'remove it' }];
  if (!['atomic', 'set', 'map'].includes(listType ?? '')) {
    return [{ message: `the list type is ${listType ?? 'not given'}`, accepted: 'ListType.ATOMIC, ListType.SET or ListType.map', fix: 'correct it' }];
  }
  return [
    ...(listType !== 'map' && keys.length > 0 ? [{ message: `a list of type ${listType} has keys`, fix: 'use ListType.map, or remove the keys' }] : []),
    ...(listType !== 'atomic' && items.nullable ? [{ message: `entries of a list of type ${listType} may be null`, fix: 'remove nullable from the entries' }] : []),
    ...(listType === 'set' ? setFaults(items) : []),
    ...(listType === 'map' ? mapFaults(items, keys) : []),
  ];
}

function setFaults(items: JsonSchema): Fault[] {
  const split = (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    || (items.type === 'array' && (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic');
  return split ? [{ message: 'entries of a set are taken apart when they are merged', accepted: 'scalars, atomic objects, atomic lists', fix: 'make the entries atomic' }] : [];
}

function mapFaults(items: JsonSchema, keys: readonly string[]): Fault[] {
  if (items.type !== 'object') return [{ message: `entries are ${items.type ?? 'of no type'}, and have no keys`, accepted: 'objects', fix: 'use ListType.ATOMIC or ListType.SET' }];
  if (keys.length === 0) return [{ message: 'the list names no key', fix: 'name the fields that tell entries apart' }];
  return [
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => ({ message: `the key "${key}" is named twice`, fix: 'name it once' })),
    ...keys.flatMap((key) => keyFaults(items, key)),
  ];
}

function keyFaults(items: JsonSchema, key: string): Fault[] {
  const field = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
  if (!field) return [{ message: `the key "${key}" is no field of the entries`, accepted: Object.keys(items.properties ?? {}).join(', '), fix: 'name a field of the entries' }];
  return [
    ...(field.type === 'object' || field.type === 'array' ? [{ message: `the key "${key}" is an ${field.type}`, accepted: 'scalars', fix: 'name another field' }] : []),
    ...(field.nullable ? [{ message: `the key "${key}" may be null`, fix: `remove nullable from ${key}` }] : []),
    ...(items.required?.includes(key) || field.default !== undefined ? []
      : [{ message: `the key "${key}" may be missing`, fix: `make ${key} required, or give it a default` }]),
  ];
}
