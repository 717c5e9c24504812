import { isPlainObject } from './fields';

/** Values of a Helm chart. */
export interface Values {
  readonly [key: string]: unknown;
}

/** Stands where something was that cannot be merged, until the chart is checked (`TC-DELIVERY-VALUES`). */
export class UnmergedValue implements Values {
  readonly [key: string]: unknown;

  /**
   * @param what what was there
   */
  public constructor(public readonly what: string) {}
}

/**
 * Merges values as Helm does with value files: objects are merged key by key, other values are replaced, lists as a whole.
 *
 * `null` stays, because it makes Helm remove a default of the chart; `undefined` counts as unset. A value that is no object, or that
 * contains itself, is replaced by an `UnmergedValue`.
 *
 * Source: helm.sh/docs/chart_template_guide/values_files (deleting a default key).
 *
 * @param layers values, the strongest last
 */
export function mergeValues(...layers: readonly (Values | undefined)[]): Values {
  const given = layers.filter((layer) => layer !== undefined && layer !== null);
  const other: unknown = given.find((layer) => !isPlainObject(layer));
  if (other === undefined) return merge(given, []);
  return other instanceof UnmergedValue ? other : new UnmergedValue(kindOf(other));
}

/** Description of a value that is no map. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? `an object of class ${value.constructor?.name}` : `the ${typeof value} ${JSON.stringify(value)}`;
}

/** Merges maps that are inside the others. */
function merge(layers: readonly Values[], above: readonly unknown[]): Values {
  const merged = new Map<string, unknown>();
  for (const layer of layers) {
    const inner = [...above, layer];
    for (const [key, value] of Object.entries(layer)) {
      const result = mergeValue(merged.get(key), value, inner);
      if (result !== undefined) merged.set(key, result);
    }
  }
  return Object.fromEntries(merged);
}

/** A value over what was there; undefined for a map where nothing in it is given, and nothing was there. */
function mergeValue(below: unknown, value: unknown, above: readonly unknown[]): unknown {
  if (isEndless(value, above)) return new UnmergedValue('a value that contains itself');
  if (!isPlainObject(value)) return value;
  const merged = merge([...(isPlainObject(below) ? [below] : []), value], above);
  return Object.keys(merged).length === 0 && Object.keys(value).length > 0 ? undefined : merged;
}

/**
 * True if a value contains itself, or one that it is in. What is in a map is asked for when the map is merged, unless a list has the map.
 */
function isEndless(value: unknown, above: readonly unknown[], inList = false): boolean {
  if (above.includes(value)) return true;
  const parts: unknown[] = Array.isArray(value) ? value : inList && isPlainObject(value) ? Object.values(value) : [];
  return parts.some((part) => isEndless(part, [...above, value], true));
}

/**
 * A tree of maps with one value in it.
 *
 * @param path keys joined by dots, e.g. `webhook.tolerations`
 * @param value what is to be there
 */
export function nestedValue(path: string, value: unknown): Values {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Values;
}
