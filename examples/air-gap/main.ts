// A tenant cluster in a network without Internet: every image and every chart comes from a registry of its own.
//
// On a machine with access to both networks, list the images and charts of the cluster under their usual names, and copy them:
//
//   UPSTREAM=1 npx tsx main.ts
//   npx cdk8s-cluster-api images --strict --accept kine: --accept pause: dist
//   npx cdk8s-cluster-api images --format copy --tool crane --to registry.internal:5000/mirror --charts-to oci://registry.internal:5000/charts dist | sh
//
// --strict fails when something is not known. Two things never stand in manifests: kine, which Kamaji runs for data stores other than etcd
// with the image that its manager is told, and the pause image that containerd has in its configuration. Copy these by hand if they are used,
// and what has an override to where the override says.
//
// Then synthesize without UPSTREAM. To hold every image to what it is today, let the registries tell the digests while the folder has the
// usual names, keep them beside this file, and give `lock: ImageLock.fromFile('images.lock.json')` and `requireDigests: true` to the
// ImageSources:
//
//   npx cdk8s-cluster-api images lock dist

import { App, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  CertManager, Cilium, FluxDelivery, HelmAddon, ImageSources, ImportedManagementCluster, IsolationPeer, IsolationPort, KamajiControlPlane,
  KamajiCoreDns, KubeadmBootstrap, KubevirtCsiDriver, KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, MetricsServer, PoolSize,
  RootDisk, TenantCluster, TenantIsolation,
} from 'cdk8s-cluster-api';

const app = new App();

const images = new ImageSources({
  // quay.io/cilium/cilium becomes registry.internal:5000/mirror/cilium/cilium: in pods, machines, control planes and values of charts.
  imageRegistry: 'registry.internal:5000/mirror',
  chartRegistry: 'oci://registry.internal:5000/charts',
  // Images that the mirror keeps under another name.
  overrides: { 'quay.io/capk/ubuntu-2404-container-disk': 'registry.internal:5000/machines/ubuntu-2404' },
});

// Facts about the management cluster, which the isolation of its tenants follows from. registry.internal is outside these ranges; a registry
// inside them would be one of the machineDestinations of NetworkIsolation.byNetworkPlugin().
const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  // The etcd behind Kamaji's DataStore.
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

const vault = new TenantCluster(app, 'vault', {
  namespace: 'tenant-vault',
  kubernetesVersion: '1.34.1',
  images: process.env.UPSTREAM ? undefined : images,
  controlPlane: new KamajiControlPlane({
    replicas: 3,
    dataStore: 'default',
    // The version of Kubernetes 1.34. Otherwise it is the one that Kamaji is built with, which no manifest tells.
    coreDns: KamajiCoreDns.managed({ imageRepository: 'registry.k8s.io/coredns', imageTag: 'v1.12.1' }),
  }),
  infrastructure: new KubevirtInfrastructure({
    storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
    csiDriver: KubevirtCsiDriver.of({ image: 'registry.internal:5000/platform/kubevirt-csi-driver:27b52aa2' }),
  }),
  // For pods that teams start in the tenant by names of their own.
  bootstrap: new KubeadmBootstrap({
    registryMirrors: ['docker.io', 'ghcr.io', 'quay.io', 'registry.k8s.io'].map((registry) => ({
      registry, endpoints: ['https://registry.internal:5000/v2/mirror'], overridePath: true,
    })),
  }),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
  isolation: new TenantIsolation(),
  managementCluster: hall,
});

vault.addNodePool('general', {
  machine: new KubevirtMachine({
    cpu: 4,
    memory: Size.gibibytes(16),
    rootDisk: RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.34.1' }),
  }),
  size: PoolSize.between(2, 6),
});

// Of the bundled charts the library knows the images, and the values that name them.
vault.addAddon(new CertManager());
vault.addAddon(new MetricsServer());

// Of any other chart it is told, and so are readers of what is written.
vault.addAddon(new HelmAddon('podinfo', {
  chart: 'podinfo',
  repository: 'oci://ghcr.io/stefanprodan/charts',
  chartVersion: '6.9.0',
  namespace: 'podinfo',
  images: [{ image: 'ghcr.io/stefanprodan/podinfo:6.9.0' }],
}));

// Constructs of other libraries are reached as well.
new kplus.Deployment(vault.workloads, 'web', {
  metadata: { name: 'web', namespace: 'default' },
  containers: [{ image: 'ghcr.io/team-a/web:2.3.1', portNumber: 8080, securityContext: { user: 1000, group: 1000 } }],
});

app.synth();
