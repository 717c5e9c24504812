// The management cluster around tenants: everything that they need there, installed by Flux into the cluster that it runs in, and a tenant
// that is checked against it.
//
// Flux has been bootstrapped (`flux bootstrap`), which made the namespace flux-system and the GitRepository of that name. This program's
// output is in that repository under `clusters/hall-1`: `hall-1.k8s.yaml` and `acme.k8s.yaml`, which Flux applies, and folders with what is
// applied in a certain order. Let the Kustomization that reads `clusters/hall-1` find a `kustomization.yaml` there that lists these two
// files: without one, Flux would apply the folders too, and all at once.

import { Size } from 'cdk8s';
import {
  CdiInstallation, Cilium, ClusterApiInstallation, FluxDelivery, GitOpsApp, KamajiControlPlane, KamajiDataStore, KamajiInstallation,
  KubevirtInfrastructure, KubevirtInstallation, KubevirtMachine, ManagementCluster, PermittedHostDevice, PoolSize, RootDisk, TenantCluster,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp();
const delivery = new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'clusters/hall-1' } });

const hall = new ManagementCluster(app, 'hall-1', {
  namespace: 'flux-system',
  delivery,

  // Core, kubeadm, Kamaji, KubeVirt and Helm provider come without a word; here some of them run twice.
  clusterApi: ClusterApiInstallation.operator({
    core: { replicas: 2 },
    kubeadmBootstrap: { replicas: 2 },
    // Keys of the Secret are variables of the providers: a token keeps GitHub from turning the operator away.
    configSecret: { name: 'cluster-api-variables', namespace: 'capi-operator-system' },
  }),

  // One etcd for most tenants, and one for the tenant that wants to be restored alone.
  kamaji: KamajiInstallation.chart({
    replicas: 2,
    dataStores: [
      KamajiDataStore.etcd('default', { storageClass: 'local', size: Size.gibibytes(20) }),
      KamajiDataStore.etcd('bank', { storageClass: 'local' }),
    ],
  }),

  // What machines may have of their hosts.
  kubevirt: KubevirtInstallation.operator({
    dedicatedCpus: true,
    permittedHostDevices: [PermittedHostDevice.pci('nvidia.com/AD102GL_L40S', '10DE:26B9')],
  }),
  cdi: CdiInstallation.operator({ scratchSpaceStorageClass: 'local' }),

  // What no program can know: tenants are held against it before anything is merged.
  capabilities: {
    storageClasses: [{ name: 'local', local: true }, { name: 'replicated', isDefault: true }],
    podCidrs: ['10.244.0.0/16'],
    serviceCidrs: ['10.96.0.0/16'],
    nodeCidrs: ['192.168.100.0/24'],
  },
});

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'bank' }),
  infrastructure: new KubevirtInfrastructure(),
  cni: new Cilium(),
  delivery,
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
