// Two hundred tenants from one list. `clusters.csv` says what is different about each; profiles, which are plain functions, say what they have
// in common; rings say who gets a new Kubernetes version when. docs/fleet.md goes through it.

import * as path from 'node:path';
import { Size } from 'cdk8s';
import {
  CertManager, Cilium, ClusterList, Fleet, FleetCluster, FluxDelivery, FluxEntryPoints, GitOpsApp, type IClusterProfile, ImportedManagementCluster,
  IsolationPeer, IsolationPort, KamajiControlPlane, KamajiExposure, KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, MetricsServer,
  PoolSize, RootDisk, TaintEffect, TenantIsolation,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const DATA_STORES = ['etcd-a-1', 'etcd-a-2', 'etcd-b-1', 'etcd-b-2'];

// Facts about the management cluster of all tenants. One instance, so that its limits count all of them.
const hall = new ImportedManagementCluster({
  podCidrs: ['100.64.0.0/14'],
  serviceCidrs: ['100.68.0.0/16'],
  nodeCidrs: ['192.168.0.0/20'],
  networkPlugin: ManagementNetworkPlugin.CILIUM,
  // Tenants of one data store share its quota: the list places them, and none gets more than 60.
  dataStoreLimits: Object.fromEntries(DATA_STORES.map((store) => [store, 60])),
  dataStorePeers: Object.fromEntries(DATA_STORES.map((store) => [store, [
    IsolationPeer.pods({ namespace: 'kamaji-system', podLabels: { 'app.kubernetes.io/instance': store }, ports: [IsolationPort.tcp(2379)] }),
  ]])),
  // Its API servers run with --service-node-port-range=20000-32767, and MetalLB has a /20 for load balancers.
  totalLimit: { 'requests.memory': '64Ti', 'requests.nvidia.com/GA102GL_A10': '256', 'services.nodeports': '12768', 'services.loadbalancers': '4096' },
});

// Strategies are plain data: one instance serves every cluster.
const infrastructure = new KubevirtInfrastructure();
const cni = new Cilium();
const delivery = new FluxDelivery();
const isolation = new TenantIsolation();

function machine(cluster: FleetCluster, cpu: number, memory: Size, deviceName?: string): KubevirtMachine {
  return new KubevirtMachine({
    cpu,
    memory,
    rootDisk: RootDisk.containerDisk({ image: `registry.example.com/nodes/ubuntu-24.04:v${cluster.kubernetesVersion}` }),
    nodeSelector: { 'topology.kubernetes.io/zone': cluster.region ?? 'hall-a' },
    gpus: deviceName === undefined ? undefined : [{ deviceName, count: cluster.integer('gpus', { min: 1, max: 8 }) }],
  });
}

const standard: IClusterProfile = {
  props: (cluster) => ({
    controlPlane: new KamajiControlPlane({
      replicas: cluster.integer('controlPlaneReplicas', { default: 2, min: 1 }),
      dataStore: cluster.dataStore('dataStore', hall),
      exposure: KamajiExposure.loadBalancer({ address: cluster.text('apiAddress') }),
    }),
    infrastructure,
    cni,
    delivery,
    isolation,
    managementCluster: hall,
    podCidrs: cluster.cidrs('podCidrs'),
    serviceCidrs: cluster.cidrs('serviceCidrs'),
  }),
  populate: (tenant, cluster) => {
    tenant.addNodePool('general', {
      machine: machine(cluster, 4, Size.gibibytes(16)),
      size: PoolSize.between(2, cluster.integer('workers', { min: 2 })),
    });
    tenant.addAddon(new MetricsServer());
    tenant.addAddon(new CertManager());
  },
};

// The same with less around it.
const small: IClusterProfile = {
  props: (cluster) => standard.props(cluster),
  populate: (tenant, cluster) => {
    tenant.addNodePool('general', { machine: machine(cluster, 2, Size.gibibytes(8)), size: PoolSize.fixed(cluster.integer('workers', { default: 2, max: 5 })) });
    tenant.addAddon(new MetricsServer());
  },
};

// The same and more: machines with GPUs, while somebody needs them.
const gpu: IClusterProfile = {
  props: (cluster) => standard.props(cluster),
  populate: (tenant, cluster) => {
    standard.populate(tenant, cluster);
    tenant.addNodePool('gpu', {
      machine: machine(cluster, 8, Size.gibibytes(64), 'nvidia.com/GA102GL_A10'),
      size: PoolSize.between(0, 4),
      taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: TaintEffect.NO_SCHEDULE }],
    });
  },
};

new Fleet(app, 'fleet', {
  clusters: ClusterList.fromFile(path.join(__dirname, 'clusters.csv')),
  profiles: { small, standard, gpu },
  // In the order in which they are upgraded. Clusters that name no ring are in the last one.
  rings: [
    { name: 'canary', kubernetesVersion: '1.36.1' },
    { name: 'early', kubernetesVersion: '1.35.4' },
    { name: 'main', kubernetesVersion: '1.35.4' },
  ],
  overrides: [{ labels: { tier: 'gold' }, values: { controlPlaneReplicas: 3 } }],
  regionLabel: 'example.com/region',
  ringLabel: 'example.com/ring',
  // For people.
  ignoredValues: ['owner'],
});

app.synth();
