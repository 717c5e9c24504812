import { knownKind } from './known-kinds';

/**
 * Kinds that live in a namespace, by API group, beside those of providers: those of Kubernetes and of Cluster API. Of
 * others only a server knows.
 */
const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ConfigMap', 'Endpoints', 'LimitRange', 'PersistentVolumeClaim', 'Pod', 'ReplicationController', 'ResourceQuota', 'Secret', 'Service',
    'ServiceAccount',
  ],
  'apps': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling': ['HorizontalPodAutoscaler'],
  'batch': ['CronJob', 'Job'],
  'cluster.x-k8s.io': [
    'Cluster', 'ClusterClass', 'Machine', 'MachineDeployment', 'MachineDrainRule', 'MachineHealthCheck', 'MachinePool', 'MachineSet',
  ],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'networking.k8s.io': ['Ingress', 'NetworkPolicy'],
  'policy': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding'],
};

/** Kinds of Kubernetes that live in no namespace, by API group (kubernetes/kubernetes api/discovery). */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  '': ['Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding', 'MutatingWebhookConfiguration', 'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding', 'ValidatingWebhookConfiguration',
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'authentication.k8s.io': ['TokenReview'],
  'authorization.k8s.io': ['SubjectAccessReview'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io': ['IPAddress', 'IngressClass', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
};

/** True if objects of a kind are known to live in a namespace. */
export function livesInNamespace(group: string, kind: string): boolean {
  const known = knownKind(`${group}/${kind}`);
  return known ? !known.clusterScoped : isIn(NAMESPACED, group, kind);
}

/** True if objects of a kind are known to live in no namespace. */
export function livesInNoNamespace(group: string, kind: string): boolean {
  return knownKind(`${group}/${kind}`)?.clusterScoped ?? isIn(CLUSTER_SCOPED, group, kind);
}

function isIn(table: Readonly<Record<string, readonly string[]>>, group: string, kind: string): boolean {
  return Object.hasOwn(table, group) && table[group].includes(kind);
}
