import { FieldPath } from '../values/fields';

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

/**
 * The type of a value, as schemas name it; `int-or-string` is their `x-kubernetes-int-or-string`. A `quantity` is one of Kubernetes' own kinds:
 * a number, or the text of a quantity.
 */
export type ValueType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'quantity';

/** The limits of one value, without those of the values inside it. */
export interface ValueLimits {
  /** Its type; without one, a value of any type is accepted. */
  readonly type?: ValueType;

  /** True if null is accepted. Otherwise the server treats null as unset. */
  readonly nullable?: true;

  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;

  /** Names of the required fields. */
  readonly required?: readonly string[];

  /** True if an object may have fields that are not described (`x-kubernetes-preserve-unknown-fields`). */
  readonly open?: true;

  /** True if an object is one of Kubernetes (`x-kubernetes-embedded-resource`). */
  readonly embedded?: true;

  /** True if an object is the metadata of an object inside another one, which one of Kubernetes' own kinds describes. */
  readonly metadata?: true;

  /** The value that the server sets if the field is missing. */
  readonly default?: unknown;

  /** True if the entries of a list must differ (`x-kubernetes-list-type: set`). */
  readonly set?: true;

  /** The fields that identify an entry of a list (`x-kubernetes-list-map-keys`). */
  readonly keys?: readonly string[];
}

/** A schema that is ready for checks of values, with the schemas inside it. None contains itself. */
export interface SchemaNode extends ValueLimits {
  readonly fields?: ReadonlyMap<string, SchemaNode>;
  readonly values?: SchemaNode;
  readonly items?: SchemaNode;

  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;

  /** The schema that the node was made of; none in the files of schemas. */
  readonly schema?: JsonSchema;

  /** The type, as `typeof` names it, if every value of it is accepted. */
  readonly unlimited?: 'string' | 'boolean';
}

/** All fields of a node, so that all nodes have one shape: they are read for every value that is checked. */
const NODE: Readonly<Record<keyof SchemaNode, undefined>> = {
  type: undefined,
  nullable: undefined,
  enum: undefined,
  pattern: undefined,
  format: undefined,
  minimum: undefined,
  maximum: undefined,
  minLength: undefined,
  maxLength: undefined,
  minItems: undefined,
  maxItems: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  required: undefined,
  open: undefined,
  embedded: undefined,
  metadata: undefined,
  default: undefined,
  set: undefined,
  keys: undefined,
  fields: undefined,
  values: undefined,
  items: undefined,
  exclusiveMinimum: undefined,
  exclusiveMaximum: undefined,
  multipleOf: undefined,
  allOf: undefined,
  anyOf: undefined,
  oneOf: undefined,
  not: undefined,
  schema: undefined,
  unlimited: undefined,
};

/** Completes a node with what follows from its limits. */
export function nodeOf(limits: Omit<SchemaNode, 'unlimited'>): SchemaNode {
  const { allOf, anyOf, oneOf, not } = limits;
  return { ...NODE, ...limits, unlimited: unlimitedType(limits.type, limits, (allOf ?? anyOf ?? oneOf ?? not) !== undefined) };
}

function unlimitedType(type: ValueType | undefined, limits: Omit<ValueLimits, 'type'> | JsonSchema, isNarrowed: boolean): SchemaNode['unlimited'] {
  if (limits.enum || isNarrowed) return undefined;
  if (type === 'boolean') return type;
  const { pattern, format, minLength, maxLength } = limits;
  return type === 'string' && pattern === undefined && format === undefined && minLength === undefined && maxLength === undefined ? type : undefined;
}

const COMPILED = new WeakMap<JsonSchema, SchemaNode>();

/** The node of a schema that is free of faults itself. Schemas are not changed once they are in use. */
export function compileSchema(schema: JsonSchema): SchemaNode {
  let node = COMPILED.get(schema);
  if (!node) COMPILED.set(schema, node = compile(schema));
  return node;
}

/** One literal with all fields of a node: a definition has thousands of schemas. */
function compile(schema: JsonSchema): SchemaNode {
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  const listType = schema['x-kubernetes-list-type'];
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] || additionalProperties === true;
  let fields: Map<string, SchemaNode> | undefined;
  if (properties) {
    fields = new Map();
    for (const name of Object.keys(properties)) fields.set(name, compileSchema(properties[name]));
  }
  const type = schema['x-kubernetes-int-or-string'] ? 'int-or-string' : schema.type as ValueType | undefined;
  return {
    type,
    nullable: schema.nullable || undefined,
    enum: schema.enum,
    pattern: schema.pattern,
    format: schema.format,
    minimum: schema.minimum,
    maximum: schema.maximum,
    minLength: schema.minLength,
    maxLength: schema.maxLength,
    minItems: schema.minItems,
    maxItems: schema.maxItems,
    minProperties: schema.minProperties,
    maxProperties: schema.maxProperties,
    required: schema.required,
    open: isOpen || undefined,
    embedded: schema['x-kubernetes-embedded-resource'] || undefined,
    metadata: undefined,
    default: schema.default,
    set: listType === 'set' || undefined,
    keys: listType === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined,
    fields,
    values: typeof additionalProperties === 'object' ? compileSchema(additionalProperties) : undefined,
    items: items && compileSchema(items),
    exclusiveMinimum: schema.exclusiveMinimum,
    exclusiveMaximum: schema.exclusiveMaximum,
    multipleOf: schema.multipleOf,
    allOf: allOf?.map(compileSchema),
    anyOf: anyOf?.map(compileSchema),
    oneOf: oneOf?.map(compileSchema),
    not: not && compileSchema(not),
    schema,
    unlimited: unlimitedType(type, schema, (allOf ?? anyOf ?? oneOf ?? not) !== undefined),
  };
}

/** The node of a path, as far as the schema describes it. */
export function nodeAt(root: SchemaNode | undefined, path: FieldPath): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>(
    (node, step) => (typeof step === 'number' ? node?.items : node?.fields?.get(step) ?? node?.values),
    root,
  );
}
