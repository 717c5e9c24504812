/** The names of fields in order. */
export function sortedKeys(map: object): string[] {
  return inNameOrder(Object.keys(map));
}

/** Names in order; the same list if they are already, as many are from the start. */
export function inNameOrder(names: string[]): string[] {
  for (let index = 1; index < names.length; index++) if (names[index] < names[index - 1]) return [...names].sort();
  return names;
}

/** Some fields of a map. */
export function someOf(map: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const key of keys) setOwn(fields, key, map[key]);
  return fields;
}

/** Sets a field: an assignment to `__proto__` would set none. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    target[key] = value;
  }
}
