// Alerts and dashboards from what pages declare: for the management cluster, for a tenant that runs, and for one that sleeps.
//
// In the folder of each cluster is `monitoring.yaml`: a PrometheusRule with limits from the page, and a ConfigMap with a dashboard of Grafana.
// `runbook_url` of each alert names its section of docs/troubleshooting/alerts.md. The management cluster has kube-prometheus-stack; its
// kube-state-metrics reads the ConfigMap that is written here: docs/guides/monitor-a-tenant.md.

import { Size } from 'cdk8s';
import {
  Cilium, ClusterMonitoring, CustomResourceMetrics, EvictionStrategy, FluxDelivery, FluxEntryPoints, GitOpsApp, Hibernation, KamajiControlPlane,
  KubeadmControlPlane, KubevirtInfrastructure, KubevirtMachine, management, ManagementNetworkPlugin, PoolSize, RootDisk, TenantCluster,
  TenantIsolation, Versions,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

// Plain data, for any number of clusters. The Prometheus of kube-prometheus-stack selects rules by this label.
const monitoring = new ClusterMonitoring({
  ruleLabels: { release: 'kube-prometheus-stack' },
  alertLabels: { team: 'platform' },
});

const versions = Versions.of('2026.11');

const hall = new management.ManagementCluster(app, 'hall-1', {
  namespace: 'flux-system',
  delivery: new FluxDelivery(),
  versions,
  monitoring,
  clusterApi: management.ClusterApiInstallation.operator({ kubeadmControlPlane: {} }),
  kamaji: management.KamajiInstallation.chart({
    dataStores: [management.KamajiDataStore.etcd('default', {
      size: Size.gibibytes(20),
      // The claim must exist.
      backup: management.EtcdBackup.persistentVolumeClaim({ claimName: 'etcd-backups' }),
      // Metrics of the etcd, for its alerts.
      values: { serviceMonitor: { enabled: true } },
    })],
    // Metrics of certificates and data stores.
    values: { serviceMonitor: { enabled: true } },
  }),
  kubevirt: management.KubevirtInstallation.operator({ operator: management.OperatorManifest.release() }),
  cdi: management.CdiInstallation.operator({ operator: management.OperatorManifest.release() }),
  capabilities: {
    podCidrs: ['10.244.0.0/16'],
    serviceCidrs: ['10.96.0.0/16'],
    nodeCidrs: ['192.168.100.0/24'],
    networkPlugin: ManagementNetworkPlugin.CALICO,
  },
});

new CustomResourceMetrics(hall, 'Metrics', { namespace: 'monitoring', serviceAccount: 'kube-prometheus-stack-kube-state-metrics' });

const size = { cpu: 4, memory: Size.gibibytes(16) };
const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' });
const machine = new KubevirtMachine({ ...size, rootDisk });

const common = {
  kubernetesVersion: '1.35.4',
  versions,
  infrastructure: new KubevirtInfrastructure(),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
  managementCluster: hall,
  isolation: new TenantIsolation({ quota: { 'requests.memory': '400Gi' } }),
  monitoring,
};

const acme = new TenantCluster(app, 'acme', {
  ...common,
  namespace: 'tenant-acme',
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
});

// Alerts if fewer than 3 nodes are there for longer than machines take to start, outside of a rollout.
acme.addNodePool('general', { machine, size: PoolSize.fixed(3) });

// Alerts if it falls below its minimum.
acme.addNodePool('batch', { machine, size: PoolSize.between(1, 10) });

// Machines of the control plane have alerts of their own, and certificates that are renewed with them.
const bank = new TenantCluster(app, 'bank', {
  ...common,
  namespace: 'tenant-bank',
  controlPlane: new KubeadmControlPlane({
    machine: new KubevirtMachine({ ...size, rootDisk, evictionStrategy: EvictionStrategy.NONE }),
    replicas: 3,
  }),
});
bank.addNodePool('general', { machine, size: PoolSize.fixed(2) });

// Nothing of it is missing while it sleeps.
const beta = new TenantCluster(app, 'beta', {
  ...common,
  namespace: 'tenant-beta',
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  hibernation: Hibernation.FULL,
});
beta.addNodePool('general', { machine, size: PoolSize.fixed(3) });

app.synth();
