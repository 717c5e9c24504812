import { Amounts, amountsOf, largerOf, sumOf } from './amounts';
import { ContainerLimits } from './limit-range';
import { listAt, textAt, valueAt } from './manifest-fields';

/** What a container asks for. */
export interface ContainerLoad {
  readonly name: string;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

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

/** Reads the containers of a pod template. */
export function containersOf(podSpec: unknown, field: string): ContainerLoad[] {
  return listAt(podSpec, field).map((container) => containerOf(textAt(container, 'name'), valueAt(container, 'resources')));
}

/** Reads the resources of one container; a request that is missing is as large as the limit, as the API server has it. */
export function containerOf(name: string, resources: unknown): ContainerLoad {
  const limits = amountsOf(valueAt(resources, 'limits'));
  return { name, limits, requests: { ...limits, ...amountsOf(valueAt(resources, 'requests')) } };
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
