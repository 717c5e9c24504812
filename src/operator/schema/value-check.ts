import { fieldAt, isJsonObject, Json, JsonObject, JsonSchema, OBJECT_FIELDS, schemaOfField, shown } from './json-schema';
import { readGoPattern } from '../../kubernetes/go-pattern';
import { nearestName } from '../../kubernetes/nearest-name';
import { breaksFormat, exceedsFormat } from '../../kubernetes/openapi-formats';
import { canonicalJson } from '../../naming/content-hash';

/** What is wrong with a value. */
export interface ValueFinding {
  /** Where it stands. */
  readonly path: string;

  /** What is wrong. No full stop at the end. */
  readonly message: string;

  /** The values that would have been accepted. */
  readonly accepted?: string;

  /** What to do about it, as an instruction. No full stop at the end. */
  readonly fix: string;
}

const CORRECT = 'correct the value';

/**
 * Checks a value against its schema as the API server does, and refuses what the server would silently drop: fields that the schema
 * does not have, and `null` where it is not allowed. Rules in CEL are not evaluated.
 *
 * @param schema the schema, free of faults itself
 * @param value the value, with defaults
 * @param path where the value stands
 */
export function checkValue(schema: JsonSchema, value: Json, path: string): ValueFinding[] {
  if (value === null) {
    return schema.nullable ? [] : [{ path, message: 'it is null, which the API server drops', fix: 'leave the field out, or make it nullable in the schema' }];
  }
  if (!hasType(schema, value)) {
    return [{ path, message: `${shown(value)} is not ${typeName(schema)}`, accepted: acceptedType(schema), fix: CORRECT }];
  }
  return [...checkLimits(schema, value, path), ...checkInside(schema, value, path)];
}

/** Everything about one value that is not its structure: what junctors hold too. */
function checkLimits(schema: JsonSchema, value: Json, path: string): ValueFinding[] {
  return [
    ...checkEnum(schema, value, path),
    ...(typeof value === 'string' ? checkText(schema, value, path) : []),
    ...(typeof value === 'number' ? checkNumber(schema, value, path) : []),
    ...(Array.isArray(value) ? [...checkCount(schema.minItems, schema.maxItems, value.length, 'entries', path), ...checkUnique(schema, value, path)] : []),
    ...(isJsonObject(value) ? checkFieldCount(schema, value, path) : []),
    ...checkJunctors(schema, value, path),
  ];
}

function checkInside(schema: JsonSchema, value: Json, path: string): ValueFinding[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => (schema.items ? checkValue(schema.items, item, `${path}[${index}]`) : []));
  if (!isJsonObject(value)) return [];
  const resource = schema['x-kubernetes-embedded-resource'] ?? false;
  const open = schema['x-kubernetes-preserve-unknown-fields'] ?? schema.additionalProperties === true;
  const nameless = resource ? ['apiVersion', 'kind'].filter((name) => typeof value[name] !== 'string' || value[name] === '') : [];
  return [
    ...nameless.map((name) => ({ path: fieldAt(path, name), message: 'an object of Kubernetes needs it', accepted: 'a text', fix: `add ${name}` })),
    ...Object.entries(value).flatMap(([name, child]) => {
      if (resource && OBJECT_FIELDS.includes(name)) return [];
      const inner = schemaOfField(schema, name);
      if (inner) return checkValue(inner, child, fieldAt(path, name));
      return open ? [] : [unknownField(schema, name, path)];
    }),
  ];
}

function unknownField(schema: JsonSchema, name: string, path: string): ValueFinding {
  const names = Object.keys(schema.properties ?? {});
  const near = nearestName(name, names);
  return {
    path: fieldAt(path, name),
    message: `there is no field "${name}", and the API server would drop it`,
    accepted: names.length > 0 ? names.sort().join(', ') : 'no fields at all',
    fix: near === undefined ? 'remove the field, or add it to the schema' : `did you mean ${near}?`,
  };
}

function checkEnum(schema: JsonSchema, value: Json, path: string): ValueFinding[] {
  const { enum: values } = schema;
  if (!values || values.some((one) => canonicalJson(one) === canonicalJson(value))) return [];
  return [{ path, message: `${shown(value)} is none of the values that there are`, accepted: values.map(shown).join(', '), fix: CORRECT }];
}

function checkText(schema: JsonSchema, text: string, path: string): ValueFinding[] {
  const { minLength, maxLength, pattern, format } = schema;
  const regexp = pattern === undefined ? undefined : readGoPattern(pattern).regexp;
  return [
    // Go counts characters, not units of UTF-16.
    ...checkCount(minLength, maxLength, [...text].length, 'characters', path),
    ...(regexp && !regexp.test(text) ? [{ path, message: `${shown(text)} does not match`, accepted: `texts that match ${pattern}`, fix: CORRECT }] : []),
    ...(format !== undefined && breaksFormat(format, text) ? [{ path, message: `${shown(text)} is not of the format ${format}`, fix: CORRECT }] : []),
  ];
}

