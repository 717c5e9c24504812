import { isFields } from '../../values/fields';

/** True if two values say the same to a server: the order of keys does not matter, and `null` counts as nothing. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((item, index) => sameValue(item, other[index]));
  if (isFields(one)) {
    if (!isFields(other)) return false;
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].every((key) => sameValue(ownValue(one, key), ownValue(other, key)));
  }
  return isNothing(one) && isNothing(other);
}

function ownValue(fields: object, key: string): unknown {
  return Object.hasOwn(fields, key) ? Reflect.get(fields, key) : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
