import { CLUSTER, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET, ObjectReference, objectReference, referrersOf } from './object-references';
import { groupKind, ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, numberAt, stringAt } from '../../values/fields';
import { ManifestIndex } from '../manifest-index';

const DEFAULT_API_PORT = 6443;

/** What a Cluster is put together from. */
export type ClusterPart = 'controlPlaneRef' | 'infrastructureRef';

/** The reference of a Cluster to one of its parts. */
export function partReference(cluster: ManifestObject, part: ClusterPart): ObjectReference | undefined {
  return objectReference(fieldAt(cluster, 'spec', part));
}

/** A part of a Cluster, if it is validated together with it. */
export function partOf(cluster: ManifestObject, part: ClusterPart, index: ManifestIndex): ManifestObject | undefined {
  const reference = partReference(cluster, part);
  return reference && index.find(reference.kind, namespaceOf(cluster), reference.name);
}

/** The Cluster that a control plane or an infrastructure object belongs to, if it is validated together with it. */
export function clusterOf(part: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  return referrersOf(part, index, CLUSTER)[0]?.object;
}

/** Objects that make machines from a template: pools, machine sets, control planes. */
export function machineOwners(template: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return referrersOf(template, index, MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL, KUBEADM_CONTROL_PLANE).map(({ object }) => object);
}

/** The Cluster of a pool or of a control plane, if it is validated together with it. */
export function clusterOfOwner(owner: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  if (groupKind(owner) === KUBEADM_CONTROL_PLANE) return clusterOf(owner, index);
  return index.find(CLUSTER, namespaceOf(owner), stringAt(owner, 'spec', 'clusterName'));
}

/** Port of a Cluster's API server. */
export function apiServerPort(cluster: ManifestObject): number {
  return numberAt(cluster, 'spec', 'clusterNetwork', 'apiServerPort') ?? DEFAULT_API_PORT;
}
