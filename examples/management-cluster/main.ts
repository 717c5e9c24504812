// The management cluster around tenants: everything that they need there, installed by Flux into the cluster that it runs in, and a tenant
// that is checked against it.
//
// Flux has been bootstrapped (`flux bootstrap git --path=clusters/hall-1`), which made the namespace flux-system and the GitRepository of
// that name. This program writes two folders of that repository. `hall-1` is `clusters/hall-1`: let a `kustomization.yaml` there list
// `flux-system` and `hall-1.k8s.yaml`, for without one Flux would apply the folders beside them too, and all at once. `tenants` is
// `clusters/tenants`, which Flux applies once the providers of Cluster API serve the kinds in it.

import * as path from 'node:path';
import { Size } from 'cdk8s';
import {
  CdiInstallation, Cilium, ClusterApiInstallation, flux_kustomize, FluxDelivery, GitOpsApp, KamajiControlPlane, KamajiDataStore, KamajiInstallation,
  KubevirtInfrastructure, KubevirtInstallation, KubevirtMachine, ManagementCluster, PermittedHostDevice, PoolSize, RootDisk, TenantCluster,
} from 'cdk8s-cluster-api';

const out = process.env.CDK8S_OUTDIR ?? 'dist';
const repository = { name: 'flux-system', namespace: 'flux-system' };

const app = new GitOpsApp({ outdir: path.join(out, 'hall-1') });

const hall = new ManagementCluster(app, 'hall-1', {
  namespace: 'flux-system',
  delivery: new FluxDelivery({ manifestSource: { ...repository, path: 'clusters/hall-1' } }),

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

// What is of a kind that nobody serves yet keeps Flux from applying anything beside it: tenants come by a Kustomization of their own.
new flux_kustomize.Kustomization(hall, 'tenants', {
  metadata: { name: 'tenants' },
  spec: {
    dependsOn: [{ name: 'hall-1-cluster-api-providers' }, { name: 'hall-1-kubevirt' }, { name: 'hall-1-cdi' }],
    force: false,
    interval: '10m0s',
    path: './clusters/tenants',
    prune: true,
    sourceRef: { kind: flux_kustomize.KustomizationSpecSourceRefKind.GIT_REPOSITORY, name: repository.name },
  },
});

const tenants = new GitOpsApp({ outdir: path.join(out, 'tenants') });

const acme = new TenantCluster(tenants, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'bank' }),
  infrastructure: new KubevirtInfrastructure(),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
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
tenants.synth();
