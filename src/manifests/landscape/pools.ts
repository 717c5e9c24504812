import { Machine, MachineCount, Pool } from './cluster-model';
import { compareTexts } from './place';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { MAX_SIZE, MIN_SIZE } from '../rules/cluster-api/autoscaler-annotations';
import { MACHINE } from '../rules/cluster-api/cluster-api-kinds';
import { classOf, classReference } from '../rules/cluster-api/cluster-classes';
import { MachineSize } from '../rules/cluster-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { ObjectReference, objectReference } from '../rules/references/object-references';
import { statedSize } from '../rules/stated-size';
import { providers } from '../systems/providers';
import { computedTopology } from '../topology/computed-topology';
import { TopologyPool } from '../topology/pool-objects';
import { fieldAt, Fields, isFields, listAt, numberAt, objectsAt, stringAt } from '../values/fields';
import { nodeLabelRoute } from '../values/labels';
import { prefixedVersion } from '../values/semantic-version';
import { formatTaint, Taint } from '../values/taints';

const TEMPLATE = /Template$/;

/** A version of Kubernetes, as servers store it. */
export function versionAt(value: unknown, ...path: readonly string[]): string | undefined {
  const version = stringAt(value, ...path);
  return version === undefined ? undefined : prefixedVersion(version);
}

/**
 * A machine that is made from a template, as far as manifests state it.
 *
 * @param reference the template
 * @param namespace namespace of the object that refers to it
 * @param index all objects
 * @param computed the template as it will be; by default as it is
 */
export function machineOf(
  reference: ObjectReference | undefined, namespace: string | undefined, index: ManifestIndex, computed?: ManifestObject,
): Machine | undefined {
  if (!reference) return undefined;
  const kind = machineKind(reference);
  const template = computed ?? index.find(reference.kind, reference.namespace ?? namespace, reference.name);
  if (!template) return { kind };
  const sizes = providers().map(({ machineSizes }) => machineSizes?.[reference.kind]).find((size) => size !== undefined);
  const size: MachineSize = sizes?.(template, index) ?? {};
  const stated = Object.entries(statedSize(template)).filter(([name]) => size[name as keyof MachineSize] === undefined);
  return { kind, ...size, ...Object.fromEntries(stated) };
}

/** The kind of the machines that a template is for. */
export function machineKind({ kind }: ObjectReference): string {
  return kind.slice(kind.indexOf('/') + 1).replace(TEMPLATE, '');
}

// kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go
const PAUSED = 'cluster.x-k8s.io/paused';

/**
 * True if an annotation of an object pauses it: any value does. It pauses that object alone: `spec.paused` of the Cluster pauses all of
 * them.
 *
 * Source: kubernetes-sigs/cluster-api util/paused/paused.go, util/annotations/helpers.go (HasPaused), v1.14.2.
 */
export function isPaused(object: ManifestObject | undefined): boolean {
  return fieldAt(object, 'metadata', 'annotations', PAUSED) !== undefined;
}

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';
const NODE_LABELS = 'node-labels';
const REGISTRATION = ['spec', 'template', 'spec', 'joinConfiguration', 'nodeRegistration'];

/** Places of the labels and taints of nodes. */
export interface MarkSources {
  /** Labels of the machines, of which Cluster API copies some to the nodes. */
  readonly machineLabels: readonly unknown[];

  /** Lists of taints. */
  readonly taints: readonly unknown[];

  /** Template of what makes a node of a machine. */
  readonly bootstrap: unknown;

  /** Annotations of the pool, which describe its future nodes to the autoscaler. */
  readonly annotations: unknown;
}

