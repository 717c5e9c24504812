/** A JSON value, as it stands in a manifest. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The part of `JSONSchemaProps` that an API server looks at when it admits an object. */
export interface StructuralSchema {
  readonly 'type'?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly 'format'?: string;
  readonly 'default'?: Json;
  readonly 'nullable'?: boolean;
  readonly 'enum'?: Json[];
  readonly 'pattern'?: string;
  readonly 'minLength'?: number;
  readonly 'maxLength'?: number;
  readonly 'minimum'?: number;
  readonly 'maximum'?: number;
  readonly 'exclusiveMinimum'?: boolean;
  readonly 'exclusiveMaximum'?: boolean;
  readonly 'multipleOf'?: number;
  readonly 'minItems'?: number;
  readonly 'maxItems'?: number;
  readonly 'minProperties'?: number;
  readonly 'maxProperties'?: number;
  readonly 'required'?: string[];
  readonly 'properties'?: { readonly [name: string]: StructuralSchema };
  readonly 'additionalProperties'?: boolean | StructuralSchema;
  readonly 'items'?: StructuralSchema;
  readonly 'allOf'?: StructuralSchema[];
  readonly 'anyOf'?: StructuralSchema[];
  readonly 'oneOf'?: StructuralSchema[];
  readonly 'not'?: StructuralSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: string[];
  readonly 'x-kubernetes-validations'?: ValidationRule[];
}

/** True for a JSON object (not a list, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema that describes the field `key` of an object, if any does. */
export function fieldSchema(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  if (isProperty(schema, key)) return schema.properties![key];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function isProperty(schema: StructuralSchema, key: string): boolean {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, key);
}

/** The path of the field `key` below `path`; keys of an object stand in brackets. */
export function fieldPath(path: string, key: string, schema?: StructuralSchema): string {
  const isMapKey = schema?.additionalProperties !== undefined && !isProperty(schema, key);
  if (isMapKey || !/^[A-Za-z_$][\w-]*$/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** A text that is equal for equal JSON values, whatever the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => isObject(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    : part);
}

/** A value as an error shows it: JSON, cut to a readable length. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
