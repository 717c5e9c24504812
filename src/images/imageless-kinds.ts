import { ApiObject } from 'cdk8s';

/** Kinds without images, of those that there are many of: writing them only to find none would take time. */
const IMAGELESS: ReadonlySet<string> = new Set([
  'v1/ConfigMap', 'v1/LimitRange', 'v1/Namespace', 'v1/PersistentVolumeClaim', 'v1/ResourceQuota', 'v1/Secret', 'v1/Service', 'v1/ServiceAccount',
  'rbac.authorization.k8s.io/v1/ClusterRole', 'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1/Role', 'rbac.authorization.k8s.io/v1/RoleBinding',
  'networking.k8s.io/v1/Ingress', 'networking.k8s.io/v1/NetworkPolicy', 'policy/v1/PodDisruptionBudget',
  'apiextensions.k8s.io/v1/CustomResourceDefinition', 'cilium.io/v2/CiliumNetworkPolicy',
  'addons.cluster.x-k8s.io/v1beta2/ClusterResourceSet',
  'cluster.x-k8s.io/v1beta2/Cluster', 'cluster.x-k8s.io/v1beta2/MachineDeployment', 'cluster.x-k8s.io/v1beta2/MachineHealthCheck',
  'infrastructure.cluster.x-k8s.io/v1alpha1/KubevirtCluster',
]);

/** Kinds that name charts, and no images. */
const OF_CHARTS: ReadonlySet<string> = new Set([
  'addons.cluster.x-k8s.io/v1alpha1/HelmChartProxy', 'source.toolkit.fluxcd.io/v1/HelmRepository', 'source.toolkit.fluxcd.io/v1/OCIRepository',
]);

/** Whether nothing of an object can name an image. */
export function namesNoImages({ apiVersion, kind }: ApiObject): boolean {
  return IMAGELESS.has(`${apiVersion}/${kind}`) || OF_CHARTS.has(`${apiVersion}/${kind}`);
}

/** Whether an object names a chart, and nothing of it can name an image. */
export function namesChartsOnly({ apiVersion, kind }: ApiObject): boolean {
  return OF_CHARTS.has(`${apiVersion}/${kind}`);
}
