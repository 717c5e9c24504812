// The cluster of examples/diy-cloud, by its blueprint: the same bytes. docs/blueprints/diy-cloud.md explains it.

import * as kplus from 'cdk8s-plus-28';
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

const acme = new blueprints.DiyCloud(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.34.1',
  managementCluster: hall,
  dataStore: 'default',
  nodeImage: 'quay.io/capk/ubuntu-2404-container-disk:v1.34.1',
  infraStorageClass: 'replicated',
  infraSnapshotClass: 'replicated',
  csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
});

// Constructs of any library, delivered into the tenant after the addons.
new kplus.Namespace(acme.workloads, 'team-a', { metadata: { name: 'team-a' } });

app.synth();
