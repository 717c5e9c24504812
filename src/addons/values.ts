/** Values of a Helm chart. */
export interface Values {
  readonly [key: string]: unknown;
}

/**
 * Lays values over values as Helm does with value files: maps are merged key by key, anything else is replaced, lists as a whole.
 *
 * `null` stays, because it is how Helm is told to drop a key that the chart sets itself; `undefined` counts as not given.
 *
 * Source: helm.sh/docs/chart_template_guide/values_files (deleting a default key).
 *
 * @param layers values, the strongest last
 */
export function mergeValues(...layers: readonly (Values | undefined)[]): Values {
  const merged = new Map<string, unknown>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer ?? {})) {
      const result = isMap(value) ? mergeMap(merged.get(key), value) : value;
      if (result !== undefined) merged.set(key, result);
    }
  }
  return Object.fromEntries(merged);
}

/** A map over what was there; undefined where nothing in it is given, and nothing was there. */
function mergeMap(below: unknown, map: Values): Values | undefined {
  const merged = mergeValues(isMap(below) ? below : undefined, map);
  return Object.keys(merged).length === 0 && Object.keys(map).length > 0 ? undefined : merged;
}

/**
 * A tree of maps with one value in it.
 *
 * @param path keys joined by dots, e.g. `webhook.tolerations`
 * @param value what is to be there
 */
export function valueAt(path: string, value: unknown): Values {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Values;
}

// Tokens and other objects of a class are values, not maps of values.
function isMap(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
