import { celList, celMap, celTimestamp } from './cel-library';
import { isObject, StructuralSchema } from './structural-schema';

const RESERVED = new Set([
  'true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if',
  'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while',
]);

const ESCAPES: Readonly<Record<string, string>> = { '__': '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/**
 * The value that rules see for a value of the schema, undefined when they see none: only fields with a schema are visible,
 * field names that are no CEL identifiers are escaped, and integers are integers whatever the number looks like.
 */
export function celValue(schema: StructuralSchema, value: unknown, isResource = false): unknown {
  if (value === undefined || value === null) return value;
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'number' ? BigInt(value) : value;

  switch (schema.type) {
    case 'integer': return typeof value === 'number' ? BigInt(value) : value;
    case 'string': return stringValue(schema.format, value);
    case 'array': return Array.isArray(value) ? celList(value.map(item => celValue(schema.items ?? {}, item))) : undefined;
    case 'object': return isObject(value) ? objectValue(schema, value, isResource) : undefined;
    case 'boolean':
    case 'number': return value;
    default: return undefined;
  }
}

/** The name of a field in a rule. */
export function celFieldName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, part => ESCAPES[part]);
}

function stringValue(format: string | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (format === 'byte') return Buffer.from(value, 'base64');
  return format === 'date' || format === 'date-time' ? celTimestamp(value) : value;
}

function objectValue(schema: StructuralSchema, object: Record<string, unknown>, isResource: boolean): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(object)) {
    if (Object.hasOwn(properties, key)) entries.push([celFieldName(key), celValue(properties[key], value)]);
    else if (typeof additionalProperties === 'object') entries.push([key, celValue(additionalProperties, value)]);
  }
  if (isResource || schema['x-kubernetes-embedded-resource']) entries.push(...resourceFields(object));
  return celMap(entries.filter(([, value]) => value !== undefined));
}

/** The fields of a resource that rules see without a schema. */
function resourceFields(object: Record<string, unknown>): [string, unknown][] {
  const { apiVersion, kind, metadata } = object;
  const names = isObject(metadata) ? ['name', 'generateName'].filter(key => typeof metadata[key] === 'string') : [];
  return [
    ['apiVersion', apiVersion],
    ['kind', kind],
    ['metadata', celMap(names.map(key => [key, (metadata as Record<string, unknown>)[key]]))],
  ];
}
