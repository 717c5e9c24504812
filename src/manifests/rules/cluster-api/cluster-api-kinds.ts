import { ManifestObject } from '../../objects/manifest-object';
import { isSet } from '../../values/fields';
import {
  CLUSTER, CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL,
  MACHINE_SET, MACHINE_TEMPLATE_HOLDERS,
} from '../references/object-references';

export const CLUSTER_RESOURCE_SET = 'addons.cluster.x-k8s.io/ClusterResourceSet';
export const KUBEADM_CONFIG = 'bootstrap.cluster.x-k8s.io/KubeadmConfig';
export const KUBEADM_CONTROL_PLANE_TEMPLATE = 'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate';
export {
  CLUSTER, CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL,
  MACHINE_SET, MACHINE_TEMPLATE_HOLDERS,
};

/** The kinds whose objects are pools of machines. */
export const POOL_KINDS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_POOL];

/** The groups of what Cluster API deletes along with a Cluster. */
export const CLUSTER_API_GROUPS: readonly string[] = [
  'cluster.x-k8s.io', 'controlplane.cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'bootstrap.cluster.x-k8s.io',
];

/** Label of what belongs to a cluster. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Folder of Cluster API's core webhooks. */
export const CORE_WEBHOOKS = 'kubernetes-sigs/cluster-api core/webhooks/admission';

/** True if an object is written in v1beta1, whose fields have other places. */
export function isV1beta1({ apiVersion }: ManifestObject): boolean {
  return typeof apiVersion === 'string' && apiVersion.endsWith('/v1beta1');
}

/** True if an object has no spec: the schemas of v1beta1 do not require one, and the webhooks read an empty one. */
export function lacksSpec(object: ManifestObject): boolean {
  return isV1beta1(object) && !isSet(object, 'spec');
}
