import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, isSet, objectsAt } from '../../values/fields';

export const CLUSTER = 'cluster.x-k8s.io/Cluster';
export const CLUSTER_CLASS = 'cluster.x-k8s.io/ClusterClass';
export const MACHINE = 'cluster.x-k8s.io/Machine';
export const MACHINE_DEPLOYMENT = 'cluster.x-k8s.io/MachineDeployment';
export const MACHINE_DRAIN_RULE = 'cluster.x-k8s.io/MachineDrainRule';
export const MACHINE_HEALTH_CHECK = 'cluster.x-k8s.io/MachineHealthCheck';
export const MACHINE_POOL = 'cluster.x-k8s.io/MachinePool';
export const MACHINE_SET = 'cluster.x-k8s.io/MachineSet';
export const KUBEADM_CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/KubeadmControlPlane';
export const KUBEADM_CONFIG_TEMPLATE = 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate';
export const CLUSTER_RESOURCE_SET = 'addons.cluster.x-k8s.io/ClusterResourceSet';
export const KUBEADM_CONFIG = 'bootstrap.cluster.x-k8s.io/KubeadmConfig';
export const KUBEADM_CONTROL_PLANE_TEMPLATE = 'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate';

/** The kinds that hold a template of machines. */
export const MACHINE_TEMPLATE_HOLDERS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL];

/** The kinds whose objects are pools of machines, unless a controller has made them. */
export const POOL_KINDS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET, MACHINE];

/** True of a pool: a MachineSet or a Machine that no controller has made is one, too. */
export function isPool(object: ManifestObject): boolean {
  if (!POOL_KINDS.includes(groupKind(object))) return false;
  return !objectsAt(object, 'metadata', 'ownerReferences').some(([owner]) => fieldAt(owner, 'controller') === true);
}

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
