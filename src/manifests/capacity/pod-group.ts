import { Counted, countedAmounts, PODS } from './host';
import { podRequests, textsOf } from './hosts-file';
import { MachinesOnHosts, machinesOnHosts } from './machine-hosts';
import { MachineOwner } from './machine-owner';
import { clusterNamedBy } from '../landscape/known-clusters';
import { compareTexts } from '../landscape/place';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, isPool, MACHINE_DEPLOYMENT, MACHINE_POOL, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { MachinePod, PodScheduling, PodSizing } from '../rules/cluster-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { controlPlaneMachines, deploymentLoad, hostedLoad, PodLoad, podSide, poolMachines, smallestSize } from '../rules/pod-loads';
import { objectReference, partOf } from '../rules/references/object-references';
import { statedSize } from '../rules/stated-size';
import { providers } from '../systems/providers';
import { computedTopology } from '../topology/computed-topology';
import { TopologyObjects } from '../topology/desired-objects';
import { limitsIn } from '../validation/quota-rules';
import { fieldAt, isFields, isSet, listAt, numberAt } from '../values/fields';
import { parseQuantity } from '../values/quantity';

/** Purpose of pods. */
export type PodUse = 'machine' | 'controlPlane' | 'controller';

/** Pods that are alike. */
export interface PodGroup {
  /** Name of the group in words, such as `pool general`. */
  readonly what: string;
  readonly use: PodUse;

  /** `namespace/name` of the cluster; undefined for what is of the management cluster itself. */
  readonly cluster?: string;
  readonly namespace: string;
  readonly minimum: number;
  readonly maximum: number;

  /** Further pods in a rollout. */
  readonly surge: number;
  readonly requests: Counted;
  readonly scheduling: PodScheduling;
}

/** The name of a group. */
export type NamedGroup = Pick<PodGroup, 'what' | 'use' | 'cluster'>;

/** Pods that each host has one of. */
export type DaemonGroup = Pick<PodGroup, 'what' | 'namespace' | 'requests' | 'scheduling'>;

/** Machines that are not placed. */
export interface UnplacedMachines {
  /** `namespace/name` of the cluster; undefined for machines that are of none. */
  readonly cluster?: string;
  readonly what: string;
  readonly kind: string;
  /** Largest number of machines; undefined if it is not known. */
  readonly machines?: number;

  /** True if they are pods of the management cluster, of which the size is not known. */
  readonly isUnknown: boolean;
}

/** Everything that needs room on the hosts of a management cluster. */
export interface PlacedPods {
  readonly groups: readonly PodGroup[];
  readonly daemons: readonly DaemonGroup[];
  readonly unplaced: readonly UnplacedMachines[];

  /** Labels of Clusters, by `namespace/name`. */
  readonly clusters: ReadonlyMap<string, Readonly<Record<string, string>>>;

  /** Systems whose configuration decides over the requests of machines and is not among the manifests, so that its defaults count. */
  readonly assumed: readonly string[];

  /**
   * Machines that are made on hosts among the manifests.
   *
   * @default - none
   */
  readonly onHosts?: MachinesOnHosts;

  /**
   * Number of pods that need hosts which are not given.
   *
   * @default - all hosts are given
   */
  readonly unasked?: number;

  /**
   * Kinds of the manifests that make pods which are not placed, with the number of their objects.
   *
   * @default - none
   */
  readonly skipped?: ReadonlyMap<string, number>;
}

/** Kinds whose number of pods at a time depends on what runs, or that controllers make. */
const SKIPPED_KINDS: readonly string[] = ['/Pod', 'apps/ReplicaSet', 'batch/CronJob', 'batch/Job'];

function skippedKinds(): readonly string[] {
  return [...SKIPPED_KINDS, ...providers().flatMap(({ machineSets = [] }) => machineSets)];
}

/**
 * Finds what needs room on the hosts of a management cluster: machines that are pods, hosted control planes, and workloads.
 *
 * @param index the objects of the management cluster
 */
