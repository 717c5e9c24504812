import { SchemaNode } from './schema-nodes';
import { JsonSchema } from '../../../manifests/schema/json-schema';
import { Problem } from '../../../manifests/values/problem';
import { CRD_RULES } from '../custom-resource/crd-rules';

type Said = Pick<Problem, 'message' | 'accepted' | 'fix'>;

/**
 * Checks how a list is merged.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
 */
export function checkListType({ schema, path, place }: SchemaNode): Problem[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (place === 'junctor' || (listType === undefined && keys.length === 0)) return [];
  return saidOf(schema, listType, keys).map((one) => ({ rule: CRD_RULES.listType, property: path, ...one }));
}

function saidOf(schema: JsonSchema, listType: string | undefined, keys: readonly string[]): Said[] {
  const { type, items = {} } = schema;
  if (type !== 'array') return [{ message: `only lists have a list type, and this is ${type ?? 'of no type'}`, fix: 'remove it' }];
  if (!['atomic', 'set', 'map'].includes(listType ?? '')) {
    return [{ message: `the list type is ${listType ?? 'not given'}`, accepted: 'ListType.ATOMIC, ListType.SET or ListType.map', fix: 'correct it' }];
  }
  return [
    ...(listType !== 'map' && keys.length > 0 ? [{ message: `a list of type ${listType} has keys`, fix: 'use ListType.map, or remove the keys' }] : []),
    ...(listType !== 'atomic' && items.nullable ? [{ message: `entries of a list of type ${listType} may be null`, fix: 'remove nullable from the entries' }] : []),
    ...(listType === 'set' ? checkSet(items) : []),
    ...(listType === 'map' ? checkMap(items, keys) : []),
  ];
}

function checkSet(items: JsonSchema): Said[] {
  const split = (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    || (items.type === 'array' && (items['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic');
  return split ? [{ message: 'entries of a set are taken apart when they are merged', accepted: 'scalars, atomic objects, atomic lists', fix: 'make the entries atomic' }] : [];
}

function checkMap(items: JsonSchema, keys: readonly string[]): Said[] {
  if (items.type !== 'object') return [{ message: `entries are ${items.type ?? 'of no type'}, and have no keys`, accepted: 'objects', fix: 'use ListType.ATOMIC or ListType.SET' }];
  if (keys.length === 0) return [{ message: 'the list names no key', fix: 'name the fields that tell entries apart' }];
  return [
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => ({ message: `the key "${key}" is named twice`, fix: 'name it once' })),
    ...keys.flatMap((key) => checkKey(items, key)),
  ];
}

function checkKey(items: JsonSchema, key: string): Said[] {
  const field = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
  if (!field) return [{ message: `the key "${key}" is no field of the entries`, accepted: Object.keys(items.properties ?? {}).join(', '), fix: 'name a field of the entries' }];
  return [
    ...(field.type === 'object' || field.type === 'array' ? [{ message: `the key "${key}" is an ${field.type}`, accepted: 'scalars', fix: 'name another field' }] : []),
    ...(field.nullable ? [{ message: `the key "${key}" may be null`, fix: `remove nullable from ${key}` }] : []),
    ...(items.required?.includes(key) || field.default !== undefined ? []
      : [{ message: `the key "${key}" may be missing`, fix: `make ${key} required, or give it a default` }]),
  ];
}
