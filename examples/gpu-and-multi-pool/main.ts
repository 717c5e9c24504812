// A tenant with three kinds of node: a pool of fixed size, a general pool that scales with the load, and GPU nodes that exist only while
// pods need them. Registry mirror, proxy and time servers are the same for all of them; the API server is published through a load balancer
// with a fixed address.

import { App, Duration, Size } from 'cdk8s';
import {
  type BootstrapUser, Cilium, ExtraDisk, Firmware, FluxDelivery, HealthCheck, ImportedManagementCluster, IsolationPeer, IsolationPort,
  KamajiControlPlane, KamajiExposure, KubeadmBootstrap, KubevirtInfrastructure, KubevirtMachine, MachineCount, ManagementNetworkPlugin,
  PoolSize, RolloutStrategy, RootDisk, TaintEffect, TenantCluster, TenantIsolation,
} from 'cdk8s-cluster-api';

// The team's own node images: Kubernetes, containerd and cloud-init are in them.
const NODE_IMAGE = 'https://images.example.com/nodes/ubuntu-24.04-kubernetes-1.35.4.qcow2';

const operators: BootstrapUser[] = [{
  name: 'operator',
  sudo: 'ALL=(ALL) NOPASSWD:ALL',
  sshAuthorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPvx8sGTbNkHWYmSFcTJnDFF6rTbLYhv8c9oY0mIJb1n operator@example.com'],
}];

const app = new App();

// Facts about the management cluster, which the isolation of its tenants follows from.
const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  // The etcd behind Kamaji's DataStore.
  dataStorePeers: { 'ssd-etcd': [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  labels: { 'example.com/tenant': 'acme' },
  podCidrs: ['10.32.0.0/16'],
  serviceCidrs: ['10.33.0.0/20'],
  controlPlane: new KamajiControlPlane({
    replicas: 3,
    dataStore: 'ssd-etcd',
    exposure: KamajiExposure.loadBalancer({
      address: '192.0.2.10',
      loadBalancerClass: 'metallb.io/metallb',
      serviceAnnotations: { 'metallb.io/loadBalancerIPs': '192.0.2.10' },
      sourceRanges: ['192.0.2.0/24', '198.51.100.0/24', '10.244.0.0/16'],
    }),
    certSans: ['api.acme.example.com'],
    apiServer: {
      extraArgs: [{ name: 'event-ttl', value: '4h' }],
      resources: { requests: { cpu: '500m', memory: '3Gi' }, limits: { memory: '4Gi' } },
    },
  }),
  infrastructure: new KubevirtInfrastructure(),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
  isolation: new TenantIsolation(),
  managementCluster: hall,
  bootstrap: new KubeadmBootstrap({
    users: operators,
    ntp: { servers: ['ntp1.example.com', 'ntp2.example.com'] },
    registryMirrors: [{ registry: 'docker.io', endpoints: ['https://mirror.example.com'] }],
    httpProxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
  }),
});

// Fixed size, for workloads that cannot wait for a new node: CoreDNS runs here while the general pool is small.
acme.addNodePool('system', {
  machine: new KubevirtMachine({
    cpu: 2,
    memory: Size.gibibytes(8),
    rootDisk: RootDisk.http({ url: NODE_IMAGE, size: Size.gibibytes(40), storageClass: 'replicated' }),
  }),
  size: PoolSize.fixed(3),
  labels: { 'node-role.kubernetes.io/system': '' },
});

acme.addNodePool('general', {
  machine: new KubevirtMachine({
    cpu: 8,
    memory: Size.gibibytes(32),
    rootDisk: RootDisk.http({ url: NODE_IMAGE, size: Size.gibibytes(60), storageClass: 'replicated' }),
    extraDisks: [ExtraDisk.blank({ name: 'scratch', size: Size.gibibytes(200), storageClass: 'local' })],
  }),
  size: PoolSize.between(2, 40, { scaleDownUnneededTime: Duration.minutes(20) }),
  rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(25) }),
  kubelet: { maxPods: 200, systemReserved: { memory: '1Gi' } },
});

// Scales from nothing, so the autoscaler is told what a node will offer. Passed-through GPUs tie the machine to its host.
acme.addNodePool('gpu', {
  machine: new KubevirtMachine({
    instanceType: 'gn1.2xlarge',
    capacity: { cpu: 8, memory: Size.gibibytes(32) },
    preference: 'ubuntu',
    gpus: [{ deviceName: 'nvidia.com/GA102GL_A10', count: 2 }],
    firmware: Firmware.UEFI,
    rootDisk: RootDisk.http({ url: NODE_IMAGE, size: Size.gibibytes(100), storageClass: 'replicated' }),
    nodeSelector: { 'example.com/gpu': 'a10' },
  }),
  size: PoolSize.between(0, 4),
  labels: { 'example.com/accelerator': 'a10' },
  taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: TaintEffect.NO_SCHEDULE }],
  healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(40) }),
});

app.synth();
