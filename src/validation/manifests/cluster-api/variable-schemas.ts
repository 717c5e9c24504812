import { CLUSTER_CLASS, isV1beta1 } from './cluster-api-kinds';
import { clusterClassYaml, gateYaml } from './example-manifests';
import { fieldAt, Fields, isFields, ManifestObject } from '../../../images/manifest-object';
import { nearestName } from '../../../kubernetes/nearest-name';
import { defaulted } from '../../../operator/schema/defaulted';
import { Json, JsonSchema } from '../../../operator/schema/json-schema';
import { checkKeywords } from '../../../operator/schema/keyword-checks';
import { checkValue, ValueFinding } from '../../../operator/schema/value-check';
import { indented } from '../example-text';
import { isFilled, isSet, listAt, mapsAt } from '../manifest-fields';
import { FieldPath, ManifestFinding, ManifestRule } from '../manifest-rule';

const SOURCE = 'kubernetes-sigs/cluster-api internal/topology/variables/clusterclass_variable_validation.go';
const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const GATE_ON = gateYaml('ClusterTopology');

/** Keywords of a schema that hold one schema, several in a list, and several by name. */
const ONE = ['additionalProperties', 'items', 'not'];
const SEVERAL = ['allOf', 'anyOf', 'oneOf'];
const BY_NAME = 'properties';

/** Keywords that a ClusterClass has, and a CustomResourceDefinition does not. */
const OWN = ['uniqueItems', 'x-metadata'];

/** All keywords that a ClusterClass knows (api/core/v1beta2/clusterclass_types.go, JSONSchemaProps). */
const KEYWORDS: readonly string[] = [
  ...ONE, ...SEVERAL, BY_NAME, ...OWN, 'default', 'description', 'enum', 'example', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'maximum', 'maxItems',
  'maxLength', 'maxProperties', 'minimum', 'minItems', 'minLength', 'minProperties', 'pattern', 'required', 'type', 'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations',
];

const FAULTS: ManifestRule = {
  id: 'TC-ADMIT-CLASS-VARIABLE-SCHEMA',
  title: 'The schema of a variable says what its values are made of, and its defaults, choices and examples fit it. Rules in CEL are not looked into.',
  source: SOURCE,
  kinds: [CLUSTER_CLASS],
  example: { failing: variable('type: integer\nminimum: 1\ndefault: 0') + GATE_ON, corrected: variable('type: integer\nminimum: 1\ndefault: 1') + GATE_ON },
  check: (object) => variableSchemas(object).flatMap(({ schema, path }) => schemaNodes(schema, path).flatMap((node) => (
    schemaFaults(node, node.path === path && !isV1beta1(object))
  ))),
};

const UNKNOWN: ManifestRule = {
  id: 'TC-TRAP-CLASS-VARIABLE-KEYWORD',
  title: 'A schema inside the schema of a variable has keywords that Cluster API knows: others are taken, and say nothing.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/clusterclass_types.go (JSONSchemaProps)',
  trap: true,
  kinds: [CLUSTER_CLASS],
  example: {
    failing: variable('type: object\nproperties:\n  size:\n    type: string\n    maxLenght: 10') + GATE_ON,
    corrected: variable('type: object\nproperties:\n  size:\n    type: string\n    maxLength: 10') + GATE_ON,
  },
  // The schema of the class itself knows the keywords at the top.
  check: (object) => variableSchemas(object).flatMap(({ schema, path }) => schemaNodes(schema, path).filter((node) => node.path !== path)
    .flatMap((node) => Object.keys(node.schema).filter((keyword) => !KEYWORDS.includes(keyword)).map((keyword) => {
      const near = nearestName(keyword, KEYWORDS);
      return { path: [...node.path, keyword], message: `Cluster API ignores ${JSON.stringify(keyword)}`, fix: near === undefined ? 'remove it' : `did you mean ${near}?` };
    }))),
};

/** What schemas of variables say. */
export const VARIABLE_SCHEMAS: readonly ManifestRule[] = [FAULTS, UNKNOWN];

/** A schema, and where it stands. */
interface PlacedSchema {
  readonly schema: Fields;
  readonly path: FieldPath;
}

function variable(schema: string): string {
  return clusterClassYaml(`variables:\n  - name: size\n    required: false\n    schema:\n      openAPIV3Schema:\n${indented(schema, 8)}`);
}

