// The tenant cluster of "DIY: Create Your Own Cloud with Kubernetes (Part 3)"
// (kubernetes.io/blog/2024/04/05/diy-create-your-own-cloud-with-kubernetes-part-3): the control plane runs as pods in the
// management cluster (Kamaji), the workers are virtual machines beside it (KubeVirt), Cluster API holds both together. Around the nodes
// there is what makes them a cluster: pod network, load balancers, volumes and snapshots, autoscaling, isolation, addons, brought by Flux.

import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  CertManager, Cilium, FluxDelivery, FluxEntryPoints, GitOpsApp, ImportedManagementCluster, IsolationPeer, IsolationPort, KamajiControlPlane,
  KubevirtCsiDriver, KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, MetricsServer, PoolSize, RootDisk, SnapshotController,
  TenantCluster, TenantIsolation,
} from 'cdk8s-cluster-api';

// A folder for each cluster, and the entry points of Flux: `flux bootstrap git --path=dist/flux`.
const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const hall = new ImportedManagementCluster({
  // Pods, Services and nodes of the management cluster, which the virtual machines see around them.
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  // It decides what isolates tenants: with ManagementNetworkPlugin.CILIUM, CiliumNetworkPolicies in place of NetworkPolicies.
  networkPlugin: ManagementNetworkPlugin.CALICO,
  // The etcd behind Kamaji's DataStore, the only thing in the management cluster that control planes need to reach.
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.34.1',
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure({
    // Volumes of the tenant, and their snapshots, from the storage of the management cluster.
    storageClasses: [{
      name: 'fast',
      infraClass: 'replicated',
      isDefault: true,
      snapshotClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
    }],
    // KubeVirt publishes this driver as "latest" only: build it once, and name your image.
    csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2' }),
  }),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
  isolation: new TenantIsolation(),
  managementCluster: hall,
});

// Scales with the load. A change of this machine replaces the pool's nodes one by one.
acme.addNodePool('general', {
  machine: new KubevirtMachine({
    cpu: 4,
    memory: Size.gibibytes(16),
    rootDisk: RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.34.1' }),
  }),
  size: PoolSize.between(1, 10),
});

// Fixed size, for workloads that cannot wait for a new node. After a crash, or a reboot of its host, a machine that is back within ten
// minutes is the same node, with its disk. A machine whose host is drained is replaced.
acme.addNodePool('ingress', {
  machine: new KubevirtMachine({
    cpu: 2,
    memory: Size.gibibytes(4),
    rootDisk: RootDisk.registry({
      url: 'docker://quay.io/capk/ubuntu-2404-container-disk:v1.34.1',
      size: Size.gibibytes(20),
      storageClass: 'replicated',
    }),
  }),
  size: PoolSize.fixed(2),
  labels: { 'node-role.kubernetes.io/ingress': '' },
});

acme.addAddon(new MetricsServer());
acme.addAddon(new CertManager());
acme.addAddon(new SnapshotController());

// Constructs of any library, delivered into the tenant after the addons.
new kplus.Namespace(acme.workloads, 'team-a', { metadata: { name: 'team-a' } });

app.synth();
