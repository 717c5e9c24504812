import {
  blueprints, ImportedManagementCluster, IsolationPeer, IsolationPort, ManagementNetworkPlugin,
} from 'cdk8s-cluster-api';
import type { GitOpsApp, TenantCluster } from 'cdk8s-cluster-api';

/** A tenant of a private cloud: a pool that scales, a pool of fixed size, volumes, snapshots, isolation. */
export function addTenant(app: GitOpsApp): TenantCluster {
  // The management cluster, whose networks the machines of the tenant see around them.
  const hall = new ImportedManagementCluster({
    // Replace: the ranges of pods, Services and nodes of your management cluster.
    podCidrs: ['10.244.0.0/16'],
    serviceCidrs: ['10.96.0.0/16'],
    nodeCidrs: ['192.168.100.0/24'],
    // Replace: the network plug-in of your management cluster; it enforces the isolation of tenants.
    networkPlugin: ManagementNetworkPlugin.CALICO,
    // Replace: the name of Kamaji's DataStore, here and below, and the pods of its etcd, which control planes reach.
    dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
  });

  // Replace: the name of the tenant and its namespace.
  return new blueprints.DiyCloud(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.34.1',
    managementCluster: hall,
    dataStore: 'default',
    // Replace: a node image of this Kubernetes version; this one is upstream's.
    nodeImage: 'quay.io/capk/ubuntu-2404-container-disk:v1.34.1',
    // Replace: the storage class of the management cluster, and its snapshot class.
    infraStorageClass: 'replicated',
    infraSnapshotClass: 'replicated',
    // Replace: an image of KubeVirt's CSI driver that you build: upstream publishes "latest" only.
    csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
  });
}
