// A tenant for a management cluster without Flux or Argo CD: nothing but Cluster API and its add-on provider for Helm
// (github.com/kubernetes-sigs/cluster-api-addon-provider-helm). Charts become HelmChartProxies, manifests a ClusterResourceSet of
// Cluster API itself. Apply the output with whatever you have, e.g. `kubectl apply --server-side -f dist/`.

import { App, Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  CertManager, Flannel, HelmAddon, HelmChartProxyDelivery, ImportedManagementCluster, IsolationPeer, IsolationPort, KamajiControlPlane,
  KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, MetricsServer, PoolSize, RootDisk, TenantCluster, TenantIsolation,
} from 'cdk8s-cluster-api';

const app = new App();

// Facts about the management cluster, which the isolation of its tenants follows from.
const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  // The etcd behind Kamaji's DataStore.
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.34.4',
  controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure(),
  cni: new Flannel(),
  // Addons of a registry that wants credentials: the Secret is in the cluster's namespace, made by whoever keeps your secrets.
  delivery: new HelmChartProxyDelivery({
    repositories: [{ repository: 'oci://registry.example.com/charts', secretName: 'registry-credentials' }],
  }),
  isolation: new TenantIsolation(),
  managementCluster: hall,
});

acme.addNodePool('general', {
  machine: new KubevirtMachine({
    cpu: 2,
    memory: Size.gibibytes(8),
    rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.34.4' }),
  }),
  size: PoolSize.fixed(3),
});

const certManager = new CertManager();
acme.addAddon(certManager);
acme.addAddon(new MetricsServer());

// A chart of your own. What comes too early fails, and is tried again until what it needs is there.
acme.addAddon(new HelmAddon('team-operator', {
  chart: 'team-operator',
  repository: 'oci://registry.example.com/charts',
  chartVersion: '1.4.2',
  namespace: 'team-operator',
  values: { replicas: 2, webhook: { certManager: true }, message: 'Welcome to {{ .Cluster }}' },
  after: [certManager],
}));

// Constructs of any library. Changes reach the tenant; what is taken out here stays there until somebody deletes it.
const team = new Chart(acme.workloads, 'team-a', { namespace: 'team-a' });
new kplus.Namespace(acme.workloads, 'Namespace', { metadata: { name: 'team-a' } });

const settings = new kplus.ConfigMap(team, 'Settings', { metadata: { name: 'settings' }, data: { 'greeting.txt': 'Hello from ${HOSTNAME}\n' } });
const volume = kplus.Volume.fromConfigMap(team, 'SettingsVolume', settings);

const api = new kplus.Deployment(team, 'Api', {
  metadata: { name: 'api' },
  replicas: 2,
  containers: [{
    image: 'registry.example.com/team-a/api:1.0.7',
    portNumber: 8080,
    resources: {
      cpu: { request: kplus.Cpu.millis(100), limit: kplus.Cpu.millis(500) },
      memory: { request: Size.mebibytes(64), limit: Size.mebibytes(128) },
    },
    volumeMounts: [{ path: '/etc/settings', volume }],
  }],
});
api.exposeViaService({ name: 'api', ports: [{ port: 80, targetPort: 8080 }] });

app.synth();
