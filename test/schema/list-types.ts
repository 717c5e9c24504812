import { canonical, isObject, Json, shown, StructuralSchema } from './structural-schema';

/** Entries that a list of type `set` or `map` holds twice. */
export function duplicateErrors(schema: StructuralSchema, list: readonly unknown[], path: string): string[] {
  const identity = identityOf(schema);
  if (!identity) return [];

  const first = new Map<string, number>();
  return list.flatMap((item, index) => {
    const key = identity(item);
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    return before === undefined ? [] : [`${path}[${index}]: duplicate of ${path}[${before}], got ${shown(item)}`];
  });
}

/** The entry of an older list that a server takes for the predecessor of `item`: only lists of type `map` have one. */
export function predecessor(schema: StructuralSchema, item: unknown, older: unknown): Json | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(older)) return undefined;
  const identity = identityOf(schema)!;
  return older.find(candidate => identity(candidate) === identity(item)) as Json | undefined;
}

function identityOf(schema: StructuralSchema): ((item: unknown) => string) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  switch (schema['x-kubernetes-list-type']) {
    case 'set': return canonical;
    case 'map': return item => canonical(isObject(item) ? keys.map(key => item[key] ?? null) : item);
    default: return undefined;
  }
}
