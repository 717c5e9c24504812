import { fieldPath, fieldSchema, isObject, Json, JsonObject, StructuralSchema } from './structural-schema';

/** An object as the server stores it, and what the server had to add to it. */
export interface Defaulted {
  readonly object: JsonObject;
  /** One entry per added field, as `path: value`; the parts of an added value have no entry of their own. */
  readonly added: string[];
}

/** Applies the defaults of a structural schema as an API server does, to a copy. */
export function applyDefaults(object: JsonObject, schema: StructuralSchema): Defaulted {
  const added: string[] = [];
  return { object: withDefaults(schema, object, '', added) as JsonObject, added };
}

/**
 * The paths of the fields that an API server would add to an object by the defaults of its schema,
 * as `path: value`. `status` is left out: it belongs to the controllers.
 *
 * @param allow paths that may be missing, `[*]` for any position of a list or any key of an object
 */
export function defaultsMissing(object: JsonObject, schema: StructuralSchema, allow: readonly string[] = []): string[] {
  const { status: _, ...spec } = object;
  return applyDefaults(spec, schema).added.filter(entry => {
    const path = entry.slice(0, entry.indexOf(': '));
    return path !== 'status' && !allow.includes(path) && !allow.includes(path.replace(/\[[^\]]*\]/g, '[*]'));
  });
}

function withDefaults(schema: StructuralSchema, value: Json, path: string, added: string[] | undefined): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, index) => withDefaults(items, item, `${path}[${index}]`, added)) : value;
  }
  if (!isObject(value)) return value;

  const result: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    const childSchema = fieldSchema(schema, key);
    result[key] = childSchema ? withDefaults(childSchema, child, fieldPath(path, key, schema), added) : child;
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || result[key] !== undefined) continue;
    const at = fieldPath(path, key);
    result[key] = withDefaults(property, property.default, at, undefined);
    added?.push(`${at}: ${JSON.stringify(property.default)}`);
  }
  return result;
}
