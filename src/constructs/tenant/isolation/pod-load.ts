import { Size } from 'cdk8s';
import { Manifest, WrittenObject } from './written-objects';
import { ContainerLoad, containersOf } from '../../../manifests/objects/container-load';
import { groupKind } from '../../../manifests/objects/manifest-object';
import { MAX_SIZE } from '../../../manifests/rules/cluster-api/autoscaler-annotations';
import { ControlPlanePods, MachineSurroundings, PublishedService, StatedSize } from '../../../manifests/rules/provider';
import { providers } from '../../../manifests/validation/providers';
import { fieldAt, numberAt, stringAt } from '../../../manifests/values/fields';
import { Amounts, amountsOf, largerOf, NANO, sumOf } from '../../../manifests/values/quantity';
import { notedCapacity } from '../../contracts/machine-capacity';

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
  /** Facts about pods that are virtual machines. */
  readonly machine?: { readonly cpus: bigint; readonly ephemeralDisk: boolean };
}

/** The container with the defaults of the limit range. */
export function withDefaults({ name, requests, limits }: ContainerLoad, range: ContainerLimits): ContainerLoad {
  return { name, limits: { ...amountsOf(range.default), ...limits }, requests: { ...amountsOf(range.defaultRequest), ...requests } };
}

/** The amounts of one pod, under the names that a quota has for them. */
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
export function deploymentLoad(deployment: Manifest): PodLoad {
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

/** Deployments round percentages of a surge up; the default surge is 25 %. */
function replicasOf(spec: unknown, strategy: unknown): Pick<PodLoad, 'count' | 'reckoning'> {
  const replicas = numberAt(spec, 'replicas') ?? 1;
  const text = stringAt(strategy, 'rollingUpdate', 'maxSurge') ?? '25%';
  const percentage = /^(\d+)%$/.exec(text);
  const number = numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? Math.ceil(replicas * Number(percentage?.[1] ?? 0) / 100);
  const surge = stringAt(strategy, 'type') === 'Recreate' || replicas === 0 ? 0 : number;
  return { count: replicas + surge, reckoning: surge > 0 ? `(${replicas} + ${surge} in a rollout)` : `${replicas}` };
}

type Annotations = { readonly [key: string]: unknown };

/** Facts about the pods of all machines. */
type Surroundings = Omit<MachineSurroundings, 'annotations' | 'stated'>;

/**
 * The largest load of the machines of a pool; undefined if they are not pods of this cluster.
 *
 * @param pool the `MachineDeployment`
 * @param templates templates of machines that are pods of this cluster
 * @param surroundings facts about the pods of all machines
 */
export function machineLoad(pool: Manifest, templates: readonly WrittenObject[], surroundings: Surroundings): PodLoad | undefined {
  const size = largestSize(pool);
  const machines = { what: `machines of pool ${stringAt(pool, 'metadata', 'name')}`, size, surge: surgeOf(pool, size), annotations: annotationsOf(pool) };
  return loadOf(machines, templateOf(fieldAt(pool, 'spec', 'template', 'spec'), templates), surroundings);
}

/**
 * The largest load of the machines of a control plane; undefined if it does not run on machines that are pods of this cluster.
 *
 * @param controlPlane an object with the fields of Cluster API's contract for control planes on machines
 * @param templates templates of machines that are pods of this cluster
 * @param surroundings facts about the pods of all machines
 */
export function controlPlaneMachineLoad(
  controlPlane: Manifest, templates: readonly WrittenObject[], surroundings: Surroundings,
): PodLoad | undefined {
  const size = numberAt(controlPlane, 'spec', 'replicas') ?? 1;
  const machines = { what: 'machines of the control plane', size, surge: surgeOf(controlPlane, size), annotations: {} };
  return loadOf(machines, templateOf(fieldAt(controlPlane, 'spec', 'machineTemplate', 'spec'), templates), surroundings);
}

/** Equal machines with their annotations. */
interface Machines {
  readonly what: string;
  readonly size: number;
  readonly surge: number;
  readonly annotations: Annotations;
}

function loadOf(machines: Machines, template: WrittenObject | undefined, surroundings: Surroundings): PodLoad | undefined {
  const { what, size, surge, annotations } = machines;
  const capacity = template && notedCapacity(template.object);
  const pod = template && providers().map(({ machinePods }) => machinePods?.[groupKind(template.manifest)]).find((found) => found !== undefined)
    ?.(template.manifest, { ...surroundings, annotations, stated: capacity && statedSize(capacity) });
  return pod && {
    what,
    count: size + surge,
    reckoning: surge > 0 ? `(${size} + ${surge} in a rollout)` : `${size}`,
    ...pod,
    initContainers: [],
    besides: sumOf([{ ...ONE_POD }, pod.besides]),
  };
}

/** The size of a machine as quantities. */
export function statedSize({ cpu, memory }: { readonly cpu: number; readonly memory: Size }): StatedSize {
  return { cpu: `${cpu}`, memory: memory.asString() };
}

function templateOf(machineSpec: unknown, templates: readonly WrittenObject[]): WrittenObject | undefined {
  const [kind, name] = [stringAt(machineSpec, 'infrastructureRef', 'kind'), stringAt(machineSpec, 'infrastructureRef', 'name')];
  return templates.find(({ manifest }) => manifest.kind === kind && stringAt(manifest, 'metadata', 'name') === name);
}

const ONE_POD: Amounts = { 'pods': NANO, 'count/pods': NANO };

function largestSize(pool: Manifest): number {
  const maximum = Number(annotationsOf(pool)[MAX_SIZE] ?? Number.NaN);
  return Number.isSafeInteger(maximum) ? maximum : numberAt(pool, 'spec', 'replicas') ?? 1;
}

/** Cluster API rounds percentages up. */
function surgeOf(owner: Manifest, size: number): number {
  const strategy = fieldAt(owner, 'spec', 'rollout', 'strategy');
  if (stringAt(strategy, 'type') !== 'RollingUpdate') return 0;
  const percentage = /^(\d+)%$/.exec(stringAt(strategy, 'rollingUpdate', 'maxSurge') ?? '');
  return percentage ? Math.ceil(size * Number(percentage[1]) / 100) : numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? 0;
}

function annotationsOf(pool: Manifest): Annotations {
  return (fieldAt(pool, 'metadata', 'annotations') ?? {}) as Annotations;
}
