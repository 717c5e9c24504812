import { NANO } from '../values/quantity';
import { Taint } from '../values/taints';

/** Amounts of resources as the scheduler counts them: thousandths of a CPU, bytes, whole devices. */
export type Counted = ReadonlyMap<string, number>;

/** The resource of the pods themselves. */
export const PODS = 'pods';

/** A host, as far as the scheduler sees it. */
export interface Host {
  readonly name: string;

  /** The entry of the list that it is of, or what its node says of its size. */
  readonly kind: string;
  readonly zone?: string;
  readonly labels: Readonly<Record<string, string>>;

  /** True if all labels are known, so that one that is not there is missing. */
  readonly isNode: boolean;
  readonly taints: readonly Taint[];

  /** Everything that pods can request. */
  readonly allocatable: Counted;
}

/** A pod that runs on a host already. */
export interface RunningPod {
  readonly namespace: string;
  readonly name: string;
  readonly host: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly requests: Counted;
}

/** Label with the zone of a node. */
export const ZONE = 'topology.kubernetes.io/zone';

/** Label with the name of a node. */
export const HOSTNAME = 'kubernetes.io/hostname';

/**
 * An amount as the scheduler counts it, rounded up.
 *
 * Source: kubernetes/kubernetes pkg/scheduler/framework/types.go (Resource.Add).
 */
export function counted(resource: string, amount: bigint): number {
  const unit = resource === 'cpu' ? NANO / 1000n : NANO;
  return Number((amount + unit - 1n) / unit);
}

/** Amounts as the scheduler counts them; without those that are 0. */
export function countedAmounts(amounts: Readonly<Record<string, bigint>>): Counted {
  return new Map(Object.entries(amounts).map(([resource, amount]): [string, number] => [resource, counted(resource, amount)])
    .filter(([, number]) => number > 0).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** True for resources that the scheduler counts on every host; others only where the host states them. */
export function isCountedOn(resource: string, { allocatable, isNode }: Host): boolean {
  return isNode || resource !== 'ephemeral-storage' || allocatable.has(resource);
}