export function placedPods(index: ManifestIndex): PlacedPods {
  const clusters = new Map(index.all(CLUSTER).map((cluster) => [idOf(cluster), textsOf(fieldAt(cluster, 'metadata', 'labels'))]));
  const sizing = providers().map(({ podSizing }) => podSizing?.(index)).find((found) => found !== undefined);
  const unplaced: UnplacedMachines[] = [];
  const groups: PodGroup[] = [];
  const topologies = topologiesOf(index.all(CLUSTER), index, unplaced);
  const planes = controlPlanesOf(index.all(CLUSTER), index);
  const owners = [...machineOwners(index, planes, topologies), ...singleMachines(index)];
  const onHosts = machinesOnHosts(owners, index);
  for (const owner of owners.filter((one) => !onHosts?.owners.has(one))) {
    const group = machineGroup(owner, sizing, index);
    if ('use' in group) groups.push(group);
    else unplaced.push(group);
  }
  const unstated = providers().filter(({ podSizing }) => podSizing && podSizing(index) === undefined).map(({ title }) => title);
  const assumed = groups.length === 0 ? [] : unstated;
  const workloads = workloadGroups(index);
  groups.push(...hostedGroups(index, planes, topologies), ...workloads.groups);
  const order = (one: PodGroup, other: PodGroup) => (
    compareTexts(one.cluster ?? '', other.cluster ?? '') || compareTexts(one.use, other.use) || compareTexts(one.what, other.what));
  return {
    groups: groups.filter(({ maximum, surge }) => maximum + surge > 0).sort(order),
    daemons: workloads.daemons,
    unplaced: unplaced.sort((one, other) => compareTexts(one.cluster ?? '', other.cluster ?? '') || compareTexts(one.what, other.what)),
    clusters,
    assumed,
    ...(onHosts && { onHosts }),
    skipped: new Map(skippedKinds().flatMap((kind): [string, number][] => {
      const own = index.all(kind).filter((object) => listAt(object, 'metadata', 'ownerReferences').length === 0);
      return own.length === 0 ? [] : [[kind.slice(kind.indexOf('/') + 1), own.length]];
    })),
  };
}

function idOf(object: ManifestObject): string {
  const namespace = namespaceOf(object);
  return namespace === undefined ? nameOf(object) ?? '-' : `${namespace}/${nameOf(object) ?? '-'}`;
}

/** The cluster that an object is of. */
function clusterOf(object: ManifestObject): string | undefined {
  const named = clusterNamedBy(object);
  if (!named) return undefined;
  return named.namespace === undefined ? named.name : `${named.namespace}/${named.name}`;
}

/** Clusters by the objects of their control planes. */
type ControlPlanes = ReadonlyMap<ManifestObject, string>;

/** The objects that Cluster API will make of topologies that have none yet. */
type Topologies = ReadonlyMap<ManifestObject, TopologyObjects>;

function controlPlanesOf(clusters: readonly ManifestObject[], index: ManifestIndex): ControlPlanes {
  return new Map(clusters.flatMap((cluster): [ManifestObject, string][] => {
    const plane = partOf(cluster, 'controlPlaneRef', index);
    return plane ? [[plane, idOf(cluster)]] : [];
  }));
}

/** Topologies whose objects are not among the manifests. What cannot be computed is named. */
function topologiesOf(clusters: readonly ManifestObject[], index: ManifestIndex, unplaced: UnplacedMachines[]): Topologies {
  const withPools = new Set([MACHINE_DEPLOYMENT, MACHINE_POOL].flatMap((kind) => index.all(kind)).map(clusterOf));
  return new Map(clusters.filter((one) => isSet(one, 'spec', 'topology') && !withPools.has(idOf(one))).flatMap((cluster): [ManifestObject, TopologyObjects][] => {
    const made = computedTopology(cluster, index);
    if (made) return [[cluster, made]];
    unplaced.push({ cluster: idOf(cluster), what: 'topology', kind: 'machines of its ClusterClass', isUnknown: true });
    return [];
  }));
}

