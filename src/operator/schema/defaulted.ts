import { isJsonObject, Json, JsonSchema, schemaOfField } from './json-schema';

/**
 * A value with what the API server adds by default, as a copy.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go.
 */
export function defaulted(schema: JsonSchema, value: Json): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item: Json) => defaulted(items, item)) : value;
  }
  if (!isJsonObject(value)) return value;
  const missing = Object.entries(schema.properties ?? {})
    .filter(([name, property]) => property.default !== undefined && value[name] === undefined)
    .map(([name, property]): [string, Json] => [name, property.default!]);
  return Object.fromEntries([...Object.entries(value), ...missing].map(([name, child]) => {
    const inner = schemaOfField(schema, name);
    return [name, inner ? defaulted(inner, child) : child];
  }));
}