function checkNumber(schema: JsonSchema, value: number, path: string): ValueFinding[] {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const low = exclusiveMinimum ? value <= minimum : value < minimum;
  const high = exclusiveMaximum ? value >= maximum : value > maximum;
  return [
    ...(low ? [{ path, message: `${value} is too small`, accepted: `numbers ${exclusiveMinimum ? 'above' : 'from'} ${minimum}`, fix: CORRECT }] : []),
    ...(high ? [{ path, message: `${value} is too large`, accepted: `numbers ${exclusiveMaximum ? 'below' : 'up to'} ${maximum}`, fix: CORRECT }] : []),
    ...(multipleOf !== undefined && !isMultiple(value, multipleOf) ? [{ path, message: `${value} is no multiple of ${multipleOf}`, fix: CORRECT }] : []),
    ...(format !== undefined && exceedsFormat(format, value) ? [{ path, message: `${value} does not fit into ${format}`, fix: CORRECT }] : []),
  ];
}

function checkFieldCount(schema: JsonSchema, value: JsonObject, path: string): ValueFinding[] {
  return [
    ...checkCount(schema.minProperties, schema.maxProperties, Object.keys(value).length, 'fields', path),
    ...(schema.required ?? []).filter((name) => value[name] === undefined)
      .map((name) => ({ path: fieldAt(path, name), message: 'it is required, and it is not there', fix: `add ${name}` })),
  ];
}

function checkCount(least: number | undefined, most: number | undefined, count: number, what: string, path: string): ValueFinding[] {
  if (least !== undefined && count < least) return [{ path, message: `it has ${count} ${what}`, accepted: `at least ${least}`, fix: CORRECT }];
  return most !== undefined && count > most ? [{ path, message: `it has ${count} ${what}`, accepted: `at most ${most}`, fix: CORRECT }] : [];
}

function checkUnique(schema: JsonSchema, list: readonly Json[], path: string): ValueFinding[] {
  const keys = schema['x-kubernetes-list-type'] === 'map' ? schema['x-kubernetes-list-map-keys'] ?? [] : undefined;
  if (!keys && schema['x-kubernetes-list-type'] !== 'set') return [];
  const first = new Map<string, number>();
  return list.flatMap((item, index) => {
    const identity = canonicalJson(keys && isJsonObject(item) ? keys.map((key) => item[key] ?? null) : item);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, index);
    const same = keys ? `the entry has the ${keys.join(' and ')} of entry ${earlier}` : `the entry is entry ${earlier} once more`;
    return earlier === undefined ? [] : [{ path: `${path}[${index}]`, message: same, fix: 'remove one of them' }];
  });
}

function checkJunctors(schema: JsonSchema, value: Json, path: string): ValueFinding[] {
  const fitting = (parts: readonly JsonSchema[]) => parts.filter((part) => checkPart(part, value, path).length === 0).length;
  const { allOf = [], anyOf, oneOf, not } = schema;
  return [
    ...allOf.flatMap((part) => checkPart(part, value, path)),
    ...(anyOf && fitting(anyOf) === 0 ? [{ path, message: `${shown(value)} fits none of the alternatives`, accepted: anyOf.map(shown).join(' or '), fix: CORRECT }] : []),
    ...(oneOf && fitting(oneOf) !== 1
      ? [{ path, message: `${shown(value)} fits ${fitting(oneOf)} of the alternatives`, accepted: `exactly one of ${oneOf.map(shown).join(', ')}`, fix: CORRECT }] : []),
    ...(not && checkPart(not, value, path).length === 0 ? [{ path, message: `${shown(value)} is excluded by ${shown(not)}`, fix: CORRECT }] : []),
  ];
}

/** A junctor holds limits for values anywhere below, and never decides which fields there are. */
function checkPart(schema: JsonSchema, value: Json, path: string): ValueFinding[] {
  if (value === null) return [];
  if (!hasType(schema, value)) return [{ path, message: `${shown(value)} is not ${typeName(schema)}`, fix: CORRECT }];
  const inside = Array.isArray(value)
    ? value.flatMap((item: Json, index) => (schema.items ? checkPart(schema.items, item, `${path}[${index}]`) : []))
    : Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, child]) => {
      const inner = schemaOfField(schema, name);
      return inner ? checkPart(inner, child, fieldAt(path, name)) : [];
    });
  return [...checkLimits(schema, value, path), ...inside];
}

function hasType(schema: JsonSchema, value: Json): boolean {
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || Number.isInteger(value);
  switch (schema.type) {
    case undefined: return true;
    case 'object': return isJsonObject(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    default: return typeof value === schema.type;
  }
}

function typeName(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'a whole number or a text';
  const names: Readonly<Record<string, string>> = {
    object: 'an object', array: 'a list', integer: 'a whole number', number: 'a number', string: 'a text', boolean: 'true or false',
  };
  return names[schema.type ?? ''] ?? 'of its type';
}

function acceptedType(schema: JsonSchema): string | undefined {
  return schema.enum ? schema.enum.map(shown).join(', ') : undefined;
}

/** With the tolerance of the API server (kube-openapi pkg/validation/validate `MultipleOf`). */
function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
