import { hasFormat } from './formats';
import { goRegExp } from './go-regexp';
import { duplicateErrors } from './list-types';
import { checkMetadata, MetadataRules } from './object-metadata';
import { canonical, fieldPath, fieldSchema, isObject, shown, StructuralSchema } from './structural-schema';

/**
 * The errors an API server finds in one custom resource with strict field validation, schema rules aside
 * (those are in `cel.ts`): unknown fields, types, values, duplicates in sets and maps, and metadata.
 * `null` is refused everywhere the schema describes the value, nullable or not.
 */
export function structuralErrors(object: unknown, schema: StructuralSchema, metadata: MetadataRules): string[] {
  if (!isObject(object)) return [`object: must be an object, got ${shown(object)}`];
  return [
    ...resourceErrors(object, '', metadata),
    ...nodeErrors({ ...schema, 'x-kubernetes-embedded-resource': true }, object, ''),
  ];
}

/** The fields that every object of Kubernetes has, at the root and where a schema embeds a resource. */
function resourceErrors(object: { [key: string]: unknown }, path: string, metadata: MetadataRules): string[] {
  const errors = ['apiVersion', 'kind']
    .filter(key => typeof object[key] !== 'string' || object[key] === '')
    .map(key => `${fieldPath(path, key)}: required, got ${shown(object[key] ?? 'nothing')}`);
  return [...errors, ...checkMetadata(object.metadata, metadata, fieldPath(path, 'metadata'))];
}

/** Everything that is wrong in a value that the schema describes. */
function nodeErrors(schema: StructuralSchema, value: unknown, path: string): string[] {
  if (value === undefined) return [];
  if (value === null) return [`${path}: must not be null`];

  const typeError = wrongType(schema, value, path);
  if (typeError) return [typeError];

  const errors = valueErrors(schema, value, path);
  if (Array.isArray(value)) {
    if (schema.items) value.forEach((item, index) => errors.push(...nodeErrors(schema.items!, item, `${path}[${index}]`)));
    errors.push(...duplicateErrors(schema, value, path));
  } else if (isObject(value)) {
    errors.push(...fieldErrors(schema, value, path));
  }
  return errors;
}

function fieldErrors(schema: StructuralSchema, object: { [key: string]: unknown }, path: string): string[] {
  const errors: string[] = [];
  const isResource = schema['x-kubernetes-embedded-resource'] ?? false;
  if (isResource && path !== '') errors.push(...resourceErrors(object, path, {}));

  const open = schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties === true;
  for (const [key, value] of Object.entries(object)) {
    const at = fieldPath(path, key, schema);
    const child = fieldSchema(schema, key);
    if (value === undefined) continue;
    if (isResource && ['apiVersion', 'kind', 'metadata'].includes(key)) {
      // Already checked as the metadata of a resource; the schema may only narrow them.
      if (child && value !== null) errors.push(...valueErrors(child, value, at));
    } else if (child) {
      errors.push(...nodeErrors(child, value, at));
    } else if (!open) {
      errors.push(`${at}: unknown field, got ${shown(value)}`);
    }
  }
  return errors;
}

/** The value validations of a schema, without its structure: what `allOf`, `anyOf`, `oneOf` and `not` may hold too. */
function valueErrors(schema: StructuralSchema, value: unknown, path: string): string[] {
  const errors: string[] = [];
  if (schema.enum && !schema.enum.some(allowed => canonical(allowed) === canonical(value))) {
    errors.push(`${path}: must be one of ${schema.enum.map(allowed => shown(allowed)).join(', ')}, got ${shown(value)}`);
  }
  if (typeof value === 'string') errors.push(...stringErrors(schema, value, path));
  else if (typeof value === 'number') errors.push(...numberErrors(schema, value, path));
  else if (Array.isArray(value)) errors.push(...countErrors(schema.minItems, schema.maxItems, value.length, 'items', path));
  else if (isObject(value)) errors.push(...objectErrors(schema, value, path));
  return [...errors, ...junctorErrors(schema, value, path)];
}

