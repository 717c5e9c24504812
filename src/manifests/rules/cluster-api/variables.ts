import { CLUSTER, CLUSTER_CLASS, isV1beta1 } from './cluster-api-kinds';
import { clusterClassYaml, gateYaml, topologyYaml } from './example-manifests';
import { ManifestObject } from '../../objects/manifest-object';
import { checkKeywords } from '../../schema/check-keywords';
import { checkValue, ValueFinding } from '../../schema/check-value';
import { withDefaults } from '../../schema/defaults';
import { faultWords } from '../../schema/finding-words';
import { compileSchema, Json, JsonSchema } from '../../schema/schema-node';
import { checkShape, PlacedSchema, placedSchemas } from '../../schema/structural-schema';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';
import { indented } from '../example-text';
import { ManifestRule } from '../manifest-rule';
import { classOf } from './cluster-classes';
import { workerPaths } from './machine-places';
import { nameWords } from '../../schema/value-words';

const SOURCE = 'kubernetes-sigs/cluster-api internal/topology/variables/clusterclass_variable_validation.go';
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

/** Keywords of schemas that are copied from definitions: they say how servers merge lists and maps, and a variable is never merged. */
const OF_MERGES: readonly string[] = ['x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type'];

const FAULTS: ManifestRule = {
  id: 'TC-ADMIT-CLASS-VARIABLE-SCHEMA',
  title: 'The schema of a variable must have a type, and its defaults, enum values and examples must match it. CEL rules are not evaluated.',
  source: SOURCE,
  kinds: [CLUSTER_CLASS],
  example: { failing: withVariable('type: integer\nminimum: 1\ndefault: 0') + GATE_ON, corrected: withVariable('type: integer\nminimum: 1\ndefault: 1') + GATE_ON },
  check: (object) => variableSchemas(object).flatMap((variableSchema) => schemaNodes(variableSchema).flatMap((node) => (
    schemaFaults(node, node.schema === variableSchema.schema && !isV1beta1(object))
  ))),
};

const UNKNOWN: ManifestRule = {
  id: 'TC-TRAP-CLASS-VARIABLE-KEYWORD',
  title: 'A nested schema of a variable must have only keywords that Cluster API knows: others are accepted and have no effect.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/clusterclass_types.go (JSONSchemaProps)',
  trap: true,
  kinds: [CLUSTER_CLASS],
  example: {
    failing: withVariable('type: object\nproperties:\n  size:\n    type: string\n    maxLenght: 10') + GATE_ON,
    corrected: withVariable('type: object\nproperties:\n  size:\n    type: string\n    maxLength: 10') + GATE_ON,
  },
  // The schema of the class itself knows the keywords at the top.
  check: (object) => variableSchemas(object).flatMap((root) => schemaNodes(root).filter(({ schema }) => schema !== root.schema)
    .flatMap((node) => Object.keys(node.schema).filter((keyword) => ![...KEYWORDS, ...OF_MERGES].includes(keyword)).map((keyword) => {
      const near = nearestName(keyword, KEYWORDS);
      return { path: [...node.path, keyword], message: `Cluster API ignores ${JSON.stringify(keyword)}`, fix: near === undefined ? 'remove it' : `did you mean ${near}?` };
    }))),
};

function withVariable(schema: string): string {
  return clusterClassYaml(`variables:\n  - name: size\n    required: false\n    schema:\n      openAPIV3Schema:\n${indented(schema, 8)}`);
}

type VariableSchema = Pick<PlacedSchema, 'schema' | 'path'>;

function variableSchemas(object: ManifestObject): VariableSchema[] {
  return objectsAt(object, 'spec', 'variables').flatMap(([{ schema }, index]) => {
    const found = fieldAt(schema, 'openAPIV3Schema');
    return isFields(found) ? [{ schema: found, path: ['spec', 'variables', index, 'schema', 'openAPIV3Schema'] }] : [];
  });
}

/** A schema and those inside it that describe values. */
function schemaNodes({ schema, path }: VariableSchema): PlacedSchema[] {
  return placedSchemas(schema, path).filter(({ isPart }) => !isPart);
}

/** @param typed whether the definition of the kind has the types */
function schemaFaults({ schema, path }: PlacedSchema, typed: boolean): Finding[] {
  const faults = checkShape(schema).filter(({ code }) => !typed || code !== 'type-unknown');
  return faults.length > 0 ? faults.map(({ keyword, code: _, ...words }) => ({ path: [...path, keyword], ...words })) : valueFaults(schema, path);
}

function valueFaults(schema: Fields, path: FieldPath): Finding[] {
  const sound = readSchema(schema);
  if (!sound) return [];
  const { enum: _, ...open } = sound;
  const judged = (value: unknown, against: JsonSchema, ...at: FieldPath): Finding[] => checkVariable(against, value).slice(0, 1)
    .map((finding) => {
      const { message, accepted } = faultWords(finding, finding.path);
      return { path: [...path, ...at], message: `${JSON.stringify(value)} does not fit the schema: ${message}`, accepted, fix: 'correct it, or the schema' };
    });
  // Fields that are not known are refused in a default alone.
  const shown = sound.type === 'object' ? [] : [
    ...listAt(schema, 'enum').flatMap((value, index) => (value === null ? [] : judged(value, open, 'enum', index))),
    ...(isSet(schema, 'example') ? judged(schema.example, sound, 'example') : []),
  ];
  return [...(isSet(schema, 'default') ? judged(schema.default, sound, 'default') : []), ...shown];
}

/** Reads the schema of a variable; undefined if values cannot be checked against it. */
export function readSchema(schema: unknown): JsonSchema | undefined {
  const read = withoutOwn(schema);
  return isFields(read) && checkKeywords(read).length === 0 ? read as JsonSchema : undefined;
}

