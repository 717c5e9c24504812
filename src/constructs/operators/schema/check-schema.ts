import { checkListType } from './list-type';
import { nodesOf, SchemaNode } from './schema-nodes';
import { checkValidations } from './schema-validation';
import { checkKeywords } from '../../../manifests/schema/check-keywords';
import { checkValue } from '../../../manifests/schema/check-value';
import { withDefaults } from '../../../manifests/schema/defaults';
import { faultWords } from '../../../manifests/schema/finding-words';
import { formatsOf, patternFault } from '../../../manifests/schema/formats';
import { compileSchema, Json, JsonSchema } from '../../../manifests/schema/schema-node';
import { checkStructuralSchema } from '../../../manifests/schema/structural-schema';
import { shownJson } from '../../../manifests/schema/value-words';
import { fieldText } from '../../../manifests/values/fields';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';

const STRUCTURAL = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go';

/** The rule for keywords: a schema that breaks it has no paths and values to check. */
export const SCHEMA_RULE: Rule = {
  id: 'TC-CRD-SCHEMA',
  title: 'Keywords of a schema must have values of their kind, must belong to the type, and must be known to the API server.',
  source: STRUCTURAL,
};

/**
 * Checks the schema of a version as the API server does, except for the expressions of CEL rules. A rule over definitions reports a schema
 * that is not structural.
 *
 * @param schema the schema
 * @param property the property that holds it
 */
export function checkSchema(schema: JsonSchema, property: string): Problem[] {
  const malformed = checkKeywords(schema);
  if (malformed.length > 0) {
    return malformed.filter(({ isRefused }) => !isRefused).map(({ path, message, accepted, fix }) => (
      { rule: SCHEMA_RULE, property: [property, ...path].join('.'), message, accepted, fix }));
  }
  if (!isStructural(schema)) return [];
  const nodes = [...nodesOf(schema, property)];
  const structure = nodes.flatMap((node) => [...checkContents(node), ...checkListType(node)]);
  // Limits of values are checked once the types of the values are known to be right.
  return structure.length > 0 ? structure : nodes.flatMap((node) => [
    ...checkBounds(node), ...checkEnum(node), ...checkRequired(node), ...checkPattern(node), ...checkFormat(node), ...checkDefault(node),
    ...checkValidations(node),
  ]);
}

/** True if API servers can read a schema. */
export function isStructural(schema: JsonSchema): boolean {
  return checkKeywords(schema).length === 0 && checkStructuralSchema({ ...schema }).length === 0;
}

/** Checks items and fields against the type: the API server ignores those of another type. */
function checkContents({ schema, path, place }: SchemaNode): Problem[] {
  const { type, items, properties, additionalProperties } = schema;
  if (place === 'junctor') return [];
  return [
    ...problemIf(SCHEMA_RULE, path, items && type !== 'array' ? `items belong to a list, and the type is ${type}` : undefined, 'remove items, or make the type "array"'),
    ...problemIf(SCHEMA_RULE, path, (properties ?? additionalProperties) !== undefined && type !== 'object' && type !== undefined
      ? `fields belong to an object, and the type is ${type}` : undefined, 'remove the fields, or make the type "object"'),
  ];
}

const VALID = new WeakMap<JsonSchema, boolean>();

/** True if values can be checked against a schema. Memoized, since a type may have many objects. */
export function isValid(schema: JsonSchema): boolean {
  const known = VALID.get(schema) ?? isStructural(schema);
  VALID.set(schema, known);
  return known;
}

const RANGES: readonly [least: keyof JsonSchema, most: keyof JsonSchema, types: readonly string[]][] = [
  ['minLength', 'maxLength', ['string']], ['minimum', 'maximum', ['integer', 'number']], ['minItems', 'maxItems', ['array']],
  ['minProperties', 'maxProperties', ['object']],
];

const BOUNDS_RULE: Rule = {
  id: 'TC-CRD-BOUNDS',
  title: 'A schema must be satisfiable: minimums must not be greater than maximums, and enumerated values must fit the rest.',
};

function checkBounds({ schema, path, place }: SchemaNode): Problem[] {
  const problem = (message: string, fix: string): Problem => ({ rule: BOUNDS_RULE, property: path, message, fix });
  const ranges = RANGES.flatMap(([least, most, types]) => {
    const [low, high] = [schema[least] as number | undefined, schema[most] as number | undefined];
    const idle = [least, most].filter((keyword) => place !== 'junctor' && schema[keyword] !== undefined && schema.type !== undefined && !types.includes(schema.type));
    return [
      ...idle.map((keyword) => problem(`${keyword} says nothing about a value of type ${schema.type}`, `remove ${keyword}`)),
      ...(low !== undefined && high !== undefined && low > high ? [problem(`${least} ${low} is more than ${most} ${high}, so that nothing fits`, 'exchange them')] : []),
    ];
  });
  const empty = schema.minimum !== undefined && schema.minimum === schema.maximum && (schema.exclusiveMinimum || schema.exclusiveMaximum);
  return [
    ...ranges,
    ...(empty ? [problem(`no number lies strictly between ${schema.minimum} and ${schema.maximum}`, 'correct minimum and maximum')] : []),
    ...(schema.multipleOf !== undefined && schema.multipleOf <= 0 ? [problem(`multipleOf is ${schema.multipleOf}, of which there are no multiples`, 'give a number above 0')] : []),
  ];
}

