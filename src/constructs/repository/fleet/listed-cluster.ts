import { FieldPath, isPlainObject } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';

/** A place for messages: `clusters.csv:12`. It is computed only when a message needs it. */
export type Place = () => string;

/** A value of a cluster. */
export interface ListedValue {
  /** A string if it comes from a cell of a table; any value if it comes from YAML, JSON or code. */
  readonly value: unknown;
  readonly place: Place;
}

/** Values by key. The key of a nested value joins the keys with a dot: `pool.size`. */
export type ListedValues = ReadonlyMap<string, ListedValue>;

/** One entry of a list. */
export interface ListedCluster {
  readonly place: Place;
  readonly values: ListedValues;
}

/** The result of reading a list. */
export interface ReadList {
  readonly clusters: readonly ListedCluster[];
  readonly problems: readonly Problem[];
}

/** Prefix of the keys of labels. */
export const LABELS = 'labels.';

/** Keys of the fields of every cluster, besides its labels. */
export const FIXED_KEYS: readonly string[] = ['name', 'namespace', 'profile', 'ring', 'region', 'network', 'kubernetesVersion', 'versions', 'decommission', 'hibernation'];

/** True if the library itself reads the value of a key. */
export function isFixed(key: string): boolean {
  return FIXED_KEYS.includes(key) || key.startsWith(LABELS);
}

/** Formats a value for a message. JSON cannot express NaN and Infinity. */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner)) ?? String(value);
}

/** Values by key, and the problems of the keys. */
export interface FlatValues {
  readonly values: Map<string, ListedValue>;
  readonly problems: Problem[];
}

export const COLUMN_RULE: Rule = {
  id: 'TC-FLEET-COLUMN',
  title: 'Column names must be unique, each row must have one cell per column, and each value of an entry must have one key.',
  source: 'RFC 4180, section 2',
};

/**
 * Flattens nested objects into the keys of a table: `pool.size`. Null values are skipped.
 *
 * @param map the values
 * @param placeOf the place of the value at a path
 */
export function flatValues(map: object, placeOf: (path: FieldPath) => Place): FlatValues {
  const values = new Map<string, ListedValue>();
  const problems: Problem[] = [];

  const walk = (inner: object, above: FieldPath): void => {
    for (const [name, value] of Object.entries(inner)) {
      const path = [...above, name];
      if (value === null || value === undefined) continue;
      if (isPlainObject(value)) {
        walk(value, path);
        continue;
      }
      const key = path.join('.');
      const place = placeOf(path);
      const other = values.get(key);
      if (other) {
        problems.push({
          rule: COLUMN_RULE,
          property: `${place()} ${key}`,
          message: `"${key}" is also set in ${other.place()}, where the key is written differently`,
          fix: 'remove one of the two',
        });
      } else {
        values.set(key, { value: value as unknown, place });
      }
    }
  };

  walk(map, []);
  return { values, problems };
}

const MOST_NAMED = 10;

/** The part of a cluster that a message needs to name it. */
export interface NamedCluster {
  readonly name: string;
  readonly _place: Place;
}

/** Name and place of a cluster, for a message. */
export function nameText({ name, _place: place }: NamedCluster): string {
  return `"${name}" (${place()})`;
}

/** Lists the first clusters for a message, and counts the rest. */
export function namesText(clusters: readonly NamedCluster[]): string {
  return cutText(clusters, nameText);
}

/** Lists the first items for a message, and counts the rest. */
export function cutText<T>(things: readonly T[], textOf: (thing: T) => string): string {
  const named = things.slice(0, MOST_NAMED).map(textOf);
  const more = things.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return [...named.slice(0, -2), named.slice(-2).join(' and ')].join(', ');
}
