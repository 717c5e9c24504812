import { JsonSchema } from './schema-node';
import { shownJson } from './value-words';
import { jsonFault } from '../values/content-hash';
import { FieldPath, isFields } from '../values/fields';
import { Finding } from '../values/finding';
import { nearestName } from '../values/nearest-name';

/** Fault of a keyword of a schema. Its path is that of the values that the schema describes, as far as they have names. */
export interface KeywordFinding extends Finding {
  /** True if API servers refuse the keyword. They drop other ones that they do not know. */
  readonly isRefused?: boolean;
}

type Shape = 'text' | 'flag' | 'number' | 'count' | 'texts' | 'list' | 'schema' | 'schemas' | 'fields' | 'schema or flag' | 'rules' | 'documentation' | 'anything';

/**
 * The keywords that a structural schema may have, and what stands behind them. `example` and `externalDocs` are for readers: the API server
 * keeps them in the definition, and leaves them out of what it checks and publishes
 * (kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/convert.go).
 */
const SHAPES: Readonly<Record<keyof JsonSchema, Shape>> = {
  'additionalProperties': 'schema or flag',
  'allOf': 'schemas',
  'anyOf': 'schemas',
  'default': 'anything',
  'description': 'text',
  'enum': 'list',
  'example': 'anything',
  'exclusiveMaximum': 'flag',
  'exclusiveMinimum': 'flag',
  'externalDocs': 'documentation',
  'format': 'text',
  'items': 'schema',
  'maximum': 'number',
  'maxItems': 'count',
  'maxLength': 'count',
  'maxProperties': 'count',
  'minimum': 'number',
  'minItems': 'count',
  'minLength': 'count',
  'minProperties': 'count',
  'multipleOf': 'number',
  'not': 'schema',
  'nullable': 'flag',
  'oneOf': 'schemas',
  'pattern': 'text',
  'properties': 'fields',
  'required': 'texts',
  'title': 'text',
  'type': 'text',
  'x-kubernetes-embedded-resource': 'flag',
  'x-kubernetes-int-or-string': 'flag',
  'x-kubernetes-list-map-keys': 'texts',
  'x-kubernetes-list-type': 'text',
  'x-kubernetes-map-type': 'text',
  'x-kubernetes-preserve-unknown-fields': 'flag',
  'x-kubernetes-validations': 'rules',
};

/** Keywords that the API server reads and refuses, with the reason. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  $ref: 'a schema must be complete in itself',
  $schema: 'a schema must be complete in itself',
  additionalItems: 'structural schemas have no such thing',
  definitions: 'a schema must be complete in itself',
  dependencies: 'structural schemas have no such thing',
  id: 'a schema must be complete in itself',
  patternProperties: 'structural schemas have no such thing',
  uniqueItems: 'it would take too long to check; x-kubernetes-list-type: set (ListType.SET) does the same',
};

/** Keywords of OpenAPI that the API server does not know, with the reason. */
const UNKNOWN: Readonly<Record<string, string>> = {
  deprecated: 'definitions have no such keyword; a whole version can be deprecated',
  discriminator: 'definitions have no such keyword',
  readOnly: 'definitions have no such keyword',
  writeOnly: 'definitions have no such keyword',
};

/**
 * Refusal of a keyword of a schema; undefined for an accepted one.
 *
 * @returns with it, whether the API server reads the keyword: it refuses it everywhere then
 */
export function refusedKeyword(keyword: string, value: unknown): Pick<KeywordFinding, 'message' | 'fix'> & { readonly isRead: boolean } | undefined {
  if (Object.hasOwn(SHAPES, keyword) || (keyword === 'uniqueItems' && value === false)) return undefined;
  const isRead = Object.hasOwn(FORBIDDEN, keyword);
  const reason = isRead ? FORBIDDEN[keyword] : Object.hasOwn(UNKNOWN, keyword) ? UNKNOWN[keyword] : undefined;
  const near = keyword.length > 100 || reason !== undefined ? undefined : nearestName(keyword, Object.keys(SHAPES));
  return {
    message: `the keyword "${keyword}" is not possible: ${reason ?? 'it is none of a structural schema'}`,
    fix: near === undefined ? `remove ${keyword}` : `did you mean ${near}?`,
    isRead,
  };
}