/** Checks that the rest of the schema accepts the enumerated values. */
function checkEnum({ schema, path, place }: SchemaNode): Problem[] {
  const { enum: values = [], ...rest } = schema;
  if (place === 'junctor') return [];
  const node = compileSchema(rest);
  const faultsOf = (value: Json) => (value === null && schema.nullable ? [] : checkValue(node, withDefaults(node, value) as Json).slice(0, 1));
  return values.flatMap((value, index) => faultsOf(value).map((finding) => ({
    rule: BOUNDS_RULE,
    property: path,
    message: `enum[${index}] fits nothing else that the schema says: ${faultWords(finding, finding.path).message}`,
    fix: 'correct or remove the value',
  })));
}

const REQUIRED_RULE: Rule = {
  id: 'TC-CRD-REQUIRED',
  title: 'Required fields must be fields of the schema.',
};

function checkRequired({ schema, path, place }: SchemaNode): Problem[] {
  const { required = [], properties = {}, additionalProperties } = schema;
  const open = schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource'] || additionalProperties !== undefined || place === 'junctor';
  if (open) return [];
  return required.filter((name) => !Object.hasOwn(properties, name) && !(place === 'root' && ['apiVersion', 'kind', 'metadata'].includes(name))).map((name) => {
    const near = nearestName(name, Object.keys(properties));
    return {
      rule: REQUIRED_RULE,
      property: path,
      message: `"${name}" is required and no field of the schema: the API server would drop it, and then miss it`,
      accepted: Object.keys(properties).sort().join(', '),
      fix: near === undefined ? `add ${name} to properties` : `did you mean ${near}?`,
    };
  });
}

const PATTERN_RULE: Rule = {
  id: 'TC-CRD-PATTERN',
  title: 'Patterns must be regular expressions of Go, which have no lookaround and no backreferences.',
  source: STRUCTURAL,
};

function checkPattern({ schema, path }: SchemaNode): Problem[] {
  const fault = schema.pattern === undefined ? undefined : patternFault(schema.pattern);
  return fault === undefined ? [] : [{
    rule: PATTERN_RULE, property: path, message: `${shownJson(schema.pattern)} is no regular expression of Go: ${fault}`, fix: 'correct the expression',
  }];
}

const FORMAT_RULE: Rule = {
  id: 'TC-CRD-FORMAT',
  title: 'Formats must be known to the API server for the type of the value; it ignores others.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go',
};

function checkFormat({ schema, path, place }: SchemaNode): Problem[] {
  const { format } = schema;
  const names = formatsOf(schema.type);
  if (format === undefined || place === 'junctor' || names.includes(format)) return [];
  return [{
    rule: FORMAT_RULE,
    property: path,
    message: `"${format}" is no format of a value of type ${schema.type}, so that the API server would look at nothing`,
    ...(names.length === 0 ? { fix: 'remove it' } : { accepted: names.join(', '), fix: 'correct the format, or use a pattern' }),
  }];
}

const DEFAULT_RULE: Rule = {
  id: 'TC-CRD-DEFAULT',
  title: 'A default must fit its schema, without fields that it does not have, and must be at a place where the API server writes it.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go',
};

/** Checks that a default is at an allowed place and fits its own schema. */
function checkDefault(node: SchemaNode): Problem[] {
  const { schema, path, place } = node;
  if (schema.default === undefined || place === 'junctor') return [];
  const reason = defaultFault(node);
  if (reason !== undefined) {
    return [{ rule: DEFAULT_RULE, property: path, message: `${shownJson(schema.default)} cannot be a default here: ${reason}`, fix: 'remove the default' }];
  }
  return checkValue(compileSchema(schema), schema.default).map((finding) => {
    const { message, accepted } = faultWords(finding, finding.path);
    const where = finding.path.length === 0 ? '' : ` at ${fieldText(finding.path)}`;
    return { rule: DEFAULT_RULE, property: path, message: `the default ${shownJson(schema.default)} does not fit${where}: ${message}`, accepted, fix: 'correct the default' };
  });
}

function defaultFault({ place, objectField }: SchemaNode): string | undefined {
  if (place === 'root') return 'the API server writes no whole objects';
  if (objectField) return 'it belongs to apiVersion, kind or metadata of the object';
  return place === 'value' || place === 'entry' ? 'an entry of a list or map is there or not, and the API server adds none' : undefined;
}
