// GPU nodes that exist only while pods need them. docs/blueprints/gpu-cluster.md explains it.

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

new blueprints.GpuCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  dataStore: 'default',
  nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
  infraStorageClass: 'replicated',
  infraSnapshotClass: 'replicated',
  csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
  gpuDevice: 'nvidia.com/AD102GL_L40S',
});

app.synth();
