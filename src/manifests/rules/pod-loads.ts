import { MAX_SIZE, MIN_SIZE } from './cluster-api/autoscaler-annotations';
import { ControlPlanePods, MachinePod, PublishedService } from './cluster-facts';
import { podOf } from './pod-objects';
import { ContainerLoad, containersOf } from '../objects/container-load';
import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, Fields, isFields, isSet, numberAt, stringAt } from '../values/fields';
import { Amounts, amountsOf, amountText, largerOf, NANO, sumOf } from '../values/quantity';

/** Defaults and bounds that a limit range gives containers, with everything that the API server adds to it. */
export interface ContainerLimits {
  readonly default: { readonly [resource: string]: string };
  readonly defaultRequest: { readonly [resource: string]: string };
  readonly min: { readonly [resource: string]: string };
  readonly max: { readonly [resource: string]: string };
}

/** Equal pods that count against the quota of the namespace. */
export interface PodLoad {
  /** Description of the pods, e.g. `machines of pool "acme-general"`. */
  readonly what: string;
  /** The largest number of pods. */
  readonly count: number;
  /** The calculation of the number, e.g. `(10 + 1 in a rollout)`. */
  readonly reckoning: string;
  readonly containers: readonly ContainerLoad[];
  readonly initContainers: readonly ContainerLoad[];
  /** Further amounts of one pod, under the names that a quota has for them. */
  readonly besides: Amounts;
  /** Amounts that one of the pods takes for a time while it starts, and gives back. */
  readonly meanwhile?: Amounts;
  /** Facts about pods that are virtual machines. */
  readonly machine?: { readonly cpus: bigint; readonly ephemeralDisk: boolean };
}

/** The container with the defaults of the limit range. */
export function withDefaults({ name, requests, limits }: ContainerLoad, range: ContainerLimits): ContainerLoad {
  return { name, limits: { ...amountsOf(range.default), ...limits }, requests: { ...amountsOf(range.defaultRequest), ...requests } };
}

/** The requests or limits of one pod: the sum of its containers, or the largest of its init containers. */
export function podSide({ containers, initContainers }: Pick<PodLoad, 'containers' | 'initContainers'>, range: ContainerLimits, name: 'requests' | 'limits'): Amounts {
  return largerOf(
    sumOf(containers.map((container) => withDefaults(container, range)[name])),
    initContainers.map((container) => withDefaults(container, range)[name]).reduce(largerOf, {}),
  );
}

/** The amounts of one pod, under the names that a quota has for them. */
function podUsage(load: PodLoad, range: ContainerLimits): Amounts {
  const requests = podSide(load, range, 'requests');
  return { ...requests, ...prefixed('requests.', requests), ...prefixed('limits.', podSide(load, range, 'limits')), ...load.besides };
}

function prefixed(prefix: string, amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([resource, amount]) => [`${prefix}${resource}`, amount]));
}

/** The load of a hosted control plane during a rollout. */
export function hostedLoad({ replicas, strategy, containers, initContainers }: ControlPlanePods): PodLoad {
  return {
    what: 'pods of the control plane',
    ...replicasOf({ replicas }, strategy),
    containers,
    initContainers,
    besides: { 'pods': NANO, 'count/pods': NANO },
  };
}

/** Amounts of a quota that a Service takes (kubernetes/kubernetes pkg/quota/v1/evaluator/core/services.go). */
export function serviceLoad(what: string, { type = 'ClusterIP', ports }: PublishedService): PodLoad {
  return {
    what,
    count: 1,
    reckoning: '1',
    containers: [],
    initContainers: [],
    besides: {
      'services': NANO,
      'count/services': NANO,
      ...(type === 'LoadBalancer' && { 'services.loadbalancers': NANO }),
      ...(['LoadBalancer', 'NodePort'].includes(type) && { 'services.nodeports': NANO * BigInt(ports) }),
    },
  };
}

