import { OpenApiSchema } from '../crds/definition';

/** A schema that holds nothing but what decides about types. */
export interface TypeSchema {
  readonly $ref?: string;
  readonly type?: string;
  /** The place in the API, for example `Cluster.spec.topology`. */
  readonly description?: string;
  readonly enum?: Array<string | number>;
  readonly required?: string[];
  readonly properties?: Record<string, TypeSchema>;
  readonly items?: TypeSchema;
  readonly additionalProperties?: TypeSchema;
}

/** The class for values that are a number or a string. */
export const INT_OR_STRING = 'IntOrString';

/** The class for amounts such as `500m` and `16Gi`. */
export const QUANTITY = 'Quantity';

/** Beginning of the pattern of every Kubernetes quantity. */
const QUANTITY_PATTERN = '^(\\+|-)?(([0-9]+';

/**
 * Reduces an upstream schema to types: no prose, no rules that a type cannot express.
 *
 * @param schema the schema as upstream wrote it
 * @param place where it stands in the API
 */
export function typeSchema(schema: OpenApiSchema, place: string): TypeSchema {
  if (schema['x-kubernetes-int-or-string']) {
    return { $ref: `#/definitions/${schema.pattern?.startsWith(QUANTITY_PATTERN) ? QUANTITY : INT_OR_STRING}`, description: place };
  }
  if (schema.properties && Object.keys(schema.properties).length > 0) {
    return structSchema(schema, place);
  }
  if (schema.additionalProperties) {
    const values = schema.additionalProperties === true ? {} : schema.additionalProperties;
    return { type: 'object', description: place, additionalProperties: typeSchema(values, `${place}.*`) };
  }
  switch (schema.type) {
    case 'array':
      return { type: 'array', description: place, items: typeSchema(schema.items ?? {}, `${place}[]`) };
    case 'string':
    case 'integer':
    case 'number':
      return { type: schema.type, description: place, ...enumOf(schema, place) };
    case 'boolean':
      return { type: 'boolean', description: place };
    case 'object':
    case undefined:
      return { description: place };
    default:
      throw new Error(`${place} has type '${schema.type}', for which no TypeScript type is known`);
  }
}

function structSchema(schema: OpenApiSchema, place: string): TypeSchema {
  const properties = Object.entries(schema.properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    type: 'object',
    description: place,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, typeSchema(property, `${place}.${name}`)])),
    // The API server fills in defaults before it looks for required fields.
    required: schema.required?.filter(name => schema.properties?.[name]?.default === undefined),
  };
}

/**
 * The choices of a field. Types cannot tell values apart that differ in case only: such a field is a plain string.
 * An empty value means the same as no value.
 */
function enumOf(schema: OpenApiSchema, place: string): Pick<TypeSchema, 'enum'> {
  if (!schema.enum) { return {}; }
  const values = schema.enum.filter(value => value !== '' && value !== null);
  if (!values.every(value => typeof value === 'string' || typeof value === 'number')) {
    throw new Error(`${place} has choices that are neither strings nor numbers: ${JSON.stringify(schema.enum)}`);
  }
  const distinct = new Set(values.map(value => String(value).toLowerCase()));
  return values.length > 0 && distinct.size === values.length ? { enum: values } : {};
}
