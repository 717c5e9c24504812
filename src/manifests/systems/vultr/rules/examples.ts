import { controlPlaneYaml } from '../../../rules/cluster-api/example-manifests';
import { POOL_TEXT as OTHER_POOL_TEXT } from '../../../rules/references/examples';

/** A UUID, as Vultr names things. */
export const ID = 'cb676a46-66fd-4dfb-b839-443f2e6c0b60';

/** A VultrMachineTemplate in which nothing is wrong. */
export const MACHINE_TEMPLATE = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VultrMachineTemplate
metadata:
  name: acme-general-1a2b3c4d
  namespace: tenant-acme
spec:
  template:
    spec:
      region: ewr
      planID: vc2-2c-4gb
      snapshot_id: ${ID}
`;

/** A VultrCluster in which nothing is wrong. */
export const VULTR_CLUSTER_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VultrCluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  region: ewr
  network:
    apiServerLoadbalancers:
      health_check:
        port: 6443
`;

/** A Cluster of it. */
export const CLUSTER_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  clusterNetwork:
    apiServerPort: 6443
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: acme-control-plane}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: VultrCluster, name: acme}
`;

/** A pool of it. */
export const POOL_TEXT = OTHER_POOL_TEXT.replace('KubevirtMachineTemplate', 'VultrMachineTemplate');

/** Bootstrap template of the pool's machines. */
export const BOOTSTRAP_TEXT = `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: acme-general-5e6f7a8b
  namespace: tenant-acme
spec:
  template:
    spec:
      files:
        - {path: /etc/acme.conf, content: "mode: fast"}
`;

/** A control plane of it. */
export const CONTROL_PLANE_TEXT = controlPlaneYaml('replicas: 3', { template: 'VultrMachineTemplate', templateName: 'acme-control-plane-1a2b3c4d' });