function machineOwners(index: ManifestIndex, planes: ControlPlanes, topologies: Topologies): MachineOwner[] {
  const owners: MachineOwner[] = [];
  const add = (object: ManifestObject, machineSpec: unknown, owner: Pick<MachineOwner, 'cluster' | 'name' | 'machines' | 'minimum'>, made?: ManifestObject) => {
    const reference = objectReference(fieldAt(machineSpec, 'infrastructureRef'));
    if (!reference) return;
    const namespace = namespaceOf(object);
    const template = made ?? index.find(reference.kind, reference.namespace ?? namespace, reference.name);
    owners.push({ ...owner, namespace: namespace ?? 'default', kind: reference.kind, template, object });
  };
  const addPool = (pool: ManifestObject, cluster: string, name: string, made?: ManifestObject) => {
    const machines = poolMachines(pool);
    // A MachinePool is rolled out by its infrastructure.
    const sized = groupKind(pool) === MACHINE_DEPLOYMENT ? machines : { ...machines, surge: 0 };
    add(pool, fieldAt(pool, 'spec', 'template', 'spec'), { cluster, name: `pool ${name}`, machines: sized, minimum: smallestSize(pool) }, made);
  };
  POOL_KINDS.flatMap((kind) => index.all(kind)).filter(isPool).forEach((pool) => addPool(pool, clusterOf(pool) ?? '-', nameOf(pool) ?? '-'));
  const addControlPlane = (plane: ManifestObject, cluster: string, made?: ManifestObject) => {
    const machines = fieldAt(plane, 'spec', 'machineTemplate');
    const size = controlPlaneMachines(plane);
    const owner = { cluster, name: 'control plane', machines: size, minimum: size.size };
    add(plane, fieldAt(machines, 'spec') ?? machines ?? plane.spec, owner, made);
  };
  const kinds = providers().flatMap((provider) => provider.kinds.flatMap(({ kind, role }) => (role === 'controlPlane' ? [kind] : [])));
  for (const plane of [...new Set(kinds)].flatMap((kind) => index.all(kind))) {
    addControlPlane(plane, planes.get(plane) ?? clusterOf(plane) ?? idOf(plane));
  }
  for (const [cluster, made] of topologies) {
    const id = idOf(cluster);
    if (made.controlPlane.machines) addControlPlane(made.controlPlane.object, id, made.controlPlane.machines.copy);
    for (const { name, object, infrastructure } of made.pools) addPool(object, id, name, infrastructure.object);
  }
  return owners;
}

/** Machines that no pool makes and that run, or can be started. Those that controllers have made are of a pool. */
function singleMachines(index: ManifestIndex): MachineOwner[] {
  return providers().flatMap(({ singleMachines: kinds = {} }) => Object.entries(kinds)).flatMap(([kind, mayRun]) => (
    index.all(kind).filter((object) => mayRun(object) && listAt(object, 'metadata', 'ownerReferences').length === 0).map((object): MachineOwner => ({
      name: `${String(object.kind)} ${nameOf(object) ?? '-'}`,
      namespace: namespaceOf(object) ?? 'default',
      machines: { what: `${String(object.kind)} ${nameOf(object) ?? '-'}`, size: 1, surge: 0, annotations: {} },
      minimum: 1,
      kind,
      template: object,
      object,
    }))));
}

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';

function machineGroup(owner: MachineOwner, sizing: PodSizing | undefined, index: ManifestIndex): PodGroup | UnplacedMachines {
  const { cluster, name, namespace, machines, minimum, kind, template } = owner;
  const unplaced = (isUnknown: boolean) => ({ ...(cluster !== undefined && { cluster }), what: name, kind: kind.slice(kind.indexOf('/') + 1).replace(/Template$/, ''), machines: machines.size, isUnknown });
  const facts = providers().find(({ machinePods }) => machinePods && Object.hasOwn(machinePods, kind));
  if (!facts) return unplaced(false);
  if (!template) return unplaced(true);
  if (facts.machinesElsewhere?.[kind]?.(template, index)) return unplaced(false);
  const size = { ...statedSize(template), ...definedSize(facts.machineSizes?.[kind]?.(template, index) ?? {}) };
  const { annotations } = machines;
  const stated = size.cpu !== undefined && size.memory !== undefined ? { cpu: `${size.cpu}`, memory: `${size.memory}` } : undefined;
  const isNoted = (resource: string) => parseQuantity(String(annotations[`${CAPACITY}/${resource}`] ?? '')) !== undefined;
  if (!stated && !['cpu', 'memory'].every(isNoted)) return unplaced(true);
  const pod = facts.machinePods![kind](facts.templatesWithTypes?.[kind]?.(template, index) ?? template, {
    instanceTypes: new Map(), sizing: sizing ?? {}, limited: { cpu: false, memory: false }, annotations, stated, cluster: cluster?.split('/').at(-1),
  });
  return {
    what: name,
    use: 'machine',
    ...(cluster !== undefined && { cluster }),
    namespace,
    minimum,
    maximum: machines.size,
    surge: machines.surge,
    requests: machineRequests(pod, namespace, index),
    scheduling: pod.scheduling ?? { labels: {}, fields: {} },
  };
}

