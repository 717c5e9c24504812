import { Cluster, ClusterState, ControlPlane } from './cluster-model';
import { KnownCluster, placeKey } from './delivery-targets';
import { compareTexts } from './place';
import { className, classOf, classReference, isPatched, isPaused, machineKind, machineOf } from './pools';
import { knownKind } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { ControlPlaneFacts } from '../rules/provider';
import { objectReference, ObjectReference } from '../rules/references/object-references';
import { providers } from '../validation/providers';
import { formatHostPort } from '../values/dns';
import { fieldAt, isFields, isSet, numberAt, stringAt, stringsAt } from '../values/fields';

/** What is read from a Cluster and the objects that it refers to; nothing if there is no Cluster. */
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
  const classInfrastructure = classReference(clusterClass, fieldAt(clusterClass, 'spec', 'infrastructure'));
  return {
    state: stateOf(cluster),
    version: stringAt(controlPlaneObject, 'spec', 'version') ?? stringAt(topology, 'version'),
    labels: labelsOf(cluster),
    clusterClass: className(cluster),
    controlPlane: controlPlane ? controlPlaneOf(controlPlane, controlPlaneObject, topology, index) : classControlPlane(clusterClass, topology, index),
    infrastructure: infrastructure ? { kind: kindOf(infrastructure), name: infrastructure.name }
      : classInfrastructure && { kind: machineKind(classInfrastructure) },
    podCidrs: stringsAt(network, 'pods', 'cidrBlocks').map(([cidr]) => cidr),
    serviceCidrs: stringsAt(network, 'services', 'cidrBlocks').map(([cidr]) => cidr),
    endpoint: [cluster, infrastructureObject, controlPlaneObject].map((object) => endpointOf(fieldAt(object, 'spec', 'controlPlaneEndpoint')))
      .find((endpoint) => endpoint !== undefined) ?? controlPlaneFacts(controlPlaneObject).endpoint,
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
  const machines = fieldAt(object, 'spec', 'machineTemplate');
  const template = objectReference(fieldAt(machines, 'spec', 'infrastructureRef')) ?? objectReference(fieldAt(machines, 'infrastructureRef'));
  return {
    kind: kindOf(reference),
    name: reference.name,
    replicas: count(numberAt(object, 'spec', 'replicas') ?? numberAt(topology, 'controlPlane', 'replicas')),
    dataStore: controlPlaneFacts(object).dataStore,
    paused: isPaused(object),
    machine: object && machineOf(template, namespaceOf(object), index),
  };
}

/** What the ClusterClass states of a control plane that Cluster API has not created yet. */
function classControlPlane(clusterClass: ManifestObject | undefined, topology: unknown, index: ManifestIndex): ControlPlane | undefined {
  const part = fieldAt(clusterClass, 'spec', 'controlPlane');
  const reference = classReference(clusterClass, part);
  if (!reference) return undefined;
  const template = classReference(clusterClass, fieldAt(part, 'machineInfrastructure'));
  const machine = machineOf(template, template?.namespace, index);
  return {
    kind: machineKind(reference),
    replicas: count(numberAt(topology, 'controlPlane', 'replicas')),
    paused: false,
    machine: machine && isPatched(clusterClass) ? { kind: machine.kind } : machine,
  };
}

function count(replicas: number | undefined): number | undefined {
  return replicas !== undefined && replicas >= 0 ? replicas : undefined;
}

/** Cluster API treats an endpoint without host as unset. */
function endpointOf(endpoint: unknown): string | undefined {
  const [host, port] = [stringAt(endpoint, 'host'), numberAt(endpoint, 'port')];
  return host === undefined || port === undefined || port === 0 ? host : formatHostPort(host, port);
}

/** What the provider of a control plane reads from it. */
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
  /** What its Cluster says; nothing if there is none. */
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
    if (groupKind(object) === CLUSTER && !clusters.get(key)?.object) {
      const facts = clusterFacts(object, index);
      clusters.set(key, { ...known, object, endpoint: facts.endpoint, facts });
    // An object without a namespace may be of the whole management cluster.
    } else if (namespace !== undefined && !clusters.has(key)) {
      clusters.set(key, known);
    }
  }
  return clusters;
}

/** The cluster that an object is, or names. An object in the namespace of its controller belongs to none there. */
export function clusterNamedBy(object: ManifestObject): { readonly namespace?: string; readonly name: string } | undefined {
  const namespace = namespaceOf(object);
  const kind = groupKind(object);
  if (kind === CLUSTER) return { namespace, name: clusterName(object) };
  if (knownKind(kind)?.besideController) return undefined;
  const stated = groupOf(object) === 'cluster.x-k8s.io' ? stringAt(object, 'spec', 'clusterName') : undefined;
  const name = stated ?? stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name === undefined ? undefined : { namespace, name };
}
