import { Cluster, ClusterState, ControlPlane } from './cluster-model';
import { KnownCluster, placeKey } from './delivery-targets';
import { compareTexts } from './place';
import { isPatched, isPaused, machineKind, machineOf, versionAt } from './pools';
import { knownKind, PlacedText } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { classNameOf, classOf, classReference } from '../rules/cluster-api/cluster-classes';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { ControlPlaneFacts } from '../rules/cluster-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { objectReference, ObjectReference, referencesOf } from '../rules/references/object-references';
import { providers } from '../systems/providers';
import { computedName, computedTopology } from '../topology/computed-topology';
import { TopologyObjects } from '../topology/desired-objects';
import { formatHostPort } from '../values/dns';
import { fieldAt, isFields, isSet, numberAt, stringAt, stringsAt } from '../values/fields';

/** Facts from a Cluster and the objects that it refers to; empty if there is no Cluster. */
type ClusterFacts = Pick<Cluster, 'state' | 'version' | 'labels' | 'clusterClass' | 'controlPlane' | 'infrastructure' | 'podCidrs' | 'serviceCidrs' | 'endpoint'>;

/**
 * The facts of a cluster.
 *
 * @param cluster the Cluster
 * @param index all objects
 */
function clusterFacts(cluster: ManifestObject, index: ManifestIndex): ClusterFacts {
  const namespace = namespaceOf(cluster);
  const find = (reference: ObjectReference | undefined) => reference && index.find(reference.kind, reference.namespace ?? namespace, reference.name);
  const [controlPlane, infrastructure] = ['controlPlaneRef', 'infrastructureRef'].map((field) => objectReference(fieldAt(cluster, 'spec', field)));
  const [controlPlaneObject, infrastructureObject] = [find(controlPlane), find(infrastructure)];
  const topology = fieldAt(cluster, 'spec', 'topology');
  const network = fieldAt(cluster, 'spec', 'clusterNetwork');
  const clusterClass = classOf(cluster, index);
  const made = clusterClass && !controlPlane ? computedTopology(cluster, index) : undefined;
  const classInfrastructure = classReference(clusterClass, fieldAt(clusterClass, 'spec', 'infrastructure'));
  return {
    state: stateOf(cluster),
    version: versionAt(controlPlaneObject, 'spec', 'version') ?? versionAt(topology, 'version'),
    labels: labelsOf(cluster),
    clusterClass: classNameOf(cluster).name,
    controlPlane: controlPlane ? controlPlaneOf(controlPlane, controlPlaneObject, topology, index)
      : classControlPlane(clusterClass, topology, made, index),
    infrastructure: infrastructure ? { kind: kindOf(infrastructure), name: infrastructure.name }
      : classInfrastructure && withName(machineKind(classInfrastructure), made?.infrastructureCluster),
    podCidrs: stringsAt(network, 'pods', 'cidrBlocks').map(([cidr]) => cidr),
    serviceCidrs: stringsAt(network, 'services', 'cidrBlocks').map(([cidr]) => cidr),
    endpoint: [cluster, infrastructureObject, controlPlaneObject].map((object) => endpointOf(fieldAt(object, 'spec', 'controlPlaneEndpoint')))
      .find((endpoint) => endpoint !== undefined) ?? controlPlaneFacts(controlPlaneObject).endpoint,
  };
}

/** The facts of a cluster that is a control plane by itself. */
function standaloneFacts(object: ManifestObject): ClusterFacts {
  const { endpoint, dataStore, exposure, addons, pausedBy } = controlPlaneFacts(object);
  const cluster = knownKind(groupKind(object))?.cluster?.(object);
  const stated = (ranges: readonly PlacedText[] = []) => ranges.filter(({ isDefault }) => !isDefault).map(({ text }) => text);
  return {
    state: stateOf(object),
    version: cluster?.version,
    labels: labelsOf(object),
    controlPlane: {
      kind: String(object.kind),
      name: nameOf(object),
      replicas: count(cluster?.replicas),
      dataStore,
      ...(exposure !== undefined && { exposure }),
      ...(addons && { addons }),
      paused: pausedBy !== undefined,
      ...(pausedBy !== undefined && { pausedBy }),
    },
    podCidrs: stated(cluster?.pods),
    serviceCidrs: stated(cluster?.services),
    endpoint: endpointOf({ host: endpoint, port: cluster?.port }),
  };
}

function labelsOf(cluster: ManifestObject): ReadonlyMap<string, string> {
  const labels = fieldAt(cluster, 'metadata', 'labels');
  const texts = isFields(labels) ? Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
  return new Map(texts.sort(([one], [other]) => compareTexts(one, other)));
}

function stateOf(cluster: ManifestObject): ClusterState {
  if (isSet(cluster, 'metadata', 'deletionTimestamp')) return ClusterState.DELETING;
  if (fieldAt(cluster, 'spec', 'paused') === true) return ClusterState.PAUSED;
  return isPaused(cluster) ? ClusterState.OBJECT_PAUSED : ClusterState.DECLARED;
}