function stringErrors(schema: StructuralSchema, value: string, path: string): string[] {
  // Lengths count code points, as Go's runes do.
  const errors = countErrors(schema.minLength, schema.maxLength, [...value].length, 'characters', path);
  if (schema.pattern !== undefined && !goRegExp(schema.pattern).test(value)) {
    errors.push(`${path}: must match the pattern ${schema.pattern}, got ${shown(value)}`);
  }
  if (schema.format !== undefined && !hasFormat(schema.format, value)) {
    errors.push(`${path}: must have the format ${schema.format}, got ${shown(value)}`);
  }
  return errors;
}

function numberErrors(schema: StructuralSchema, value: number, path: string): string[] {
  const errors: string[] = [];
  const { minimum, maximum, multipleOf } = schema;
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(`${path}: must be ${schema.exclusiveMinimum ? 'more than' : 'at least'} ${minimum}, got ${value}`);
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(`${path}: must be ${schema.exclusiveMaximum ? 'less than' : 'at most'} ${maximum}, got ${value}`);
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    errors.push(`${path}: must be a multiple of ${multipleOf}, got ${value}`);
  }
  if (schema.format !== undefined && !hasFormat(schema.format, value)) {
    errors.push(`${path}: must be in the range of ${schema.format}, got ${value}`);
  }
  return errors;
}

function objectErrors(schema: StructuralSchema, value: { [key: string]: unknown }, path: string): string[] {
  const present = Object.keys(value).filter(key => value[key] !== undefined);
  return [
    ...countErrors(schema.minProperties, schema.maxProperties, present.length, 'fields', path),
    ...(schema.required ?? []).filter(key => value[key] === undefined).map(key => `${fieldPath(path, key)}: required, got nothing`),
  ];
}

function countErrors(min: number | undefined, max: number | undefined, count: number, what: string, path: string): string[] {
  if (min !== undefined && count < min) return [`${path}: must have at least ${min} ${what}, got ${count}`];
  if (max !== undefined && count > max) return [`${path}: must have at most ${max} ${what}, got ${count}`];
  return [];
}

function junctorErrors(schema: StructuralSchema, value: unknown, path: string): string[] {
  const errors = (schema.allOf ?? []).flatMap(part => partErrors(part, value, path));
  if (schema.anyOf) {
    const alternatives = schema.anyOf.map(part => partErrors(part, value, path));
    if (alternatives.every(found => found.length > 0)) errors.push(`${path}: no alternative fits (${alternatives.flat().join(' | ')})`);
  }
  if (schema.oneOf) {
    const alternatives = schema.oneOf.map(part => partErrors(part, value, path));
    const fits = alternatives.filter(found => found.length === 0).length;
    if (fits !== 1) errors.push(`${path}: exactly one alternative must fit, ${fits} do (${alternatives.flat().join(' | ')}), got ${shown(value)}`);
  }
  if (schema.not && partErrors(schema.not, value, path).length === 0) {
    errors.push(`${path}: must not fit ${shown(schema.not)}, got ${shown(value)}`);
  }
  return errors;
}

/** Errors against a schema inside a junctor, which may describe nested values but never makes a field unknown. */
function partErrors(schema: StructuralSchema, value: unknown, path: string): string[] {
  const typeError = wrongType(schema, value, path);
  if (typeError) return [typeError];
  const errors = valueErrors(schema, value, path);
  if (Array.isArray(value) && schema.items) {
    value.forEach((item, index) => errors.push(...partErrors(schema.items!, item, `${path}[${index}]`)));
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const part = fieldSchema(schema, key);
      if (part && child !== undefined && child !== null) errors.push(...partErrors(part, child, fieldPath(path, key, schema)));
    }
  }
  return errors;
}

function wrongType(schema: StructuralSchema, value: unknown, path: string): string | undefined {
  const type = schema['x-kubernetes-int-or-string'] ? 'integer or string' : schema.type;
  if (type === undefined || hasType(type, value)) return undefined;
  return `${path || 'object'}: must be of type ${type}, got ${shown(value)}`;
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object': return isObject(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    case 'integer or string': return Number.isInteger(value) || typeof value === 'string';
    case 'number': return typeof value === 'number' && Number.isFinite(value);
    default: return typeof value === type;
  }
}