function definedSize(size: { readonly cpu?: number; readonly memory?: number }): { readonly cpu?: number; readonly memory?: number } {
  return { ...(size.cpu !== undefined && { cpu: size.cpu }), ...(size.memory !== undefined && { memory: size.memory }) };
}

/** Names that a quota has for devices. */
const DEVICE = /^requests\.(.+\/.+)$/;

function machineRequests({ containers, sidecars = [], besides }: MachinePod, namespace: string, index: ManifestIndex): Counted {
  const devices = Object.entries(besides).flatMap(([entry, amount]) => {
    const [, resource] = DEVICE.exec(entry) ?? [];
    return resource === undefined ? [] : [[resource, amount] as const];
  });
  const pod = podSide({ containers: [...containers, ...sidecars], initContainers: [] }, limitsIn(namespace, index), 'requests');
  return new Map([...countedAmounts({ ...pod, ...Object.fromEntries(devices) }), [PODS, 1]]);
}

function loadRequests(load: Pick<PodLoad, 'containers' | 'initContainers'>, namespace: string, index: ManifestIndex): Counted {
  return new Map([...countedAmounts(podSide(load, limitsIn(namespace, index), 'requests')), [PODS, 1]]);
}

function hostedGroups(index: ManifestIndex, planes: ControlPlanes, topologies: Topologies): PodGroup[] {
  return providers().flatMap(({ controlPlanePods = {} }) => Object.entries(controlPlanePods)).flatMap(([kind, read]) => {
    const ofTopologies = [...topologies].map(([cluster, { controlPlane }]) => [controlPlane.object, idOf(cluster)] as const);
    const made = ofTopologies.filter(([plane]) => groupKind(plane) === kind);
    const stated = index.all(kind).map((plane) => [plane, planes.get(plane) ?? clusterOf(plane) ?? idOf(plane)] as const);
    return [...stated, ...made].map(([plane, cluster]): PodGroup => {
      const pods = read(plane);
      const size = pods.replicas ?? 1;
      const namespace = namespaceOf(plane) ?? 'default';
      return {
        what: 'control plane',
        use: 'controlPlane',
        cluster,
        namespace,
        minimum: size,
        maximum: size,
        surge: hostedLoad(pods).count - size,
        requests: loadRequests(pods, namespace, index),
        scheduling: pods.scheduling ?? { labels: {}, fields: {} },
      };
    });
  });
}

function workloadGroups(index: ManifestIndex): { readonly groups: PodGroup[]; readonly daemons: DaemonGroup[] } {
  const read = (object: ManifestObject) => {
    const template = fieldAt(object, 'spec', 'template');
    const labels = fieldAt(template, 'metadata', 'labels');
    const pod = fieldAt(template, 'spec');
    const namespace = namespaceOf(object) ?? 'default';
    return {
      what: `${String(object.kind)} ${nameOf(object) ?? '-'}`,
      namespace,
      requests: new Map([...countedAmounts(podRequests(pod, limitsIn(namespace, index))), [PODS, 1]]),
      scheduling: { labels: isFields(labels) ? labels : {}, fields: pod },
    };
  };
  const group = (object: ManifestObject, surge: number): PodGroup => {
    const size = numberAt(object, 'spec', 'replicas') ?? 1;
    return { ...read(object), use: 'controller', cluster: clusterOf(object), minimum: size, maximum: size, surge };
  };
  return {
    groups: [
      ...index.all('apps/Deployment').map((object) => group(object, deploymentLoad(object).count - (numberAt(object, 'spec', 'replicas') ?? 1))),
      ...index.all('apps/StatefulSet').map((object) => group(object, 0)),
    ],
    daemons: index.all('apps/DaemonSet').map(read).sort((one, other) => compareTexts(one.what, other.what)),
  };
}
