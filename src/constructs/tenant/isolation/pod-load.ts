import { ContainerLimits } from './limit-range';
import { ContainerLoad } from '../../../manifests/objects/container-load';
import { Amounts, amountsOf, largerOf, sumOf } from '../../../manifests/values/amounts';

/** Equal pods that count against the quota of the namespace. */
export interface PodLoad {
  /** What the pods are, e.g. `machines of pool "acme-general"`. */
  readonly what: string;
  /** How many there are at most. */
  readonly count: number;
  /** How the number comes about, e.g. `(10 + 1 in a rollout)`. */
  readonly reckoning: string;
  readonly containers: readonly ContainerLoad[];
  readonly initContainers: readonly ContainerLoad[];
  /** What counts besides, for one pod, under the names that a quota has for it. */
  readonly besides: Amounts;
  /** What is special about pods that are virtual machines. */
  readonly machine?: { readonly cpus: bigint; readonly ephemeralDisk: boolean };
}

/** The container as the limit range lets it be. */
export function withDefaults({ name, requests, limits }: ContainerLoad, range: ContainerLimits): ContainerLoad {
  return { name, limits: { ...amountsOf(range.default), ...limits }, requests: { ...amountsOf(range.defaultRequest), ...requests } };
}

/** What one pod counts for, under the names that a quota has for it. */
export function podUsage(load: PodLoad, range: ContainerLimits): Amounts {
  const side = (name: 'requests' | 'limits') => largerOf(
    sumOf(load.containers.map((container) => withDefaults(container, range)[name])),
    load.initContainers.map((container) => withDefaults(container, range)[name]).reduce(largerOf, {}),
  );
  const requests = side('requests');
  return { ...requests, ...prefixed('requests.', requests), ...prefixed('limits.', side('limits')), ...load.besides };
}

function prefixed(prefix: string, amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([resource, amount]) => [`${prefix}${resource}`, amount]));
}
