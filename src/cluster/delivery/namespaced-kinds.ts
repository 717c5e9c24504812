import { knownKind } from '../../manifests/known-kinds';

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

/** True if objects of a kind are known to live in a namespace. */
export function livesInNamespace(group: string, kind: string): boolean {
  const known = knownKind(`${group}/${kind}`);
  return known ? !known.clusterScoped : Object.hasOwn(NAMESPACED, group) && NAMESPACED[group].includes(kind);
}
