import { MachineOutcome } from '../outcome';

/** Changes of a cluster. */
export interface ClusterVerdict {
  readonly change?: 'created' | 'removed' | 'replaced';
  readonly controlPlane?: MachineOutcome;
  readonly pools?: Readonly<Record<string, MachineOutcome>>;
}

/** Actions of the real controllers on a pair. Empty if nothing happened. */
export interface Verdict {
  /** Objects that the server did not accept. */
  readonly refused?: readonly string[];

  /** True if controllers wait for something. */
  readonly waits?: boolean;
  readonly clusters?: Readonly<Record<string, ClusterVerdict>>;

  /** Changes of releases of Helm, by namespace and name. */
  readonly releases?: Readonly<Record<string, string>>;
}

/** A cluster in the output of the program in conformance/. */
export interface ClusterOutcome {
  readonly change: string;
  readonly controlPlane: MachineOutcome;
  readonly pools?: Readonly<Record<string, MachineOutcome>>;
}

/** A line of the output of the program in conformance/. */
export interface FolderOutcome {
  readonly id: string;
  readonly error?: string;
  readonly refused?: readonly { readonly object: string; readonly message: string }[];
  readonly waits?: string;
  readonly clusters?: Readonly<Record<string, ClusterOutcome>>;
  readonly releases?: Readonly<Record<string, string>>;

  /** Objects that the topology controller made of the old state and of the new one. */
  readonly topologies: readonly [readonly any[] | null, readonly any[] | null];
  readonly seconds: number;
}

/** A number of machines that no manifest asks for: the program in conformance/ waits no longer. */
export const ENDLESS = 40;

/** The outcome of a run, as it is recorded. */
export function verdictOf({ refused, waits, clusters = {}, releases = {} }: FolderOutcome): Verdict {
  return withoutEmpty({
    refused: refused?.map(({ object }) => object),
    waits: waits !== undefined && waits !== '' ? true : undefined,
    clusters: mapped(withoutTargets(clusters), ({ change, controlPlane, pools = {} }) => withoutEmpty({
      change: change === 'kept' ? undefined : change as ClusterVerdict['change'],
      controlPlane: isSame(controlPlane) ? undefined : controlPlane,
      pools: mapped(pools, (pool) => (isSame(pool) ? undefined : { ...pool, after: Math.min(pool.after, ENDLESS) })),
    })),
    releases: mapped(withoutTargets(releases), (change) => (change === 'kept' ? undefined : change)),
  });
}

/** The values without the folder in front of their names, where names of several folders do not collide. */
function withoutTargets<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  const short = (key: string): string => key.slice(key.indexOf(':') + 1);
  const isShared = (key: string): boolean => Object.keys(values).filter((other) => short(other) === short(key)).length > 1;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [isShared(key) ? key : short(key), value]));
}

/** True if both are equal. */
export function isSameVerdict(one: Verdict, other: Verdict): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isSame({ before, after, kept, newSets, changed }: MachineOutcome): boolean {
  return before === kept && after === kept && newSets === 0 && changed.length === 0;
}

function mapped<T, V extends string | object>(values: Readonly<Record<string, T>>, change: (value: T) => V | undefined): Record<string, V> {
  const entries = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => [key, change(value)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, V] => !isEmpty(entry[1])));
}

function withoutEmpty<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isEmpty(field))) as T;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
