import { TOPOLOGY_POOL } from './annotations';
import {
  CLUSTER, CLUSTER_CLASS, isV1beta1, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { topologyPath, workerPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { AnnotationPlace } from '../annotation-facts';

/** Machines, and what is made for each of them. */
const OF_MACHINES: readonly string[] = [MACHINE, 'bootstrap.cluster.x-k8s.io/', 'infrastructure.cluster.x-k8s.io/'];

const OF_CONTROL_PLANES: readonly string[] = ['controlplane.cluster.x-k8s.io/', ...OF_MACHINES];

/** Metadata that Cluster API's controllers hand on (kubernetes-sigs/cluster-api docs/book/src/reference/api/metadata-propagation.md). */
export function clusterApiPlaces(object: ManifestObject): AnnotationPlace[] {
  const template = ['spec', 'template', 'metadata'];
  switch (groupKind(object)) {
    case MACHINE_DEPLOYMENT:
      return [{ path: ['metadata'], reaches: [MACHINE_SET] }, { path: template, reaches: OF_MACHINES }];
    case MACHINE_SET:
    case MACHINE_POOL:
      return [{ path: template, reaches: OF_MACHINES }];
    case KUBEADM_CONTROL_PLANE:
      return [{ path: ['spec', 'machineTemplate', 'metadata'], reaches: OF_MACHINES }];
    case KUBEADM_CONTROL_PLANE_TEMPLATE:
      return [{ path: template, reaches: [KUBEADM_CONTROL_PLANE] }, { path: ['spec', 'template', 'spec', 'machineTemplate', 'metadata'], reaches: OF_MACHINES }];
    case CLUSTER:
    case CLUSTER_CLASS:
      return topologyPlaces(object);
    default:
      return [];
  }
}

function topologyPlaces(object: ManifestObject): AnnotationPlace[] {
  const isClass = groupKind(object) === CLUSTER_CLASS;
  const own = isClass && isV1beta1(object) ? ['template', 'metadata'] : ['metadata'];
  const pool = isClass ? [] : [TOPOLOGY_POOL];
  return [
    { path: [...topologyPath(object) ?? [], 'controlPlane', 'metadata'], reaches: OF_CONTROL_PLANES },
    ...workerPaths(object, 'machineDeployments').map((path) => ({ path: [...path, ...own], reaches: [MACHINE_DEPLOYMENT, MACHINE_SET, ...OF_MACHINES, ...pool] })),
    ...workerPaths(object, 'machinePools').map((path) => ({ path: [...path, ...own], reaches: [MACHINE_POOL, ...OF_MACHINES, ...pool] })),
  ];
}
