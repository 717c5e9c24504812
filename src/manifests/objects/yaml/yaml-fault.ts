import { isPlainObject } from '../../values/fields';

/** Half a character outside the basic plane: UTF-8 cannot encode it, and a writer would replace it. */
export const HALF_CHARACTER = /\p{Surrogate}/u;

/** Deeper values are refused; those that contain themselves are. */
export const DEEPEST = 500;

const HALF = 'half a character (a surrogate without its other half)';

/** Describes the part of a value that YAML cannot express, with its JSON pointer; undefined if the value is valid. */
export function yamlFault(value: unknown, place = '', depth = 0): string | undefined {
  const what = scalarFault(value) ?? (depth > DEEPEST ? `nested deeper than ${DEEPEST} levels, or contains itself` : undefined);
  if (what !== undefined) return `${place === '' ? 'the document' : place} is ${what}`;
  if (typeof value !== 'object' || value === null) return undefined;
  // Gaps of lists are among their entries.
  const entries: Iterable<[number | string, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, item] of entries) {
    const key = String(name);
    const inside = `${place}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
    const fault = HALF_CHARACTER.test(key) ? `${inside} is a key with ${HALF}` : yamlFault(item, inside, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function scalarFault(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') return HALF_CHARACTER.test(value) ? `a string with ${HALF}` : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`;
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Array.isArray(value) || isPlainObject(value) ? undefined : `an object of class ${value.constructor?.name}`;
}