function controlPlaneOf(reference: ObjectReference, object: ManifestObject | undefined, topology: unknown, index: ManifestIndex): ControlPlane {
  const template = object && referencesOf(object).at(0)?.reference;
  const { dataStore, exposure, addons, pausedBy } = controlPlaneFacts(object);
  return {
    kind: kindOf(reference),
    name: reference.name,
    replicas: count(numberAt(object, 'spec', 'replicas') ?? numberAt(topology, 'controlPlane', 'replicas')),
    ...(isText(fieldAt(object, 'spec', 'replicas') ?? fieldAt(topology, 'controlPlane', 'replicas')) && { hasUnknownReplicas: true as const }),
    dataStore,
    ...(exposure !== undefined && { exposure }),
    ...(addons && { addons }),
    paused: isPaused(object) || pausedBy !== undefined,
    ...(pausedBy !== undefined && { pausedBy }),
    machine: object && machineOf(template, namespaceOf(object), index),
  };
}

/** The control plane that Cluster API makes of a ClusterClass, and has not created yet. */
function classControlPlane(
  clusterClass: ManifestObject | undefined, topology: unknown, made: TopologyObjects | undefined, index: ManifestIndex,
): ControlPlane | undefined {
  const part = fieldAt(clusterClass, 'spec', 'controlPlane');
  const reference = classReference(clusterClass, part);
  if (!reference) return undefined;
  const template = classReference(clusterClass, fieldAt(part, 'machineInfrastructure'));
  const machine = machineOf(template, template?.namespace, index, made?.controlPlane.machines?.copy);
  const { dataStore, exposure, addons } = controlPlaneFacts(made?.controlPlane.object);
  return {
    ...withName(machineKind(reference), made?.controlPlane.object),
    replicas: count(numberAt(topology, 'controlPlane', 'replicas')),
    ...(isText(fieldAt(topology, 'controlPlane', 'replicas')) && { hasUnknownReplicas: true as const }),
    ...(dataStore !== undefined && { dataStore }),
    ...(exposure !== undefined && { exposure }),
    ...(addons && { addons }),
    paused: false,
    machine: machine && !made && isPatched(clusterClass) ? { kind: machine.kind } : machine,
  };
}

/** The kind of an object, and its name, if the ClusterClass decides it. */
function withName(kind: string, object: ManifestObject | undefined): { readonly kind: string; readonly name?: string } {
  const name = object && computedName(object);
  return name === undefined ? { kind } : { kind, name };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function count(replicas: number | undefined): number | undefined {
  return replicas !== undefined && replicas >= 0 ? replicas : undefined;
}

/** Cluster API treats an endpoint without host as unset. */
function endpointOf(endpoint: unknown): string | undefined {
  const [host, port] = [stringAt(endpoint, 'host'), numberAt(endpoint, 'port')];
  return host === undefined || port === undefined || port === 0 ? host : formatHostPort(host, port);
}

/** Facts that the provider of a control plane reads from it. */
function controlPlaneFacts(object: ManifestObject | undefined): ControlPlaneFacts {
  return object ? providers().map(({ controlPlanes }) => controlPlanes?.[groupKind(object)]?.(object)).find((facts) => facts) ?? {} : {};
}

function kindOf({ kind }: ObjectReference): string {
  return kind.slice(kind.indexOf('/') + 1);
}

/** The name of a cluster among all. */
function clusterId(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The name of a Cluster, even of one that has none. */
function clusterName(cluster: ManifestObject): string {
  return nameOf(cluster) ?? '-';
}

/** A cluster that objects are of. */
export interface FoundCluster extends KnownCluster {
  /** Facts of its Cluster; undefined if there is none. */
  readonly facts?: ClusterFacts;
}

/**
 * Every cluster that there is an object of, by its place.
 *
 * @param objects the objects of the management cluster; of those with the same name the first one counts
 * @param index the same objects
 */
export function knownClusters(objects: readonly ManifestObject[], index: ManifestIndex): Map<string, FoundCluster> {
  const clusters = new Map<string, FoundCluster>();
  for (const object of objects) {
    const place = clusterNamedBy(object);
    if (!place) continue;
    const { namespace, name } = place;
    const key = placeKey(namespace, name);
    const known = { namespace, name, id: clusterId(namespace, name) };
    const present = clusters.get(key)?.object;
    // A Cluster counts more than a control plane of its name, which may be that of the Cluster.
    if (isCluster(object) && (!present || (groupKind(object) === CLUSTER && groupKind(present) !== CLUSTER))) {
      const facts = groupKind(object) === CLUSTER ? clusterFacts(object, index) : standaloneFacts(object);
      clusters.set(key, { ...known, object, endpoint: facts.endpoint, facts });
    // An object without a namespace may be of the whole management cluster.
    } else if (namespace !== undefined && !clusters.has(key)) {
      clusters.set(key, known);
    }
  }
  // kubectl applies what has no namespace to "default".
  for (const [key, { namespace, name, facts }] of clusters) {
    if (namespace === 'default' && !facts && clusters.get(placeKey(undefined, name))?.facts) clusters.delete(key);
  }
  return clusters;
}

/** The cluster that an object is, or names. An object in the namespace of its controller belongs to none there. */
export function clusterNamedBy(object: ManifestObject): { readonly namespace?: string; readonly name: string } | undefined {
  const namespace = namespaceOf(object);
  const kind = groupKind(object);
  if (isCluster(object)) return { namespace, name: clusterName(object) };
  if (knownKind(kind)?.besideController) return undefined;
  const stated = groupOf(object) === 'cluster.x-k8s.io' ? stringAt(object, 'spec', 'clusterName') : undefined;
  const name = stated ?? stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name === undefined ? undefined : { namespace, name };
}
