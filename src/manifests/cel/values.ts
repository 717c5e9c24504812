import { celLibrary } from './library';
import { JsonSchema } from '../schema/schema-node';
import { canonicalJson } from '../values/content-hash';
import { Fields, isFields } from '../values/fields';
import { parseGoDuration } from '../values/go-duration';

const RESERVED = new Set([
  'true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if',
  'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while',
]);

const ESCAPES: Readonly<Record<string, string>> = { '__': '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/**
 * The value that rules see for a value of the schema, undefined when they see none: only fields with a schema are visible,
 * field names that are no CEL identifiers are escaped, and integers stay integers, however the number is written.
 *
 * @param isSorted true if lists are sorted whose order does not count
 */
export function celValue(schema: JsonSchema, value: unknown, isResource = false, isSorted = false): unknown {
  if (value === undefined || value === null) return value;
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'number' ? BigInt(value) : value;

  switch (schema.type) {
    case 'integer': return typeof value === 'number' ? BigInt(value) : value;
    case 'string': return stringValue(schema.format, value);
    case 'array': return Array.isArray(value) ? listValue(schema, value, isSorted) : undefined;
    case 'object': return isFields(value) ? objectValue(schema, value, isResource, isSorted) : undefined;
    case 'boolean':
    case 'number': return value;
    default: return undefined;
  }
}

/** The name of a field in a rule. */
export function celFieldName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (part) => ESCAPES[part]);
}

function stringValue(format: string | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (format === 'byte') return Buffer.from(value, 'base64');
  if (format === 'duration') return durationValue(value);
  return format === 'date' || format === 'date-time' ? new Date(value) : value;
}

/** A duration, as far as Go reads it; servers read days, too. */
function durationValue(text: string): unknown {
  return parseGoDuration(text) === undefined ? text : celLibrary().evaluate(`duration(${JSON.stringify(text)})`);
}

function listValue(schema: JsonSchema, list: readonly unknown[], isSorted: boolean): unknown[] {
  const items = Array.from(list, (item) => celValue(schema.items ?? {}, item, false, isSorted));
  if (!isSorted || !['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? '')) return items;
  const texts = new Map(items.map((item, index) => [item, JSON.stringify(list[index])]));
  return items.sort((one, other) => (texts.get(one)! < texts.get(other)! ? -1 : 1));
}

/** Begins names of fields that rules do not see, and that make objects different all the same. */
const HIDDEN = '\0';

function objectValue(schema: JsonSchema, object: Fields, isResource: boolean, isSorted: boolean): Fields {
  const { properties = {}, additionalProperties } = schema;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(object)) {
    const isField = Object.hasOwn(properties, key);
    // Null counts as unset.
    if (isField && value === null) continue;
    const inside = isField ? properties[key] : typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const seen = inside && celValue(inside, value, false, isSorted);
    if (seen === undefined && value !== undefined) {
      entries.push([HIDDEN + key, canonicalJson(value)]);
    } else {
      entries.push([isField ? celFieldName(key) : key, seen]);
      if (isField && RESERVED.has(key)) entries.push([key, seen]);
    }
  }
  if (isResource || schema['x-kubernetes-embedded-resource']) entries.push(...resourceFields(object, properties.metadata));
  return celMap(entries.filter(([, value]) => value !== undefined));
}

/** The fields of a resource that rules see without a schema. */
function resourceFields(object: Fields, schema: JsonSchema | undefined): [string, unknown][] {
  const { apiVersion, kind, metadata } = object;
  const names = isFields(metadata) ? ['name', 'generateName'].filter((key) => typeof metadata[key] === 'string') : [];
  const own = schema && isFields(metadata) ? Object.entries(celValue(schema, metadata) ?? {}).filter(([key]) => !key.startsWith(HIDDEN)) : [];
  return [
    ['apiVersion', apiVersion],
    ['kind', kind],
    ['metadata', celMap([...own, ...names.map((key) => [key, (metadata as Fields)[key]] as const)])],
  ];
}

/** A map that the library takes for one. */
export function celMap(entries: readonly (readonly [string, unknown])[]): Fields {
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as Fields;
}
