// A tenant that goes on when a host or a zone is lost, with three hosts and fencing. docs/blueprints/highly-available.md explains it.

import {
  blueprints, FluxEntryPoints, GitOpsApp, HostFencing, ImportedManagementCluster, InfraHosts, IsolationPeer, IsolationPort, ManagementNetworkPlugin,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

// Your management cluster: ranges, network plug-in, the etcd behind Kamaji's DataStore, hosts in each zone, and the program that fences them.
const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { acme: [IsolationPeer.pods({ namespace: 'kamaji-etcd', ports: [IsolationPort.tcp(2379)] })] },
  hosts: InfraHosts.perZone({ a: 3, b: 3, c: 3 }),
  fencing: HostFencing.NODE_HEALTH_CHECK,
});

new blueprints.HighlyAvailable(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  dataStore: 'acme',
  nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
  infraStorageClass: 'replicated',
  infraSnapshotClass: 'replicated',
  csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
  zones: ['a', 'b', 'c'],
  backup: {
    bucket: 'tenant-acme',
    config: { region: 'hall-1', s3Url: 'https://s3.example.com', s3ForcePathStyle: 'true' },
    credentialsSecret: 'velero',
  },
});

app.synth();
