import { Lazy } from 'cdk8s';
import { kindOf, UnmergedValue } from '../../../manifests/values/chart-values';

/** A place in a chart's values that YAML cannot hold. */
export interface UnwritableValue {
  /** Path of the value, as keys joined by dots. */
  readonly path: string;

  /** Description of the value. */
  readonly what: string;
}

/** Description of values that are not a map of keys; undefined for a map. */
export function noMap(values: unknown): string | undefined {
  if (values instanceof UnmergedValue) return values.what;
  return values === undefined || values === null || (typeof values === 'object' && !Array.isArray(values)) ? undefined : kindOf(values);
}

/**
 * Finds everything that YAML cannot hold in a chart's values. Tokens are left to the writer, which knows what they stand for.
 *
 * @param value the values
 * @param path where they are
 */
export function unwritableValues(value: unknown, path = '', above: readonly unknown[] = []): UnwritableValue[] {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [{ path, what: `the number ${value}` }];
  if (value instanceof UnmergedValue) return [{ path, what: value.what }];
  if (typeof value !== 'object') return [{ path, what: `a ${typeof value}` }];
  if (above.includes(value)) return [{ path, what: 'a value that contains itself' }];
  const inner = [...above, value];
  if (Array.isArray(value)) return value.flatMap((item, index) => unwritableValues(item, `${path}[${index}]`, inner));
  if (value instanceof Lazy || typeof Reflect.get(value, 'resolve') === 'function') return [];
  if (Object.getPrototypeOf(value) !== null && value.constructor?.name !== 'Object') {
    // The shell of an int-or-string is written as what it holds.
    return ['string', 'number'].includes(typeof Reflect.get(value, 'value')) ? [] : [{ path, what: `an object of class ${value.constructor?.name}` }];
  }
  return Object.entries(value).flatMap(([key, item]) => unwritableValues(item, path === '' ? key : `${path}.${key}`, inner));
}
