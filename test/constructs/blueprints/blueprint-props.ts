import { ImportedManagementCluster, ManagementNetworkPlugin } from '../../../src/constructs/contracts/capabilities/management-cluster';

/** A management cluster as a user states it. */
export const HALL = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [] },
});

/** Properties of every blueprint on KubeVirt. */
export const KUBEVIRT_PROPS = {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: HALL,
  nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
  infraStorageClass: 'replicated',
  infraSnapshotClass: 'replicated',
  csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
};
