import { MapType } from './list-type';
import {
  ArraySchemaOptions, IntOrStringSchemaOptions, MapSchemaOptions, NumberSchemaOptions, SchemaOptions, StringSchemaOptions,
} from './schema-options';
import { JsonSchema } from '../../../manifests/schema/schema-node';
import { apiFields } from '../../app/synth/api-fields';

/**
 * Schema of a field of a custom resource: a structural OpenAPI schema.
 *
 * A schema is plain data that can be used in any number of places. The `CustomResourceType` that it is given to reports faults that the
 * API server would refuse.
 *
 * Source: kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (specifying a structural schema).
 *
 * @example
 * const schema = operators.Schema.object({
 *   properties: { replicas: operators.Schema.integer({ minimum: 1 }), schedule: operators.Schema.string() },
 *   required: ['schedule'],
 * });
 */
export class Schema {
  /**
   * An object with named fields.
   *
   * @param options the fields and constraints
   */
  public static object(options: ObjectSchemaOptions = {}): Schema {
    const { properties, required, minProperties, maxProperties, mapType, preserveUnknownFields } = options;
    return new Schema(write('object', options, {
      'properties': properties && jsonOfFields(properties),
      required,
      minProperties,
      maxProperties,
      'x-kubernetes-map-type': mapType,
      'x-kubernetes-preserve-unknown-fields': preserveUnknownFields || undefined,
    }));
  }

  /**
   * Text.
   *
   * @param options constraints of the value
   */
  public static string(options: StringSchemaOptions = {}): Schema {
    const { enum: values, pattern, minLength, maxLength, format } = options;
    return new Schema(write('string', options, { enum: values, pattern, minLength, maxLength, format }));
  }

  /**
   * A whole number.
   *
   * @param options constraints of the value
   */
  public static integer(options: NumberSchemaOptions = {}): Schema {
    return new Schema(write('integer', options, limits(options)));
  }

  /**
   * A number with fractions. Prefer text or whole numbers: programs differ in how they round
   * (kubernetes/community contributors/devel/sig-architecture/api-conventions.md).
   *
   * @param options constraints of the value
   */
  public static number(options: NumberSchemaOptions = {}): Schema {
    return new Schema(write('number', options, limits(options)));
  }

  /**
   * `true` or `false`.
   *
   * @param options description, default and rules
   */
  public static boolean(options: SchemaOptions = {}): Schema {
    return new Schema(write('boolean', options, {}));
  }

  /**
   * A list.
   *
   * @param items schema of each entry
   * @param options constraints of the list
   */
  public static array(items: Schema, options: ArraySchemaOptions = {}): Schema {
    const { minItems, maxItems, listType } = options;
    return new Schema(write('array', options, { items: items._json, minItems, maxItems, ...listType?._json }));
  }

  /**
   * An object whose keys the user chooses, such as labels.
   *
   * @param values schema of each value
   * @param options constraints of the map
   */
  public static map(values: Schema, options: MapSchemaOptions = {}): Schema {
    const { minProperties, maxProperties, mapType } = options;
    return new Schema(write('object', options, { 'additionalProperties': values._json, minProperties, maxProperties, 'x-kubernetes-map-type': mapType }));
  }

  /**
   * A whole number or text, such as a port by number or name.
   *
   * @param options constraints of the value
   */
  public static intOrString(options: IntOrStringSchemaOptions = {}): Schema {
    return new Schema(write(undefined, options, { 'x-kubernetes-int-or-string': true, 'pattern': options.pattern }));
  }

  /**
   * An object with any fields, which are kept as they are.
   *
   * @param options description, default and rules
   */
  public static preserveUnknownFields(options: SchemaOptions = {}): Schema {
    return new Schema(write('object', options, { 'x-kubernetes-preserve-unknown-fields': true }));
  }

  /**
   * A whole object of Kubernetes, with `apiVersion`, `kind` and `metadata`.
   *
   * @param options schemas of its fields
   */
  public static embeddedResource(options: EmbeddedResourceSchemaOptions = {}): Schema {
    return new Schema(write('object', options, {
      'properties': options.properties && jsonOfFields(options.properties),
      'required': options.required,
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }));
  }

  /**
   * Any other schema, with the keywords of OpenAPI and the `x-kubernetes-…` ones, e.g. one with `oneOf`. The same rules apply to it.
   *
   * @param json the schema, as in a CustomResourceDefinition
   */
  public static of(json: { [keyword: string]: any }): Schema {
    return new Schema(apiFields(json) as JsonSchema);
  }

  /** @internal */
  public readonly _json: JsonSchema;

  private constructor(json: JsonSchema) {
    this._json = json;
  }
}

function write(type: string | undefined, options: SchemaOptions, own: JsonSchema): JsonSchema {
  const { description, nullable, validations, default: fallback } = options;
  const json: JsonSchema = {
    type,
    description,
    'nullable': nullable || undefined,
    'default': fallback,
    ...own,
    'x-kubernetes-validations': validations?.length ? validations : undefined,
  };
  return apiFields(json) as JsonSchema;
}

function limits(options: NumberSchemaOptions): JsonSchema {
  const { enum: values, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = options;
  return {
    enum: values,
    minimum,
    maximum,
    exclusiveMinimum: exclusiveMinimum || undefined,
    exclusiveMaximum: exclusiveMaximum || undefined,
    multipleOf,
    format,
  };
}

function jsonOfFields(fields: { readonly [name: string]: Schema }): { readonly [name: string]: JsonSchema } {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema._json]));
}

/** The schema of an object with named fields. */
export interface ObjectSchemaOptions extends SchemaOptions {
  /**
   * The fields by name. Others are dropped by the API server.
   *
   * @default - none
   */
  readonly properties?: { [name: string]: Schema };

  /**
   * Names of the required fields (`TC-CRD-REQUIRED`).
   *
   * @default - none
   */
  readonly required?: string[];

  /**
   * Least number of fields (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minProperties?: number;

  /**
   * Largest number of fields (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxProperties?: number;

  /**
   * True if fields that the schema does not name are kept.
   *
   * @default false
   */
  readonly preserveUnknownFields?: boolean;

  /**
   * Merge of the object with server-side apply.
   *
   * @default MapType.GRANULAR
   */
  readonly mapType?: MapType;
}

/** The schema of an object of Kubernetes inside another one. */
export interface EmbeddedResourceSchemaOptions extends SchemaOptions {
  /**
   * Schemas of fields beside `apiVersion`, `kind` and `metadata`. Others are kept as they are.
   *
   * @default - none
   */
  readonly properties?: { [name: string]: Schema };

  /**
   * Names of the required fields beside `apiVersion` and `kind` (`TC-CRD-REQUIRED`).
   *
   * @default - none
   */
  readonly required?: string[];
}
