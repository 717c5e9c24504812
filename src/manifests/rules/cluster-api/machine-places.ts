import {
  CLUSTER, CLUSTER_CLASS, isV1beta1, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE, MACHINE_DEPLOYMENT,
  MACHINE_TEMPLATE_HOLDERS,
} from './cluster-api-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { FieldPath, isFields, isSet, listAt, objectsAt } from '../../values/fields';

// Paths of the same fields in objects of different kinds, in v1beta1 and in v1beta2.

/** Pools in a topology, or the classes of such pools. */
export type WorkerList = 'machineDeployments' | 'machinePools';

/** Paths of the labels and annotations of a ClusterClass's variable: in its schema, and beside it as v1beta1 had them. */
const VARIABLE_METADATA: readonly FieldPath[] = [['schema', 'openAPIV3Schema', 'x-metadata'], ['metadata'], ['deprecatedV1Beta1Metadata']];

const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

/** Path of the description of machines in a Cluster or a ClusterClass. */
export function topologyPath(object: ManifestObject): FieldPath | undefined {
  const kind = groupKind(object);
  if (kind === CLUSTER) return ['spec', 'topology'];
  return kind === CLUSTER_CLASS ? ['spec'] : undefined;
}

/** The pools of a topology, or the classes of pools. */
export function workerPaths(object: ManifestObject, ...lists: readonly WorkerList[]): FieldPath[] {
  const root = topologyPath(object);
  if (!root) return [];
  return lists.flatMap((list) => listAt(object, ...root.map(String), 'workers', list)
    .flatMap((item, index): FieldPath[] => (isFields(item) ? [[...root, 'workers', list, index]] : [])));
}

/** The spec of the machines. */
export function machineSpecPath(object: ManifestObject): FieldPath {
  return groupKind(object) === MACHINE ? ['spec'] : ['spec', 'template', 'spec'];
}

/** The labels and annotations that are given to others. */
export function metadataPaths(object: ManifestObject): FieldPath[] {
  const kind = groupKind(object);
  if (MACHINE_TEMPLATE_HOLDERS.includes(kind) || kind === KUBEADM_CONFIG_TEMPLATE) return [['spec', 'template', 'metadata']];
  if (kind === KUBEADM_CONTROL_PLANE) return [['spec', 'machineTemplate', 'metadata']];
  if (kind === KUBEADM_CONTROL_PLANE_TEMPLATE) return [['spec', 'template', 'metadata'], ['spec', 'template', 'spec', 'machineTemplate', 'metadata']];
  const root = topologyPath(object);
  if (!root) return [];
  const own = kind === CLUSTER_CLASS && isV1beta1(object) ? ['template', 'metadata'] : ['metadata'];
  const ofVariables = kind === CLUSTER_CLASS ? objectsAt(object, 'spec', 'variables').flatMap(([, index]): FieldPath[] => (
    VARIABLE_METADATA.map((field) => ['spec', 'variables', index, ...field])
  )) : [];
  return [[...root, 'controlPlane', 'metadata'], ...workerPaths(object, 'machineDeployments', 'machinePools').map((path) => [...path, ...own]), ...ofVariables];
}

/** A list of taints, and whether the webhook knows that the machines are workers. */
export interface TaintPlace {
  readonly path: FieldPath;
  readonly workers: boolean;
}

/** The taints that Cluster API gives to nodes. */
export function taintPlaces(object: ManifestObject): TaintPlace[] {
  const kind = groupKind(object);
  const inTemplate = isV1beta1(object) ? ['machineTemplate', 'taints'] : ['machineTemplate', 'spec', 'taints'];
  if (kind === MACHINE) return [{ path: ['spec', 'taints'], workers: !isSet(object, 'metadata', 'labels', CONTROL_PLANE_LABEL) }];
  if (MACHINE_TEMPLATE_HOLDERS.includes(kind)) return [{ path: ['spec', 'template', 'spec', 'taints'], workers: true }];
  if (kind === KUBEADM_CONTROL_PLANE) return [{ path: ['spec', ...inTemplate], workers: false }];
  if (kind === KUBEADM_CONTROL_PLANE_TEMPLATE) return [{ path: ['spec', 'template', 'spec', ...inTemplate], workers: false }];
  const root = topologyPath(object);
  if (!root) return [];
  return [[...root, 'controlPlane'], ...workerPaths(object, 'machineDeployments', 'machinePools')].map((path) => ({ path: [...path, 'taints'], workers: false }));
}

/** The rollout strategies of MachineDeployments. */
export function rolloutPaths(object: ManifestObject): FieldPath[] {
  const strategy = isV1beta1(object) ? ['strategy'] : ['rollout', 'strategy'];
  const owners: FieldPath[] = groupKind(object) === MACHINE_DEPLOYMENT ? [['spec']] : workerPaths(object, 'machineDeployments');
  return owners.map((path) => [...path, ...strategy]);
}

/** Paths of the number of broken machines of a MachineDeployment that are replaced at a time. */
export function maxInFlightPaths(object: ManifestObject): FieldPath[] {
  if (isV1beta1(object)) return rolloutPaths(object).map((path) => [...path, 'remediation', 'maxInFlight']);
  if (groupKind(object) === MACHINE_DEPLOYMENT) return [['spec', 'remediation', 'maxInFlight']];
  return workerPaths(object, 'machineDeployments').map((path) => [...path, 'healthCheck', 'remediation', 'maxInFlight']);
}