/** The load of a controller of the cluster during a rollout. */
export function deploymentLoad(deployment: ManifestObject): PodLoad {
  const spec = fieldAt(deployment, 'spec');
  const pod = fieldAt(spec, 'template', 'spec');
  return {
    what: `pods of the Deployment ${stringAt(deployment, 'metadata', 'name')}`,
    ...replicasOf(spec, fieldAt(spec, 'strategy')),
    containers: containersOf(pod, 'containers'),
    initContainers: containersOf(pod, 'initContainers'),
    besides: { 'pods': NANO, 'count/pods': NANO },
  };
}

/** One pod of any kind that has pods; undefined for one that sets resources for the pod as a whole. */
export function podLoad(workload: ManifestObject): PodLoad | undefined {
  const pod = podOf(workload);
  if (!pod || isSet(pod.spec, 'resources')) return undefined;
  const containers = (list: string) => containersOf(pod.spec, list);
  return {
    what: `${String(workload.kind)} ${stringAt(workload, 'metadata', 'name') ?? ''}`, count: 1, reckoning: '1', containers: containers('containers'), initContainers: containers('initContainers'), besides: ONE_POD,
  };
}

/** Deployments round percentages of a surge up; the default surge is 25 %. */
function replicasOf(spec: unknown, strategy: unknown): Pick<PodLoad, 'count' | 'reckoning'> {
  const replicas = numberAt(spec, 'replicas') ?? 1;
  const text = stringAt(strategy, 'rollingUpdate', 'maxSurge') ?? '25%';
  const percentage = /^(\d+)%$/.exec(text);
  const number = numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? Math.ceil(replicas * Number(percentage?.[1] ?? 0) / 100);
  const surge = stringAt(strategy, 'type') === 'Recreate' || replicas === 0 ? 0 : number;
  return { count: replicas + surge, reckoning: surge > 0 ? `(${replicas} + ${surge} in a rollout)` : `${replicas}` };
}

const ONE_POD: Amounts = { 'pods': NANO, 'count/pods': NANO };

/** Equal machines. */
export interface Machines {
  readonly what: string;
  readonly size: number;
  readonly surge: number;
  readonly annotations: Fields;
}

/** The machines of a pool, at its largest in a rollout. */
export function poolMachines(pool: ManifestObject): Machines {
  const size = largestSize(pool);
  return { what: `machines of pool ${stringAt(pool, 'metadata', 'name')}`, size, surge: surgeOf(pool, size), annotations: annotationsOf(pool) };
}

/** The machines of a control plane with the fields of Cluster API's contract. */
export function controlPlaneMachines(controlPlane: ManifestObject): Machines {
  const size = numberAt(controlPlane, 'spec', 'replicas') ?? 1;
  return { what: 'machines of the control plane', size, surge: surgeOf(controlPlane, size), annotations: {} };
}

/** The load of machines that are pods of this cluster. */
export function machinesLoad({ what, size, surge }: Machines, pod: MachinePod): PodLoad {
  return {
    what,
    count: size + surge,
    reckoning: surge > 0 ? `(${size} + ${surge} in a rollout)` : `${size}`,
    ...pod,
    initContainers: [],
    besides: sumOf([{ ...ONE_POD }, pod.besides]),
  };
}

/** The maximum of the autoscaler, or the replicas: it removes no machines above its maximum, and leaves a pool alone whose bounds it cannot read. */
function largestSize(pool: ManifestObject): number {
  const replicas = numberAt(pool, 'spec', 'replicas');
  return Math.max(boundOf(pool, MAX_SIZE) ?? replicas ?? 1, replicas ?? 0);
}

