// A tenant that Argo CD applies and delivers to. It reads this program's output from the folder `clusters` of a Git repository:
// `clusters/tenant-acme/acme/` with the objects of the management cluster, below it `delivered/` with the manifests that it applies to the tenant
// itself, and `argocd/` with the Application of each cluster. Let one Application of yours apply `argocd/`.
//
// Argo CD cannot read a kubeconfig, so somebody has to register the tenant with it. Here that is the capi2argo-cluster-operator
// (github.com/dntosas/capi2argo-cluster-operator) with ENABLE_NAMESPACED_NAMES, which makes a cluster named `tenant-acme-acme` of the
// kubeconfig that Cluster API writes.

import { ApiObject, Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  AddonCapability, ArgoCdDelivery, ArgoCdDestination, ArgoCdEntryPoints, Calico, CertManager, GitOpsApp, ImportedManagementCluster,
  IsolationPeer, IsolationPort, KamajiControlPlane, KubevirtInfrastructure, KubevirtMachine, ManagementNetworkPlugin, ManifestAddon, MetricsServer,
  PoolSize, RootDisk, TenantCluster, TenantIsolation, Traefik,
} from 'cdk8s-cluster-api';

const repository = { repoUrl: 'https://git.example.com/platform/tenants.git', targetRevision: 'main', path: 'dist' };
const app = new GitOpsApp({ entryPoints: new ArgoCdEntryPoints(repository) });

/** The issuer of certificates. It is the same for every tenant, so it is an addon, which comes after cert-manager and its definitions. */
class LetsEncrypt extends ManifestAddon {
  public constructor() {
    super('lets-encrypt', { requires: [AddonCapability.CERTIFICATES] });
  }

  protected define(tenant: Chart): void {
    new ApiObject(tenant, 'Issuer', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'ClusterIssuer',
      metadata: { name: 'lets-encrypt' },
      spec: {
        acme: {
          server: 'https://acme-v02.api.letsencrypt.org/directory',
          email: 'platform@acme.example.com',
          privateKeySecretRef: { name: 'lets-encrypt-account' },
          solvers: [{ http01: { ingress: { ingressClassName: 'traefik' } } }],
        },
      },
    });
  }
}

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
  kubernetesVersion: '1.35.4',
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure(),
  // The machines' packets travel in the pod network of the management cluster, whose MTU is 1400: less the 50 bytes of a header.
  cni: new Calico({ mtu: 1350 }),
  delivery: new ArgoCdDelivery({
    destination: ArgoCdDestination.NAMESPACED_NAME,
    project: 'tenants',
    manifestSource: repository,
  }),
  isolation: new TenantIsolation(),
  managementCluster: hall,
});

acme.addNodePool('general', {
  machine: new KubevirtMachine({
    cpu: 4,
    memory: Size.gibibytes(16),
    rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
  }),
  size: PoolSize.between(2, 6),
});

// In whichever order: what comes before what it needs is tried again.
acme.addAddon(new LetsEncrypt());
acme.addAddon(new Traefik());
acme.addAddon(new CertManager({ replicas: 2 }));
acme.addAddon(new MetricsServer());

// An application of the tenant's own, after all addons.
const shop = new Chart(acme.workloads, 'shop', { namespace: 'shop' });
new kplus.Namespace(acme.workloads, 'Namespace', { metadata: { name: 'shop' } });

const web = new kplus.Deployment(shop, 'Web', {
  metadata: { name: 'web' },
  containers: [{
    image: 'registry.example.com/shop/web:2.3.1',
    portNumber: 8080,
    resources: {
      cpu: { request: kplus.Cpu.millis(100), limit: kplus.Cpu.units(1) },
      memory: { request: Size.mebibytes(128), limit: Size.mebibytes(256) },
    },
  }],
});
const service = web.exposeViaService({ name: 'web', ports: [{ port: 80, targetPort: 8080 }] });

new kplus.HorizontalPodAutoscaler(shop, 'Autoscaler', {
  metadata: { name: 'web' },
  target: web,
  minReplicas: 2,
  maxReplicas: 10,
  metrics: [kplus.Metric.resourceCpu(kplus.MetricTarget.averageUtilization(70))],
});

const ingress = new kplus.Ingress(shop, 'Ingress', {
  metadata: { name: 'web', annotations: { 'cert-manager.io/cluster-issuer': 'lets-encrypt' } },
  className: 'traefik',
  // cert-manager makes the Secret.
  tls: [{ hosts: ['shop.example.com'], secret: kplus.Secret.fromSecretName(shop, 'Certificate', 'shop-certificate') }],
});
ingress.addHostRule('shop.example.com', '/', kplus.IngressBackend.fromService(service));

app.synth();
