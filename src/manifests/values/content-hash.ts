import { nodeCrypto } from './node-crypto';

/**
 * The content of a value as text that does not depend on the order of keys: JSON without white space, keys sorted by code unit,
 * absent and undefined fields left out, arrays in their own order.
 *
 * Throws on what JSON cannot hold (functions, symbols, bigints, NaN, infinities, cycles): two different values must never become
 * the same text.
 */
export function canonicalJson(value: unknown): string {
  return write(value, []) ?? 'null';
}

/**
 * The hash that names immutable objects by their content: SHA-256 over the canonical JSON, in lower-case hex.
 *
 * @param value plain data, tokens resolved
 * @param digits how many hex digits to keep, 8 to 64
 */
export function contentHash(value: unknown, digits = 8): string {
  if (!Number.isInteger(digits) || digits < 8 || digits > 64) {
    throw new RangeError(`${digits} hex digits cannot name content; accepted are whole numbers from 8 to 64`);
  }
  return nodeCrypto().createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex').slice(0, digits);
}

/** Reason that a value cannot be written as JSON; undefined if it can. */
export function jsonFault(value: unknown): string | undefined {
  try {
    canonicalJson(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function write(value: unknown, path: readonly unknown[]): string | undefined {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') {
    throw new TypeError(`a value of type ${typeof value} (${String(value)}) has no canonical JSON`);
  }
  if (path.includes(value)) {
    throw new TypeError('a value that contains itself has no canonical JSON');
  }
  const inner = [...path, value];
  if (hasToJson(value)) {
    return write(value.toJSON(), inner);
  }
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item) => write(item, inner) ?? 'null').join(',')}]`;
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = entries.flatMap(([key, item]) => {
    const text = write(item, inner);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${fields.join(',')}}`;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}
