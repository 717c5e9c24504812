import { Problem } from '../../../manifests/values/problem';

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