function variableSchemas(object: ManifestObject): PlacedSchema[] {
  return mapsAt(object, 'spec', 'variables').flatMap(([{ schema }, index]) => {
    const found = fieldAt(schema, 'openAPIV3Schema');
    return isFields(found) ? [{ schema: found, path: ['spec', 'variables', index, 'schema', 'openAPIV3Schema'] }] : [];
  });
}

/** A schema and those inside it that describe values; what junctors hold only narrows them. */
function schemaNodes(schema: Fields, path: FieldPath): PlacedSchema[] {
  const named = isFields(schema[BY_NAME]) ? Object.entries(schema[BY_NAME]).map(([name, inner]) => ({ inner, at: [BY_NAME, name] })) : [];
  const nested = [...['additionalProperties', 'items'].map((keyword) => ({ inner: schema[keyword], at: [keyword] })), ...named];
  return [{ schema, path }, ...nested.flatMap(({ inner, at }) => (isFields(inner) ? schemaNodes(inner, [...path, ...at]) : []))];
}

/** @param typed whether the definition of the kind says which types there are */
function schemaFaults({ schema, path }: PlacedSchema, typed: boolean): ManifestFinding[] {
  const { type } = schema;
  const isOpen = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const faults = [
    ...(!isSet(schema, 'type') && !isOpen ? [{ path: [...path, 'type'], message: 'the schema has no type', accepted: TYPES.join(', '), fix: 'write the type' }] : []),
    ...(typeof type === 'string' && !TYPES.includes(type) && !typed
      ? [{ path: [...path, 'type'], message: `${JSON.stringify(type)} is no type`, accepted: TYPES.join(', '), fix: 'write one of these' }] : []),
    ...(type === 'array' && !isFields(schema.items) ? [{ path: [...path, 'items'], message: 'the list does not say what its entries are', fix: 'write the schema of an entry into items' }] : []),
    ...(isSet(schema, 'additionalProperties') && isFilled(schema, BY_NAME)
      ? [{ path: [...path, 'additionalProperties'], message: 'there are properties and additionalProperties', fix: 'keep properties for fields with given names, or additionalProperties for any' }] : []),
  ];
  return faults.length > 0 ? faults : valueFaults(schema, path);
}

function valueFaults(schema: Fields, path: FieldPath): ManifestFinding[] {
  const sound = readSchema(schema);
  if (!sound) return [];
  const { enum: _, ...open } = sound;
  const judged = (value: unknown, against: JsonSchema, ...at: FieldPath): ManifestFinding[] => checkVariable(against, value).slice(0, 1)
    .map(({ message, accepted }) => ({ path: [...path, ...at], message: `${JSON.stringify(value)} does not fit the schema: ${message}`, accepted, fix: 'correct it, or the schema' }));
  // Fields that are not known are refused in a default alone.
  const shown = sound.type === 'object' ? [] : [
    ...listAt(schema, 'enum').flatMap((value, index) => (value === null ? [] : judged(value, open, 'enum', index))),
    ...(isSet(schema, 'example') ? judged(schema.example, sound, 'example') : []),
  ];
  return [...(isSet(schema, 'default') ? judged(schema.default, sound, 'default') : []), ...shown];
}

/** Reads the schema of a variable; undefined if values cannot be held to it. */
export function readSchema(schema: unknown): JsonSchema | undefined {
  const read = withoutOwn(schema);
  return isFields(read) && checkKeywords(read, '').length === 0 ? read as JsonSchema : undefined;
}

/** What is wrong with the value of a variable, its defaults filled in; the webhook refuses what an API server would drop from other objects. */
export function checkVariable(schema: JsonSchema, value: unknown): ValueFinding[] {
  const given = (value === null ? schema.default : value) ?? null;
  return checkValue(schema, defaulted(schema, given as Json), '')
    .map((finding) => ({ ...finding, message: finding.message.replace(/, (?:and|which) the API server .*$/, '') }));
}

/** A schema without the keywords that only a ClusterClass has, and without those that it does not know. */
function withoutOwn(schema: unknown): unknown {
  if (!isFields(schema)) return schema;
  const known = Object.entries(schema).filter(([keyword, value]) => KEYWORDS.includes(keyword) && !OWN.includes(keyword) && value !== null);
  return Object.fromEntries(known
    .map(([keyword, value]) => {
      if (ONE.includes(keyword)) return [keyword, withoutOwn(value)];
      if (SEVERAL.includes(keyword)) return [keyword, Array.isArray(value) ? value.map(withoutOwn) : value];
      if (keyword !== BY_NAME || !isFields(value)) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutOwn(inner)]))];
    }));
}
