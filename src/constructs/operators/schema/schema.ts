import { ListType, MapType } from './list-type';
import { SchemaValidation } from './schema-validation';
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

/** Options of the schema of any value. */
export interface SchemaOptions {
  /**
   * Description of the value, as `kubectl explain` shows it.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * True if the value may be `null`. A `null` that is not allowed is dropped by the API server.
   *
   * @default false
   */
  readonly nullable?: boolean;

  /**
   * CEL rules that the value must satisfy (`TC-CRD-VALIDATION`, `TC-CRD-VALIDATION-COST`, `TC-CRD-TRANSITION`).
   *
   * @default - none
   */
  readonly validations?: SchemaValidation[];

  /**
   * Value that the API server writes if the field is missing; it must fit the schema. Entries of lists and maps have none.
   *
   * Rule: `TC-CRD-DEFAULT`.
   *
   * @default - none: a missing field stays missing
   */
  readonly default?: any;
}

/** The schema of text. */
export interface StringSchemaOptions extends SchemaOptions {
  /**
   * The accepted values (`TC-CRD-BOUNDS`).
   *
   * @default - any
   */
  readonly enum?: string[];

  /**
   * Regular expression, in the syntax of Go, that matches somewhere in the text: use `^` and `$` for the whole of it
   * (`TC-CRD-PATTERN`).
   *
   * @default - any text
   */
  readonly pattern?: string;

  /**
   * Least length, in characters (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minLength?: number;

  /**
   * Largest length, in characters (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxLength?: number;

  /**
   * A format that the API server knows, e.g. `date-time`, `ipv4`, `cidr` (`TC-CRD-FORMAT`).
   *
   * @default - none
   */
  readonly format?: string;
}

/** The schema of a number, whole or not. */
export interface NumberSchemaOptions extends SchemaOptions {
  /**
   * The accepted values (`TC-CRD-BOUNDS`).
   *
   * @default - any
   */
  readonly enum?: number[];

  /**
   * Smallest value (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly minimum?: number;

  /**
   * Largest value (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maximum?: number;

  /**
   * True if `minimum` itself is refused.
   *
   * @default false
   */
  readonly exclusiveMinimum?: boolean;

  /**
   * True if `maximum` itself is refused.
   *
   * @default false
   */
  readonly exclusiveMaximum?: boolean;

  /**
   * Number that the value is a multiple of, above 0 (`TC-CRD-BOUNDS`).
   *
   * @default - any
   */
  readonly multipleOf?: number;

  /**
   * Size of the number: `int32` or `int64` for whole ones, `float` or `double` (`TC-CRD-FORMAT`).
   *
   * @default - 64 bits
   */
  readonly format?: string;
}

/** The schema of a list. */
export interface ArraySchemaOptions extends SchemaOptions {
  /**
   * Least number of entries (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minItems?: number;

  /**
   * Largest number of entries (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxItems?: number;

  /**
   * Merge of the list with server-side apply.
   *
   * @default ListType.ATOMIC
   */
  readonly listType?: ListType;
}

/** The schema of an object with keys that the user chooses. */
export interface MapSchemaOptions extends SchemaOptions {
  /**
   * Least number of keys (`TC-CRD-BOUNDS`).
   *
   * @default 0
   */
  readonly minProperties?: number;

  /**
   * Largest number of keys (`TC-CRD-BOUNDS`).
   *
   * @default - no limit
   */
  readonly maxProperties?: number;

  /**
   * Merge of the object with server-side apply.
   *
   * @default MapType.GRANULAR
   */
  readonly mapType?: MapType;
}

/** The schema of a value that is a whole number or text. */
export interface IntOrStringSchemaOptions extends SchemaOptions {
  /**
   * Regular expression, in the syntax of Go, for texts, e.g. `^[0-9]+%$` (`TC-CRD-PATTERN`).
   *
   * @default - any text
   */
  readonly pattern?: string;
}
