/** A Cluster in which nothing is wrong. */
export const CLUSTER_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
  labels: {cluster.x-k8s.io/cluster-name: acme}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtCluster, name: acme}
`;

/** Its control plane. */
export const CONTROL_PLANE_TEXT = `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: v1.35.4
  addons:
    coreDNS: {dnsServiceIPs: [10.96.0.10]}
`;

/** Its infrastructure. */
export const INFRASTRUCTURE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtCluster
metadata:
  name: acme
  namespace: tenant-acme
  annotations: {cluster.x-k8s.io/managed-by: kamaji}
`;

/** Template of the pool's machines. */
export const TEMPLATE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata:
  name: acme-general-1a2b3c4d
  namespace: tenant-acme
spec:
  template:
    spec: {}
`;

/** Bootstrap template of the pool. */
export const BOOTSTRAP_TEXT = `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: acme-general-5e6f7a8b
  namespace: tenant-acme
spec:
  template:
    spec:
      preKubeadmCommands: ["true"]
`;

/** A pool of them. */
export const POOL_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: acme-general
  namespace: tenant-acme
  labels: {cluster.x-k8s.io/cluster-name: acme}
spec:
  clusterName: acme
  replicas: 3
  selector:
    matchLabels: {cluster.x-k8s.io/deployment-name: acme-general}
  template:
    metadata:
      labels: {cluster.x-k8s.io/deployment-name: acme-general}
    spec:
      clusterName: acme
      version: v1.35.4
      bootstrap:
        configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: acme-general-5e6f7a8b}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtMachineTemplate, name: acme-general-1a2b3c4d}
`;
