/**
 * Kinds that live in a namespace, by API group: those that Kubernetes brings, and of custom resources those that the library has classes
 * for. Of others only a server knows.
 */
const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ConfigMap', 'Endpoints', 'LimitRange', 'PersistentVolumeClaim', 'Pod', 'ReplicationController', 'ResourceQuota', 'Secret', 'Service',
    'ServiceAccount',
  ],
  'addons.cluster.x-k8s.io': ['ClusterResourceSet', 'ClusterResourceSetBinding', 'HelmChartProxy', 'HelmReleaseProxy'],
  'apps': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'argoproj.io': ['AppProject', 'Application'],
  'autoscaling': ['HorizontalPodAutoscaler'],
  'batch': ['CronJob', 'Job'],
  'bootstrap.cluster.x-k8s.io': ['KubeadmConfig', 'KubeadmConfigTemplate'],
  'cdi.kubevirt.io': ['DataSource', 'DataVolume'],
  'cert-manager.io': ['Certificate', 'CertificateRequest', 'Issuer'],
  'cluster.x-k8s.io': [
    'Cluster', 'ClusterClass', 'Machine', 'MachineDeployment', 'MachineDrainRule', 'MachineHealthCheck', 'MachinePool', 'MachineSet',
  ],
  'controlplane.cluster.x-k8s.io': ['KamajiControlPlane', 'KamajiControlPlaneTemplate', 'KubeadmControlPlane', 'KubeadmControlPlaneTemplate'],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'helm.toolkit.fluxcd.io': ['HelmRelease'],
  'infrastructure.cluster.x-k8s.io': [
    'KubevirtCluster', 'KubevirtClusterTemplate', 'KubevirtMachine', 'KubevirtMachineTemplate', 'VultrCluster', 'VultrClusterTemplate',
    'VultrMachine', 'VultrMachineTemplate',
  ],
  'instancetype.kubevirt.io': ['VirtualMachineInstancetype', 'VirtualMachinePreference'],
  'kamaji.clastix.io': ['TenantControlPlane'],
  'kubevirt.io': ['KubeVirt', 'VirtualMachine', 'VirtualMachineInstance'],
  'kustomize.toolkit.fluxcd.io': ['Kustomization'],
  'metallb.io': ['BGPAdvertisement', 'BGPPeer', 'L2Advertisement'],
  'networking.k8s.io': ['Ingress', 'NetworkPolicy'],
  'operator.cluster.x-k8s.io': [
    'AddonProvider', 'BootstrapProvider', 'ControlPlaneProvider', 'CoreProvider', 'IPAMProvider', 'InfrastructureProvider',
    'RuntimeExtensionProvider',
  ],
  'policy': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding'],
  'snapshot.storage.k8s.io': ['VolumeSnapshot'],
  'source.toolkit.fluxcd.io': ['GitRepository', 'HelmRepository', 'OCIRepository'],
};

/** Whether objects of a kind are known to live in a namespace. */
export function livesInNamespace(group: string, kind: string): boolean {
  return Object.hasOwn(NAMESPACED, group) && NAMESPACED[group].includes(kind);
}