/** Checks that a schema consists of keywords that definitions have, each with a value of its kind. What it finds hides everything else. */
export function checkKeywords(schema: unknown, path: FieldPath = [], isLenient = false): KeywordFinding[] {
  if (!isFields(schema)) {
    return [{ path, message: `${shownJson(schema)} is no schema`, accepted: 'an object of keywords', fix: 'correct the schema' }];
  }
  return Object.entries(schema).flatMap(([keyword, value]) => (value === undefined ? [] : checkKeyword(keyword, value, path, isLenient)));
}

function checkKeyword(keyword: string, value: unknown, path: FieldPath, isLenient: boolean): KeywordFinding[] {
  const refused = refusedKeyword(keyword, value);
  if (refused) return [{ path, message: refused.message, fix: refused.fix, isRefused: refused.isRead || !isLenient }];
  if (!Object.hasOwn(SHAPES, keyword)) return [];
  const shape = SHAPES[keyword as keyof JsonSchema];
  if (!fits(shape, value)) {
    return [{ path, message: `${keyword} is ${shownJson(value)}`, accepted: ACCEPTED[shape], fix: `correct ${keyword}` }];
  }
  const fault = keyword === 'properties' ? undefined : jsonFault(shape === 'anything' || shape === 'list' ? value : null);
  if (fault !== undefined) return [{ path, message: `${keyword} cannot be written: ${fault}`, fix: `correct ${keyword}` }];
  return schemasIn(shape, value).flatMap(([name, inner]) => (
    checkKeywords(inner, name === '' ? path : [...path, name], isLenient || keyword === 'items' || keyword === 'additionalProperties')));
}

const ACCEPTED: Readonly<Record<Shape, string>> = {
  'text': 'a string',
  'flag': 'true or false',
  'number': 'a number',
  'count': 'a whole number from 0',
  'texts': 'a list of strings',
  'list': 'a list of values, at least one',
  'schema': 'a schema',
  'schemas': 'a list of schemas, at least one',
  'fields': 'schemas by name',
  'schema or flag': 'a schema, or true',
  'rules': 'a list of rules, each with "rule"',
  'documentation': 'an object with the strings "description" and "url"',
  'anything': 'a value of JSON',
};

function fits(shape: Shape, value: unknown): boolean {
  const list = Array.isArray(value) ? value : undefined;
  switch (shape) {
    case 'text': return typeof value === 'string';
    case 'flag': return typeof value === 'boolean';
    case 'number': return Number.isFinite(value);
    case 'count': return Number.isSafeInteger(value) && (value as number) >= 0;
    case 'texts': return list?.every((item) => typeof item === 'string') ?? false;
    case 'list': return (list?.length ?? 0) > 0;
    case 'schemas': return (list?.length ?? 0) > 0 && list!.every(isFields);
    case 'rules': return list?.every((item) => isFields(item) && typeof item.rule === 'string') ?? false;
    case 'documentation': return isFields(value) && Object.entries(value).every(([name, text]) => ['description', 'url'].includes(name) && typeof text === 'string');
    case 'schema or flag': return typeof value === 'boolean' || isFields(value);
    case 'schema':
    case 'fields': return isFields(value);
    case 'anything': return true;
  }
}

function schemasIn(shape: Shape, value: unknown): [name: string, schema: unknown][] {
  switch (shape) {
    case 'schema': return [['', value]];
    case 'schema or flag': return typeof value === 'boolean' ? [] : [['', value]];
    case 'schemas': return (value as unknown[]).map((schema) => ['', schema]);
    case 'fields': return Object.entries(value as object);
    default: return [];
  }
}
