/** A value as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object as JSON has it. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** One rule in CEL, as a definition holds it. */
export interface JsonValidation {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The part of OpenAPI that a CustomResourceDefinition takes (`JSONSchemaProps` of apiextensions.k8s.io/v1). */
export interface JsonSchema {
  readonly 'additionalProperties'?: boolean | JsonSchema;
  readonly 'allOf'?: readonly JsonSchema[];
  readonly 'anyOf'?: readonly JsonSchema[];
  readonly 'default'?: Json;
  readonly 'description'?: string;
  readonly 'enum'?: readonly Json[];
  readonly 'example'?: Json;
  readonly 'exclusiveMaximum'?: boolean;
  readonly 'exclusiveMinimum'?: boolean;
  readonly 'externalDocs'?: { readonly description?: string; readonly url?: string };
  readonly 'format'?: string;
  readonly 'items'?: JsonSchema;
  readonly 'maximum'?: number;
  readonly 'maxItems'?: number;
  readonly 'maxLength'?: number;
  readonly 'maxProperties'?: number;
  readonly 'minimum'?: number;
  readonly 'minItems'?: number;
  readonly 'minLength'?: number;
  readonly 'minProperties'?: number;
  readonly 'multipleOf'?: number;
  readonly 'not'?: JsonSchema;
  readonly 'nullable'?: boolean;
  readonly 'oneOf'?: readonly JsonSchema[];
  readonly 'pattern'?: string;
  readonly 'properties'?: { readonly [name: string]: JsonSchema };
  readonly 'required'?: readonly string[];
  readonly 'title'?: string;
  readonly 'type'?: string;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly JsonValidation[];
}

/** Fields that every object of Kubernetes has, whatever its schema says. */
export const OBJECT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** The schema of one field of an object, if there is any. */
export function schemaOfField(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
