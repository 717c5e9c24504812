// Rings with gates: a change reaches a ring when the ring before has rolled it out, is healthy, and has been so for a while.
//
// `flux/ring-*.yaml` are the gates: Kustomizations of Flux that succeed when the machines of a step are up to date. The Kustomizations of later
// clusters look at them, as long as they have something to apply. docs/guides/gated-rings.md goes through it.

import { Duration, Size } from 'cdk8s';
import {
  Cilium, ClusterList, Fleet, FluxDelivery, FluxEntryPoints, GitOpsApp, type IClusterProfile, ImportedManagementCluster, IsolationPeer, IsolationPort,
  KamajiControlPlane, KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, PoolSize, RootDisk, TenantIsolation,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

const isolation = new TenantIsolation();

const standard: IClusterProfile = {
  props: () => ({
    managementCluster: hall,
    isolation,
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
  }),
  populate: (tenant, cluster) => {
    const image = `registry.example.com/nodes/ubuntu-24.04:v${cluster.kubernetesVersion}`;
    tenant.addNodePool('general', {
      machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image }) }),
      size: PoolSize.between(2, cluster.integer('workers', { default: 5 })),
    });
  },
};

new Fleet(app, 'fleet', {
  clusters: ClusterList.of([
    { name: 'lab', ring: 'canary' },
    { name: 'aster', ring: 'early' },
    { name: 'birch', ring: 'early' },
    { name: 'cedar', ring: 'main' },
    { name: 'delta', ring: 'main' },
    { name: 'elm', ring: 'main' },
  ]),
  profiles: { standard },
  rings: [
    { name: 'canary', kubernetesVersion: '1.36.1', gate: { soak: Duration.days(1) } },
    // Its hosts are being replaced, and so its machines: the others go on without it.
    { name: 'early', kubernetesVersion: '1.36.1', gate: { soak: Duration.hours(2) }, exceptFor: { birch: 'hosts of hall B are replaced until March' } },
    // Nothing comes after it. It has a gate for its canary and its batches.
    { name: 'main', kubernetesVersion: '1.36.1', gate: { soak: Duration.minutes(30), canaries: ['elm'], batchSize: 1 } },
  ],
  ringLabel: 'example.com/ring',
});

app.synth();
