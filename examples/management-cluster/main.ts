// The management cluster around tenants: everything that they need there, installed by Flux into the cluster that it runs in, and a tenant
// that is checked against it.
//
// This program writes the folder `dist` of a Git repository. `flux bootstrap git --path=dist/flux` makes the namespace flux-system and
// the GitRepository of that name, and from then on applies what is in `dist/flux`: a Kustomization for the management cluster, and those of
// each tenant. A tenant's is tried again until the management cluster serves the kinds in it, and depends on nothing else there.

import { Size } from 'cdk8s';
import {
  Cilium, FluxDelivery, FluxEntryPoints, GitOpsApp, KamajiControlPlane, KubevirtInfrastructure, KubevirtMachine,
  management, ManagementNetworkPlugin, PoolSize, RootDisk, TenantCluster, TenantIsolation, Versions,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

// Storage for snapshots of the etcds. The Secret has the access key, in the namespace of the etcds.
const backup = management.EtcdBackup.s3({ endpoint: 'https://s3.example.com', bucket: 'hall-1', folder: 'etcd', secretName: 'etcd-backup' });

const hall = new management.ManagementCluster(app, 'hall-1', {
  namespace: 'flux-system',
  delivery: new FluxDelivery(),

  // Versions of all components. A newer package changes none of them: docs/guides/upgrade-the-management-cluster.md.
  versions: Versions.of('2026.11'),

  // Core, kubeadm, Kamaji, KubeVirt and Helm provider come without a word; here some of them run twice.
  clusterApi: management.ClusterApiInstallation.operator({
    core: { replicas: 2 },
    kubeadmBootstrap: { replicas: 2 },
    // Keys of the Secret are variables of the providers: a token keeps GitHub from turning the operator away.
    configSecret: { name: 'cluster-api-variables', namespace: 'capi-operator-system' },
  }),

  // One etcd for most tenants, and one for the tenant that wants to be restored alone.
  kamaji: management.KamajiInstallation.chart({
    replicas: 2,
    dataStores: [
      management.KamajiDataStore.etcd('default', { storageClass: 'local', size: Size.gibibytes(20), backup }),
      management.KamajiDataStore.etcd('bank', { storageClass: 'local', backup }),
    ],
  }),

  // CPUs and devices of their hosts that machines may use. By default the manifests of the operators are kept with the sources, in `vendor/`, and
  // synthesis names the command that downloads them. This repository keeps no upstream files, so Flux fetches them here, from GitHub and with each
  // reconciliation: leave `operator` out.
  kubevirt: management.KubevirtInstallation.operator({
    operator: management.OperatorManifest.release(),
    dedicatedCpus: true,
    permittedHostDevices: [management.PermittedHostDevice.pci('nvidia.com/AD102GL_L40S', '10DE:26B9')],
  }),
  cdi: management.CdiInstallation.operator({ operator: management.OperatorManifest.release(), scratchSpaceStorageClass: 'local' }),

  // Facts that no program can read: tenants are checked against them before anything is merged.
  capabilities: {
    storageClasses: [{ name: 'local', local: true }, { name: 'replicated', isDefault: true }],
    podCidrs: ['10.244.0.0/16'],
    serviceCidrs: ['10.96.0.0/16'],
    nodeCidrs: ['192.168.100.0/24'],
    networkPlugin: ManagementNetworkPlugin.CALICO,
  },
});

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'bank' }),
  infrastructure: new KubevirtInfrastructure(),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
  // The ranges, the network plug-in and the pods of the etcd "bank" are known from the management cluster.
  isolation: new TenantIsolation(),
});

acme.addNodePool('gpu', {
  machine: new KubevirtMachine({
    cpu: 8,
    memory: Size.gibibytes(32),
    gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }],
    rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
  }),
  size: PoolSize.fixed(1),
});

app.synth();
