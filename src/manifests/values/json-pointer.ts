import { fieldAt } from './fields';

/** A JSON pointer (RFC 6901) to a path of field names. */
export function pointerTo(path: readonly string[]): string {
  return path.map((part) => `/${part.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

/** The field names of a JSON pointer. */
export function pathOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/**
 * The paths that a pattern with `*` matches: every item of a list, every key of an object. All fields of a path but the last must exist.
 *
 * @param value where the path starts
 * @param pattern field names joined by slashes, e.g. `spec/containers/N/image` with `*` for N
 */
export function matchingPaths(value: unknown, pattern: string): string[][] {
  const parts = pattern.split('/');
  const below = (here: unknown, path: string[]): string[][] => {
    if (path.length === parts.length) return [path];
    if (typeof here !== 'object' || here === null) return [];
    const part = parts[path.length];
    const names = part === '*' ? Object.keys(here) : Object.hasOwn(here, part) || path.length === parts.length - 1 ? [part] : [];
    return names.flatMap((name) => below(fieldAt(here, name), [...path, name]));
  };
  return below(value, []);
}

/**
 * A copy of a value with other values in some places. What does not change is shared with the original; maps on the way are made when
 * they are missing.
 *
 * @param value plain JSON
 * @param changes new values by JSON pointer
 */
export function withValues<T>(value: T, changes: ReadonlyMap<string, unknown>): T {
  let result: unknown = value;
  for (const [pointer, change] of changes) result = withValue(result, pathOf(pointer), change);
  return result as T;
}

function withValue(value: unknown, [first, ...rest]: readonly string[], change: unknown): unknown {
  if (first === undefined) return change;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (`${index}` === first ? withValue(item, rest, change) : item));
  return { ...(value as object | undefined), [first]: withValue(fieldAt(value, first), rest, change) };
}
