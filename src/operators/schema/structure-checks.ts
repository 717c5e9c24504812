import { SchemaNode } from './schema-nodes';
import { Problem } from '../../problems/problem';
import { JsonSchema, schemaOfField } from '../../schema/json-schema';
import { checkShape } from '../../schema/schema-shape';
import { CRD_RULES } from '../custom-resource/crd-rules';

/** Keywords that decide what a value is made of. `allOf`, `anyOf`, `oneOf` and `not` may only narrow it. */
const STRUCTURE: readonly (keyof JsonSchema)[] = [
  'additionalProperties', 'default', 'description', 'nullable', 'title', 'type', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations',
];

type Said = Pick<Problem, 'message' | 'accepted' | 'fix'>;

/**
 * Checks that a schema is structural.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go (`ValidateStructural`) and
 * pkg/apis/apiextensions/validation/validation.go (`ValidateCustomResourceDefinitionOpenAPISchema`).
 */
export function checkStructure(node: SchemaNode): Problem[] {
  const said = node.place === 'junctor' ? [...checkJunctor(node), ...checkCompleteness(node)] : [
    ...checkType(node), ...checkInside(node), ...checkExtensions(node.schema), ...checkObjectFields(node),
  ];
  return said.map((one) => ({ rule: CRD_RULES.schema, property: node.path, ...one }));
}

function checkType({ schema, place }: SchemaNode): Said[] {
  if (place === 'root' && schema.type !== 'object') {
    return [{ message: `the schema of a version describes ${schema.type ?? 'no type'}`, accepted: 'an object', fix: 'use Schema.object' }];
  }
  return checkShape({ ...schema }).map(({ message, accepted, fix }) => ({ message, accepted, fix }));
}

function checkInside({ schema, place }: SchemaNode): Said[] {
  const { type, items, properties, additionalProperties } = schema;
  return [
    ...(items && type !== 'array' ? [{ message: `items belong to a list, and the type is ${type}`, fix: 'remove items, or make the type "array"' }] : []),
    ...((properties ?? additionalProperties) !== undefined && type !== 'object' && type !== undefined
      ? [{ message: `fields belong to an object, and the type is ${type}`, fix: 'remove the fields, or make the type "object"' }] : []),
    ...(additionalProperties === false ? [{ message: 'additionalProperties is false', fix: 'remove it: fields without a schema are dropped' }] : []),
    ...(additionalProperties !== undefined && place === 'root' ? [{ message: 'the schema of a version is a map', fix: 'use Schema.object' }] : []),
    ...(schema.nullable && place === 'root' ? [{ message: 'the whole object may be null', fix: 'remove nullable' }] : []),
  ];
}

function checkExtensions(schema: JsonSchema): Said[] {
  const preserved = schema['x-kubernetes-preserve-unknown-fields'];
  const embedded = schema['x-kubernetes-embedded-resource'];
  const mapType = schema['x-kubernetes-map-type'];
  const conflict = schema['x-kubernetes-int-or-string'] && (preserved || embedded);
  return [
    ...(preserved === false ? [{ message: 'x-kubernetes-preserve-unknown-fields is false', accepted: 'true', fix: 'remove it' }] : []),
    ...(conflict ? [{ message: 'a whole number or text has no fields to keep', fix: 'remove x-kubernetes-int-or-string, or what is said about fields' }] : []),
    ...(embedded && schema.type !== 'object' ? [{ message: `an embedded object has the type ${schema.type}`, accepted: 'object', fix: 'use Schema.embeddedResource' }] : []),
    ...(embedded && schema.additionalProperties !== undefined ? [{ message: 'an embedded object is a map', fix: 'remove additionalProperties' }] : []),
    ...(embedded && !preserved && Object.keys(schema.properties ?? {}).length === 0
      ? [{ message: 'an embedded object has no fields', fix: 'add properties or x-kubernetes-preserve-unknown-fields' }] : []),
    ...(mapType !== undefined && (schema.type !== 'object' || !['atomic', 'granular'].includes(mapType))
      ? [{ message: `x-kubernetes-map-type is "${mapType}" on the type ${schema.type}`, accepted: 'atomic or granular, on an object', fix: 'correct it' }] : []),
  ];
}

