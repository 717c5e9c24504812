import { SchemaNode } from './schema-nodes';
import { checkValue } from '../../../manifests/schema/check-value';
import { faultWords } from '../../../manifests/schema/finding-words';
import { JsonSchema } from '../../../manifests/schema/json-schema';
import { compileSchema } from '../../../manifests/schema/schema-node';
import { shownJson } from '../../../manifests/schema/value-words';
import { patternFault } from '../../../manifests/values/go-pattern';
import { nearestName } from '../../../manifests/values/nearest-name';
import { formatsOf } from '../../../manifests/values/openapi-formats';
import { Problem } from '../../../manifests/values/problem';
import { CRD_RULES } from '../custom-resource/crd-rules';

/** Checks what a schema demands of values: that a value can satisfy it, and that the API server knows what it asks for. */
export function checkLimits(node: SchemaNode): Problem[] {
  return [...checkBounds(node), ...checkEnum(node), ...checkRequired(node), ...checkPattern(node), ...checkFormat(node)];
}

const RANGES: readonly [least: keyof JsonSchema, most: keyof JsonSchema, types: readonly string[]][] = [
  ['minLength', 'maxLength', ['string']], ['minimum', 'maximum', ['integer', 'number']], ['minItems', 'maxItems', ['array']],
  ['minProperties', 'maxProperties', ['object']],
];

function checkBounds({ schema, path, place }: SchemaNode): Problem[] {
  const problem = (message: string, fix: string): Problem => ({ rule: CRD_RULES.bounds, property: path, message, fix });
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

/** A value that the rest of the schema refuses can never be used. */
function checkEnum({ schema, path, place }: SchemaNode): Problem[] {
  const { enum: values = [], ...rest } = schema;
  if (place === 'junctor') return [];
  const node = compileSchema(rest);
  return values.flatMap((value, index) => (value === null && schema.nullable ? [] : checkValue(node, value).slice(0, 1)).map((finding) => ({
    rule: CRD_RULES.bounds,
    property: path,
    message: `enum[${index}] fits nothing else that the schema says: ${faultWords(finding, finding.path).message}`,
    fix: 'correct or remove the value',
  })));
}

function checkRequired({ schema, path, place }: SchemaNode): Problem[] {
  const { required = [], properties = {}, additionalProperties } = schema;
  const open = schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource'] || additionalProperties !== undefined || place === 'junctor';
  if (open) return [];
  return required.filter((name) => !Object.hasOwn(properties, name) && !(place === 'root' && ['apiVersion', 'kind', 'metadata'].includes(name))).map((name) => {
    const near = nearestName(name, Object.keys(properties));
    return {
      rule: CRD_RULES.required,
      property: path,
      message: `"${name}" is required and no field of the schema: the API server would drop it, and then miss it`,
      accepted: Object.keys(properties).sort().join(', '),
      fix: near === undefined ? `add ${name} to properties` : `did you mean ${near}?`,
    };
  });
}

function checkPattern({ schema, path }: SchemaNode): Problem[] {
  const fault = schema.pattern === undefined ? undefined : patternFault(schema.pattern);
  return fault === undefined ? [] : [{
    rule: CRD_RULES.pattern, property: path, message: `${shownJson(schema.pattern)} is no regular expression of Go: ${fault}`, fix: 'correct the expression',
  }];
}

function checkFormat({ schema, path, place }: SchemaNode): Problem[] {
  const { format } = schema;
  const names = formatsOf(schema.type);
  if (format === undefined || place === 'junctor' || names.includes(format)) return [];
  return [{
    rule: CRD_RULES.format,
    property: path,
    message: `"${format}" is no format of a value of type ${schema.type}, so that the API server would look at nothing`,
    ...(names.length === 0 ? { fix: 'remove it' } : { accepted: names.join(', '), fix: 'correct the format, or use a pattern' }),
  }];
}
