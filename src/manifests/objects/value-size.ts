/** Most levels of nesting that are walked through. */
export const DEEPEST = 500;

const MOST_BY_ALIASES = 1_000_000;

const MEBIBYTE = 1024 * 1024;

/**
 * Most characters of a string: an API server accepts no request that is larger, and matching longer strings can exhaust the stack.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/server/config.go (MaxRequestBodyBytes).
 */
export const LONGEST_STRING = 3 * MEBIBYTE;

/** String that the parser makes of a key that is a map; Kubernetes accepts no such keys. */
const MAP_AS_KEY = String({});

/**
 * Says why a value cannot be walked through: nested too deeply, containing itself, small text that aliases multiply without end, with maps as keys,
 * or with strings that are too long.
 *
 * @returns what is wrong with it, or undefined
 */
export function excess(value: unknown): string | undefined {
  const sizes = new Map<object, number>();
  let distinct = 0;

  const sizeOf = (part: unknown, depth: number): number => {
    distinct++;
    if (typeof part === 'string') checkLength(part);
    if (typeof part !== 'object' || part === null) return 1;
    const known = sizes.get(part);
    if (known === IN_PROGRESS) throw new Excess('contains itself by an alias');
    if (known !== undefined) return known;
    if (depth > DEEPEST) throw new Excess(`is nested more than ${DEEPEST} levels deep`);
    if (Object.hasOwn(part, MAP_AS_KEY)) throw new Excess('has an object as the key of another object');
    sizes.set(part, IN_PROGRESS);
    Object.keys(part).forEach(checkLength);
    const size = Object.values(part).reduce((sum: number, inner) => sum + sizeOf(inner, depth + 1), 1);
    sizes.set(part, size);
    return size;
  };

  try {
    return sizeOf(value, 0) > distinct + MOST_BY_ALIASES ? 'grows beyond all measure by its aliases' : undefined;
  } catch (error) {
    if (error instanceof Excess) return error.message;
    throw error;
  }
}

/** Returns the value of a JSON text; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const IN_PROGRESS = -1;

function checkLength(text: string): void {
  if (text.length <= LONGEST_STRING) return;
  throw new Excess(`has a string of ${Math.ceil(text.length / MEBIBYTE)} MiB; an API server accepts requests of at most ${LONGEST_STRING / MEBIBYTE} MiB`);
}

/** True if a value that contains no part of itself has a string that is too long. */
export function hasLongString(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONGEST_STRING;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.length > LONGEST_STRING || hasLongString(inner));
}

class Excess extends Error {}
