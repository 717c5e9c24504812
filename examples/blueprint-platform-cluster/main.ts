// A tenant with everything that applications expect. docs/blueprints/platform-cluster.md explains it.

import {
  blueprints, FluxEntryPoints, GitOpsApp, ImportedManagementCluster, IsolationPeer, IsolationPort, ManagementNetworkPlugin,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

// Your management cluster: ranges, network plug-in, and the etcd behind Kamaji's DataStore.
const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

new blueprints.PlatformCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  dataStore: 'default',
  nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
  infraStorageClass: 'replicated',
  infraSnapshotClass: 'replicated',
  csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
  logOutputs: '[OUTPUT]\n    Name forward\n    Match *\n    Host logs.example.com\n',
  backup: {
    bucket: 'tenant-acme',
    config: { region: 'hall-1', s3Url: 'https://s3.example.com', s3ForcePathStyle: 'true' },
    credentialsSecret: 'velero',
  },
});

app.synth();
