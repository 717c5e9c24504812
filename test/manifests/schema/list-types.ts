import { canonical, isObject, Json, StructuralSchema } from './structural-schema';

/** The entry of an older list that a server takes for the predecessor of `item`: only lists of type `map` have one. */
export function predecessor(schema: StructuralSchema, item: unknown, older: unknown): Json | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(older)) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = (entry: unknown) => canonical(isObject(entry) ? keys.map((key) => entry[key] ?? null) : entry);
  return older.find((candidate) => identity(candidate) === identity(item)) as Json | undefined;
}