/** What a schema says about the fields that every object has. */
function checkObjectFields({ schema, place }: SchemaNode): Said[] {
  if (place !== 'root' && !schema['x-kubernetes-embedded-resource']) return [];
  const { apiVersion, kind, metadata } = schema.properties ?? {};
  const { type, properties = {}, ...more } = metadata ?? {};
  const only = Object.keys(properties).every((name) => ['name', 'generateName'].includes(name)) && Object.values(more).every((value) => value === undefined);
  return [
    ...Object.entries({ apiVersion, kind }).filter(([, one]) => one && one.type !== 'string')
      .map(([name, one]) => ({ message: `${name} is described as ${one?.type ?? 'no type'}`, accepted: 'string', fix: `remove ${name} from the schema` })),
    ...(metadata && type !== 'object' ? [{ message: `metadata is described as ${type ?? 'no type'}`, accepted: 'object', fix: 'remove metadata from the schema' }] : []),
    ...(metadata && place === 'root' && !only
      ? [{ message: 'the schema limits metadata', accepted: 'limits of name and generateName', fix: 'remove everything else' }] : []),
  ];
}

function checkJunctor({ schema, parent }: SchemaNode): Said[] {
  if (isIntOrString(schema, parent)) return [];
  const structural = STRUCTURE.filter((keyword) => schema[keyword] !== undefined && (keyword === 'default' || schema[keyword] !== false));
  return [
    ...structural.map((keyword) => ({ message: `${keyword} stands inside allOf, anyOf, oneOf or not`, fix: `say ${keyword} outside, and only limit values here` })),
    ...(schema.properties && Object.hasOwn(schema.properties, 'metadata')
      ? [{ message: 'metadata is limited inside allOf, anyOf, oneOf or not', fix: 'remove it' }] : []),
  ];
}

/** `anyOf: [{ type: integer }, { type: string }]`, which old tools write beside `x-kubernetes-int-or-string`. */
function isIntOrString(schema: JsonSchema, parent: SchemaNode | undefined): boolean {
  const outer = parent?.place === 'junctor' ? parent.parent : parent;
  const alternatives = parent?.schema.anyOf?.map((part) => JSON.stringify(part)).join();
  return (outer?.schema['x-kubernetes-int-or-string'] ?? false) && alternatives === '{"type":"integer"},{"type":"string"}' && parent!.schema.anyOf!.includes(schema);
}

/** What is limited must be there: every field in a junctor is a field outside of it. */
function checkCompleteness({ schema, parent }: SchemaNode): Said[] {
  const outer = structureAround(parent);
  if (!outer || parent?.place === 'junctor') return [];
  return missingFields(schema, outer).map((name) => ({
    message: `"${name}" is limited inside allOf, anyOf, oneOf or not, and is no field of the schema`, fix: `add ${name} to the schema, or remove it here`,
  }));
}

function structureAround(node: SchemaNode | undefined): JsonSchema | undefined {
  return node?.place === 'junctor' ? structureAround(node.parent) : node?.schema;
}

function missingFields(part: JsonSchema, structure: JsonSchema): string[] {
  const own = Object.entries(part.properties ?? {}).flatMap(([name, inner]) => {
    const outer = structure.properties && Object.hasOwn(structure.properties, name) ? schemaOfField(structure, name) : undefined;
    return outer ? missingFields(inner, outer) : [name];
  });
  const entries = part.items ? (structure.items ? missingFields(part.items, structure.items) : ['items']) : [];
  const nested = [...part.allOf ?? [], ...part.anyOf ?? [], ...part.oneOf ?? [], ...part.not ? [part.not] : []];
  return [...new Set([...own, ...entries, ...nested.flatMap((one) => missingFields(one, structure))])];
}