function boundOf(pool: ManifestObject, annotation: string): number | undefined {
  const text = String(annotationsOf(pool)[annotation] ?? '');
  return /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Cluster API rounds percentages up; the default is one machine. The strategy is at another place before v1beta2. */
function surgeOf(owner: ManifestObject, size: number): number {
  const strategy = fieldAt(owner, 'spec', 'rollout', 'strategy') ?? fieldAt(owner, 'spec', 'strategy') ?? fieldAt(owner, 'spec', 'rolloutStrategy');
  if ((stringAt(strategy, 'type') ?? 'RollingUpdate') !== 'RollingUpdate' || size === 0) return 0;
  const percentage = /^(\d+)%$/.exec(stringAt(strategy, 'rollingUpdate', 'maxSurge') ?? '');
  return percentage ? Math.ceil(size * Number(percentage[1]) / 100) : numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? 1;
}

/** The smallest size of a pool. */
export function smallestSize(pool: ManifestObject): number {
  return Math.min(boundOf(pool, MIN_SIZE) ?? numberAt(pool, 'spec', 'replicas') ?? 1, largestSize(pool));
}

function annotationsOf(pool: ManifestObject): Fields {
  const annotations = fieldAt(pool, 'metadata', 'annotations');
  return isFields(annotations) ? annotations : {};
}

/** The largest need of a resource. */
export interface Need {
  readonly amount: bigint;
  /** The calculation of the amount, one term for each kind of pods. */
  readonly terms: readonly string[];
}

const USAGES = new WeakMap<ContainerLimits, WeakMap<PodLoad, Amounts>>();

/** The usage of a pod, which each resource of a quota is looked up in. */
function usageOf(load: PodLoad, range: ContainerLimits): Amounts {
  let known = USAGES.get(range);
  if (!known) USAGES.set(range, known = new WeakMap());
  let usage = known.get(load);
  if (!usage) known.set(load, usage = podUsage(load, range));
  return usage;
}

/** The amount of a resource, which may have any name. */
function amountAt(amounts: Amounts | undefined, resource: string): bigint {
  return amounts && Object.hasOwn(amounts, resource) ? amounts[resource] : 0n;
}

/** The need of a resource when everything in the cluster has its largest size, and one of its pods starts. */
export function needOf(resource: string, loads: readonly PodLoad[], range: ContainerLimits): Need {
  const parts = loads.map((load) => {
    const each = amountAt(usageOf(load, range), resource);
    return { load, each, all: each * BigInt(load.count) };
  }).filter(({ all }) => all > 0n);
  const meanwhile = loads.filter(({ count }) => count > 0).map((load) => amountAt(load.meanwhile, resource))
    .reduce((one, other) => (one > other ? one : other), 0n);
  const terms = new Map<string, number>();
  for (const { load, each, all } of parts) {
    const term = `${load.reckoning} ${load.what} × ${amountText(resource, each)} = ${amountText(resource, all)}`;
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return {
    amount: parts.reduce((sum, { all }) => sum + all, meanwhile),
    terms: [
      ...[...terms].map(([term, times]) => (times === 1 ? term : `${times} times ${term}`)),
      ...meanwhile > 0n ? [`${amountText(resource, meanwhile)} while one of them is imported`] : [],
    ],
  };
}

/** Entries of a quota with which pods are refused that do not state it (kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go, validationSet). */
export const MUST_BE_SET: Readonly<Record<string, readonly ['requests' | 'limits', string]>> = {
  'cpu': ['requests', 'cpu'],
  'memory': ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** The containers that do not state what an entry of a quota makes them state, with their pods. */
export function silentContainers(entry: string, loads: readonly PodLoad[], range: ContainerLimits): string[] {
  if (!Object.hasOwn(MUST_BE_SET, entry)) return [];
  const [side, resource] = MUST_BE_SET[entry];
  return loads.filter(({ count }) => count > 0).flatMap((load) => {
    const says = (container: ContainerLoad) => withDefaults(container, range)[side][resource] !== undefined;
    const names = [...load.containers, ...load.initContainers].filter((container) => !says(container)).map(({ name }) => name);
    return names.length > 0 ? [`${names.join(', ')} in ${load.what}`] : [];
  });
}
