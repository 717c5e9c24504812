import { ManifestObject } from '../../manifests/manifest-object';
import {
  CLUSTER, CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL,
  MACHINE_SET,
} from '../references/object-references';

export const CLUSTER_RESOURCE_SET = 'addons.cluster.x-k8s.io/ClusterResourceSet';
export const KUBEADM_CONFIG = 'bootstrap.cluster.x-k8s.io/KubeadmConfig';
export const KUBEADM_CONTROL_PLANE_TEMPLATE = 'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate';
export {
  CLUSTER, CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL,
  MACHINE_SET,
};

/** Label of what belongs to a cluster. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Folder of Cluster API's core webhooks. */
export const CORE_WEBHOOKS = 'kubernetes-sigs/cluster-api core/webhooks/admission';

/** Whether an object is written in v1beta1, whose fields have other places. */
export function isV1beta1({ apiVersion }: ManifestObject): boolean {
  return typeof apiVersion === 'string' && apiVersion.endsWith('/v1beta1');
}
