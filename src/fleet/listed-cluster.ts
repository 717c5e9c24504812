import { Problem } from '../validation/problem';

/** Where something stands, for people: `clusters.csv:12`. It is found out only when somebody is told. */
export type Place = () => string;

/** A value of a cluster. */
export interface ListedValue {
  /** A text, as every cell of a table is one; or what else YAML, JSON and programs have. */
  readonly value: unknown;
  readonly place: Place;
}

/** Values by key. A value in a map has the keys of both, with a dot between: `pool.size`. */
export type ListedValues = ReadonlyMap<string, ListedValue>;

/** What a list says of one cluster. */
export interface ListedCluster {
  readonly place: Place;
  readonly values: ListedValues;
}

/** A list as it was read, right or wrong. */
export interface ReadList {
  readonly clusters: readonly ListedCluster[];
  readonly problems: readonly Problem[];
}

/** Prefix of the keys of labels. */
export const LABELS = 'labels.';

/** Keys of what every cluster has or may have, beside its labels. */
export const FIXED_KEYS: readonly string[] = ['name', 'namespace', 'profile', 'ring', 'region', 'network', 'kubernetesVersion', 'decommission'];

/** Whether the library itself reads the value of a key. */
export function isFixed(key: string): boolean {
  return FIXED_KEYS.includes(key) || key.startsWith(LABELS);
}

/** A value as a message shows it. JSON has no word for numbers that are none, or endless. */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner)) ?? String(value);
}
