import { knownKind } from './known-kinds';

/**
 * Kinds that live in a namespace, by API group, beside those of providers: those that Kubernetes brings, and of custom resources those that
 * the library has classes for. Of others only a server knows.
 */
const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ConfigMap', 'Endpoints', 'LimitRange', 'PersistentVolumeClaim', 'Pod', 'ReplicationController', 'ResourceQuota', 'Secret', 'Service',
    'ServiceAccount',
  ],
  'apps': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling': ['HorizontalPodAutoscaler'],
  'batch': ['CronJob', 'Job'],
  'cert-manager.io': ['Certificate', 'CertificateRequest', 'Issuer'],
  'cluster.x-k8s.io': [
    'Cluster', 'ClusterClass', 'Machine', 'MachineDeployment', 'MachineDrainRule', 'MachineHealthCheck', 'MachinePool', 'MachineSet',
  ],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'metallb.io': ['BGPAdvertisement', 'BGPPeer', 'IPAddressPool', 'L2Advertisement'],
  'networking.k8s.io': ['Ingress', 'NetworkPolicy'],
  'operator.cluster.x-k8s.io': [
    'AddonProvider', 'BootstrapProvider', 'ControlPlaneProvider', 'CoreProvider', 'IPAMProvider', 'InfrastructureProvider',
    'RuntimeExtensionProvider',
  ],
  'policy': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding'],
  'snapshot.storage.k8s.io': ['VolumeSnapshot'],
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
  'snapshot.storage.k8s.io': ['VolumeSnapshotClass', 'VolumeSnapshotContent'],
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
