import {
  blueprints, HostFencing, ImportedManagementCluster, InfraHosts, IsolationPeer, IsolationPort, ManagementNetworkPlugin,
} from 'cdk8s-cluster-api';
import type { GitOpsApp, TenantCluster } from 'cdk8s-cluster-api';

/** A tenant that goes on when a host or a zone is lost, with three hosts and fencing. */
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
    dataStorePeers: { acme: [IsolationPeer.pods({ namespace: 'kamaji-etcd', ports: [IsolationPort.tcp(2379)] })] },
    // Replace: the number of hosts in each zone, and the program that fences them: HostFencing.NONE if there is none.
    hosts: InfraHosts.perZone({ a: 3, b: 3, c: 3 }),
    fencing: HostFencing.NODE_HEALTH_CHECK,
  });

  // Replace: the name of the tenant and its namespace.
  return new blueprints.HighlyAvailable(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    managementCluster: hall,
    dataStore: 'acme',
    // Replace: a node image of this Kubernetes version.
    nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
    // Replace: the storage class of the management cluster, and its snapshot class.
    infraStorageClass: 'replicated',
    infraSnapshotClass: 'replicated',
    // Replace: an image of KubeVirt's CSI driver that you build: upstream publishes "latest" only.
    csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
    // Replace: the zones of your hosts.
    zones: ['a', 'b', 'c'],
    // Replace: the bucket for backups, and the Secret in the tenant with its credentials.
    backup: {
      bucket: 'tenant-acme',
      config: { region: 'hall-1', s3Url: 'https://s3.example.com', s3ForcePathStyle: 'true' },
      credentialsSecret: 'velero',
    },
  });
}
