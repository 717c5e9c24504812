import { Host } from './host';
import { NamedGroup, PodGroup, UnplacedMachines } from './pod-group';
import { Shortage } from './shortage';

/** The loss that is assumed beside everything at its largest. */
export type Loss = 'none' | 'host' | 'zone';

/** The clusters that roll out at the same time. */
export type Rollout = 'none' | 'cluster' | 'ring' | 'all';

/** The questions. */
export interface CapacityOptions {
  readonly loss: Loss;
  readonly rollout: Rollout;

  /**
   * The label of a Cluster that names its ring.
   *
   * @default - no rings
   */
  readonly ringLabel?: string;
}

/**
 * `fits`: a placement was found; `short`: a placement is proved impossible; `open`: none was found, and none of the proofs excludes one;
 * `unknown`: a placement was found, but the size of some machines is not known.
 */
export type Verdict = 'fits' | 'short' | 'open' | 'unknown';

/** Pods, or machines, without a place. */
export interface LeftPods {
  readonly group: NamedGroup;
  readonly count: number;
}

/** The answer to a question. */
export interface Scenario {
  readonly name: 'maximum' | 'rollout' | 'loss';
  readonly verdict: Verdict;

  /** Number of its cases, such as hosts that may be lost, each with a rollout. */
  readonly cases: number;

  /** A case that does not fit. */
  readonly failing?: { readonly lost?: string; readonly rollout?: string };
  readonly left: readonly LeftPods[];

  /** Pods that name the zone that they are for, and are lost with it. */
  readonly lost?: readonly LeftPods[];
  readonly shortage?: Shortage;
}

/** Hosts of a kind that would make everything fit. */
export interface MoreHosts {
  readonly kind: string;
  readonly count: number;
}

/** Hosts that are alike, and what is requested of them when everything has its largest size. */
export interface HostKind {
  readonly kind: string;
  readonly count: number;
  readonly zones: readonly string[];

  /** By resource: the amount that everything at its largest takes in the placement that was found, and the whole. */
  readonly usage: ReadonlyMap<string, readonly [taken: number, total: number]>;
}

/** A host, and what is on it. */
export interface HostUsage {
  readonly host: Host;
  readonly usage: ReadonlyMap<string, readonly [taken: number, total: number]>;

  /** Clusters that have pods on it now. */
  readonly clusters: readonly string[];
}

/** Numbers of pods, at the smallest and at the largest size. */
export interface PodNumbers {
  readonly minimum: number;
  readonly maximum: number;
}

/** Room on hosts. */
export interface Capacity {
  readonly options: CapacityOptions;
  readonly hosts: readonly HostUsage[];
  readonly kinds: readonly HostKind[];
  readonly clusters: number;
  readonly groups: readonly PodGroup[];
  readonly scenarios: readonly Scenario[];

  /** The verdict of all scenarios. */
  readonly verdict: Verdict;

  /** Additions of hosts that would each make it fit; empty where it fits, or no number of hosts helps. */
  readonly more: readonly MoreHosts[];

  /** True if everything fits, too, when each pod goes to the emptiest host, as the scheduler prefers; undefined if it was not tried. */
  readonly fitsEvenly?: boolean;
  readonly unplaced: readonly UnplacedMachines[];
  readonly notes: readonly string[];
}