/** Faults of the value of a variable; the webhook refuses what an API server would drop from other objects. */
export function checkVariable(schema: JsonSchema, value: unknown): ValueFinding[] {
  const node = compileSchema(schema);
  return checkValue(node, withDefaults(node, value ?? schema.default ?? null) as Json);
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

const REQUIRED_VARIABLES = 'variables:\n  - name: image\n    required: true\n    schema:\n      openAPIV3Schema:\n        type: string';
/** Path of the values of a topology. */
const TOPOLOGY_VALUES: FieldPath = ['spec', 'topology', 'variables'];

/** The variables of a topology. */
const TOPOLOGY_VARIABLES: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-VARIABLE',
  title: 'Variables of a topology must be defined in its ClusterClass, and all required variables must have values.',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/cluster_variable_validation.go',
  kinds: [CLUSTER],
  example: { failing: variableYaml('imgae'), corrected: variableYaml('image') },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass || definesElsewhere(clusterClass)) return [];
    const defined = objectsAt(clusterClass, 'spec', 'variables').map(([variable]) => variable).filter(({ name }) => typeof name === 'string');
    const names = new Set(defined.map(({ name }) => name as string));
    const given = new Set(objectsAt(object, ...TOPOLOGY_VALUES.map(String)).map(([{ name }]) => name));
    const missing = defined.filter(({ name, required, schema }) => (
      required === true && !given.has(name) && fieldAt(schema, 'openAPIV3Schema', 'default') === undefined
    )).map(({ name }) => name as string);
    return [
      ...[TOPOLOGY_VALUES, ...overridePaths(object)].flatMap((path) => unknownIn(object, path, names)),
      ...missing.map((name) => ({ path: TOPOLOGY_VALUES, message: `the variable ${JSON.stringify(name)} is missing, and the ClusterClass requires it`, fix: `add an entry with name: ${name} and its value` })),
    ];
  },
};

function variableYaml(name: string): string {
  const known = name === 'image' ? '' : '  - name: image\n    value: node-v1.35.4\n';
  return `${topologyYaml(`variables:\n${known}  - name: ${name}\n    value: node-v1.35.4`)}---\n${clusterClassYaml(REQUIRED_VARIABLES)}${gateYaml('ClusterTopology')}`;
}

/** True if extensions define variables of a class, which are written nowhere. */
export function definesElsewhere(clusterClass: ManifestObject): boolean {
  return objectsAt(clusterClass, 'spec', 'patches').some(([patch]) => isSet(patch, 'external', 'discoverVariablesExtension'));
}

/** Paths of the values of a topology's parts. */
function overridePaths(object: ManifestObject): FieldPath[] {
  return [['spec', 'topology', 'controlPlane'], ...workerPaths(object, 'machineDeployments', 'machinePools')].map((path) => [...path, 'variables', 'overrides']);
}

function unknownIn(object: ManifestObject, path: FieldPath, names: ReadonlySet<string>): Finding[] {
  const accepted = names.size === 0 ? undefined : nameWords([...names]);
  return objectsAt(object, ...path.map(String)).flatMap(([variable, index]) => {
    const name = stringAt(variable, 'name');
    if (name === undefined || names.has(name)) return [];
    const near = nearestName(name, names);
    return [{
      path: [...path, index, 'name'],
      message: `the ClusterClass defines no variable ${JSON.stringify(name)}`,
      accepted,
      fix: near === undefined ? 'name a variable that it defines, or define it there' : `write ${JSON.stringify(near)}`,
    }];
  });
}

const VALIDATED_VARIABLES = 'variables:\n  - name: image\n    required: true\n    schema:\n      openAPIV3Schema:\n        type: string\n        pattern: ^node-v';

/** The values of a topology. */
const TOPOLOGY_VALUE: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-VALUE',
  title: 'The value of a variable, of a topology or an override, must match the schema in the ClusterClass. CEL rules are not evaluated.',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/cluster_variable_validation.go (ValidateClusterVariable)',
  kinds: [CLUSTER],
  example: { failing: imageYaml('ubuntu-24.04'), corrected: imageYaml('node-v1.35.4') },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass || definesElsewhere(clusterClass)) return [];
    const schemas = new Map<string | undefined, JsonSchema>();
    for (const [variable] of objectsAt(clusterClass, 'spec', 'variables')) {
      const schema = readSchema(fieldAt(variable, 'schema', 'openAPIV3Schema'));
      // Of two variables with one name the first counts.
      if (schema && !schemas.has(stringAt(variable, 'name'))) schemas.set(stringAt(variable, 'name'), schema);
    }
    return [TOPOLOGY_VALUES, ...overridePaths(object)].flatMap((path) => objectsAt(object, ...path.map(String)).flatMap(([given, at]) => {
      const schema = schemas.get(stringAt(given, 'name'));
      if (!schema || given.value === undefined || isSet(given, 'definitionFrom')) return [];
      return checkVariable(schema, given.value).map((finding) => {
        const { message, accepted, fix } = faultWords(finding, finding.path);
        return { path: [...path, at, 'value', ...finding.path], message: `the variable ${JSON.stringify(given.name)}: ${message}`, accepted, fix };
      });
    }));
  },
};

function imageYaml(image: string): string {
  return `${topologyYaml(`variables:\n  - name: image\n    value: ${image}`)}---\n${clusterClassYaml(VALIDATED_VARIABLES)}${gateYaml('ClusterTopology')}`;
}

/** Rules for variables of ClusterClasses, and for their values in topologies. */
export const VARIABLES: readonly ManifestRule[] = [FAULTS, UNKNOWN, TOPOLOGY_VARIABLES, TOPOLOGY_VALUE];