/** The labels that the nodes of a pool get from its manifests, sorted. */
function labelsOf({ machineLabels, bootstrap, annotations }: MarkSources): ReadonlyMap<string, string> {
  const labels = [
    ...pairs(stringAt(annotations, `${CAPACITY}/labels`)),
    ...pairs(kubeletArgument(bootstrap)),
    ...machineLabels.flatMap((map) => textEntries(map).filter(([key]) => nodeLabelRoute(key) === 'synced')),
  ];
  return new Map([...new Map(labels)].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The taints that the nodes of a pool get from its manifests. */
function taintsOf({ taints, bootstrap, annotations }: MarkSources): readonly string[] {
  const own = [...taints, fieldAt(bootstrap, ...REGISTRATION, 'taints')].flatMap((list) => objectsAt({ list }, 'list'))
    .flatMap(([taint]) => taintText(taint));
  const told = stringAt(annotations, `${CAPACITY}/taints`)?.split(',').filter((text) => text !== '') ?? [];
  return [...new Set([...own, ...told])].sort();
}

function taintText(taint: Fields): string[] {
  const [key, effect, value] = [stringAt(taint, 'key'), stringAt(taint, 'effect'), stringAt(taint, 'value')];
  return key === undefined || effect === undefined ? [] : [formatTaint({ key, effect, value } as Taint)];
}

/** v1beta1 has a map of arguments, v1beta2 a list. */
function kubeletArgument(bootstrap: unknown): string | undefined {
  const given = fieldAt(bootstrap, ...REGISTRATION, 'kubeletExtraArgs');
  if (!Array.isArray(given)) return stringAt(given, NODE_LABELS);
  return stringAt(objectsAt({ given }, 'given').find(([argument]) => argument.name === NODE_LABELS)?.[0], 'value');
}

function pairs(text = ''): [string, string][] {
  return text.split(',').filter((pair) => pair !== '').map((pair) => {
    const sign = pair.indexOf('=');
    return sign < 0 ? [pair, ''] : [pair.slice(0, sign), pair.slice(sign + 1)];
  });
}

function textEntries(map: unknown): [string, string][] {
  return Object.entries(isFields(map) ? map : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** The kinds of pools in a topology: the list of them, and the label of what is made from one. */
const TOPOLOGY_LISTS = [
  { kind: 'MachineDeployment', list: 'machineDeployments', label: 'topology.cluster.x-k8s.io/deployment-name' },
  { kind: 'MachinePool', list: 'machinePools', label: 'topology.cluster.x-k8s.io/pool-name' },
] as const;

/**
 * True if annotations say that another controller sets the replicas of a MachinePool.
 *
 * Source: kubernetes-sigs/cluster-api util/annotations/helpers.go (ReplicasManagedByExternalAutoscaler), v1.14.2.
 */
export function hasManagedReplicas(annotations: unknown): boolean {
  const manager = stringAt(annotations, 'cluster.x-k8s.io/replicas-managed-by');
  return manager !== undefined && manager !== 'false';
}

/**
 * The pools of a cluster, by name: those that are objects, and those that Cluster API makes objects of.
 *
 * @param cluster the Cluster, if there is one
 * @param objects its pools
 * @param checks selectors of its MachineHealthChecks
 * @param index all objects
 */
export function poolsOf(
  cluster: ManifestObject | undefined, objects: readonly ManifestObject[], checks: readonly unknown[], index: ManifestIndex,
): Pool[] {
  const topology = fieldAt(cluster, 'spec', 'topology');
  const own = objects.map((object) => objectPool(object, versionAt(topology, 'version'), checks, index));
  return [...own, ...(cluster ? topologyPools(cluster, objects, index) : [])]
    .sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.kind, other.kind));
}

/** True if what stands in the templates of a ClusterClass is what machines get. */
export function isPatched(clusterClass: ManifestObject | undefined): boolean {
  return listAt(clusterClass, 'spec', 'patches').length > 0;
}

/** The name of a pool: in its topology, if it is made of one. */
export function poolName(object: ManifestObject): string {
  return TOPOLOGY_LISTS.map(({ label }) => stringAt(object, 'metadata', 'labels', label)).find((name) => name !== undefined) ?? nameOf(object) ?? '-';
}

const ONE_MACHINE = { size: { minimum: 1, maximum: 1 }, autoscaled: false };

/** Labels and spec of the machines of a pool; those of a Machine are its own. */
export function machineTemplateOf(pool: ManifestObject): unknown {
  return groupKind(pool) === MACHINE ? pool : fieldAt(pool, 'spec', 'template');
}

function objectPool(object: ManifestObject, topologyVersion: string | undefined, checks: readonly unknown[], index: ManifestIndex): Pool {
  const template = machineTemplateOf(object);
  const machine = fieldAt(template, 'spec');
  const namespace = namespaceOf(object);
  const configuration = objectReference(fieldAt(machine, 'bootstrap', 'configRef'));
  const annotations = fieldAt(object, 'metadata', 'annotations');
  const labels = fieldAt(template, 'metadata', 'labels');
  const sources = {
    machineLabels: [labels],
    taints: [fieldAt(machine, 'taints')],
    bootstrap: configuration && index.find(configuration.kind, configuration.namespace ?? namespace, configuration.name),
    annotations,
  };
  return {
    name: poolName(object),
    kind: String(object.kind),
    fromTopology: TOPOLOGY_LISTS.some(({ label }) => fieldAt(object, 'metadata', 'labels', label) !== undefined),
    version: versionAt(machine, 'version') ?? topologyVersion,
    ...groupKind(object) === MACHINE ? ONE_MACHINE : sizeOf(annotations, object.spec),
    paused: isPaused(object),
    machine: machineOf(objectReference(fieldAt(machine, 'infrastructureRef')), namespace, index),
    labels: labelsOf(sources),
    taints: taintsOf(sources),
    healthChecked: checks.some((selector) => selectsMachines(selector, labels)),
  };
}

/** Health checks select by labels; most do by those of one pool. */
function selectsMachines(selector: unknown, labels: unknown): boolean {
  const asked = Object.entries(fieldAt(selector, 'matchLabels') ?? {});
  return asked.length > 0 && listAt(selector, 'matchExpressions').length === 0 && asked.every(([key, value]) => fieldAt(labels, key) === value);
}

function topologyPools(cluster: ManifestObject, objects: readonly ManifestObject[], index: ManifestIndex): Pool[] {
  const clusterClass = classOf(cluster, index);
  const computed = isPatched(clusterClass) ? computedTopology(cluster, index) : undefined;
  return TOPOLOGY_LISTS.flatMap(({ kind, list, label }) => {
    const made = new Set(objects.map((object) => stringAt(object, 'metadata', 'labels', label)));
    return objectsAt(cluster, 'spec', 'topology', 'workers', list).filter(([item]) => !made.has(stringAt(item, 'name')))
      .map(([item]) => topologyPool(kind, item, {
        cluster,
        clusterClass,
        member: classMembers(clusterClass, list).get(stringAt(item, 'class') ?? ''),
        made: computed?.pools.find((pool) => pool.list === list && pool.name === item.name),
        index,
      }));
  });
}

function classMembers(clusterClass: ManifestObject | undefined, list: string): ReadonlyMap<string, Fields> {
  return new Map(objectsAt(clusterClass, 'spec', 'workers', list).map(([member]) => [stringAt(member, 'class') ?? '', member]));
}

/** The sources of a pool of a topology. */
interface PoolSources {
  readonly cluster: ManifestObject;
  readonly clusterClass?: ManifestObject;

  /** The class of the pool. */
  readonly member?: Fields;

  /** The pool as it will be, with patches; undefined if the class has none. */
  readonly made?: TopologyPool;
  readonly index: ManifestIndex;
}

function topologyPool(kind: string, item: Fields, { cluster, clusterClass, member, made, index }: PoolSources): Pool {
  const part = (name: string) => classReference(clusterClass, fieldAt(member, name) ?? fieldAt(member, 'template', name));
  const [infrastructure, bootstrap] = [part('infrastructure'), part('bootstrap')];
  const machine = machineOf(infrastructure, infrastructure?.namespace, index, made?.infrastructure.object);
  const patched = isPatched(clusterClass) && !made;
  const memberMetadata = fieldAt(member, 'metadata') ?? fieldAt(member, 'template', 'metadata');
  const annotations = fieldAt(item, 'metadata', 'annotations');
  const sources = {
    machineLabels: [fieldAt(memberMetadata, 'labels'), fieldAt(item, 'metadata', 'labels')],
    // Taints of the Cluster replace those of the class.
    taints: [fieldAt(item, 'taints') ?? fieldAt(member, 'taints')],
    bootstrap: made?.bootstrap.object ?? (patched || !bootstrap ? undefined : index.find(bootstrap.kind, bootstrap.namespace, bootstrap.name)),
    annotations,
  };
  return {
    name: stringAt(item, 'name') ?? '-',
    kind,
    fromTopology: true,
    version: versionAt(cluster, 'spec', 'topology', 'version'),
    ...sizeOf(annotations, item),
    paused: false,
    machine: machine && patched ? { kind: machine.kind } : machine,
    labels: labelsOf(sources),
    taints: taintsOf(sources),
    healthChecked: [item, member].some((owner) => ['healthCheck', 'machineHealthCheck'].some((field) => fieldAt(owner, field) !== undefined)),
  };
}

function sizeOf(annotations: unknown, spec: unknown): { readonly size?: MachineCount; readonly autoscaled: boolean } {
  const [minimum, maximum] = [MIN_SIZE, MAX_SIZE].map((name) => wholeNumber(stringAt(annotations, name)));
  if (minimum !== undefined && maximum !== undefined && minimum <= maximum) return { size: { minimum, maximum }, autoscaled: true };
  const replicas = numberAt(spec, 'replicas');
  if (replicas === undefined || replicas < 0 || hasManagedReplicas(annotations)) return { autoscaled: false };
  return { size: { minimum: replicas, maximum: replicas }, autoscaled: false };
}

function wholeNumber(text: string | undefined): number | undefined {
  const number = text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}
