// An addon as a class, in a fleet whose clusters have the same profile.
import { type Chart, Size } from 'cdk8s';
import {
  AddonCapability, CertManager, Cilium, ClusterList, Fleet, type FleetCluster, FluxDelivery, FluxEntryPoints, GitOpsApp,
  type IClusterProfile, ImportedManagementCluster, IsolationPeer, IsolationPort, KamajiControlPlane, KubevirtInfrastructure,
  KubevirtMachine, l1, ManagementNetworkPlugin, ManifestAddon, PoolSize, RootDisk, type TenantCluster, type TenantClusterOptions,
  TenantIsolation, Traefik,
} from 'cdk8s-cluster-api';

const hall = new ImportedManagementCluster({
  podCidrs: ['10.244.0.0/16'],
  serviceCidrs: ['10.96.0.0/16'],
  nodeCidrs: ['192.168.100.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
});

class LetsEncrypt extends ManifestAddon {
  public constructor(private readonly email: string) {
    super('lets-encrypt', { requires: [AddonCapability.CERTIFICATES] });
  }

  protected define(tenant: Chart): void {
    new l1.cert_manager.ClusterIssuer(tenant, 'issuer', {
      metadata: { name: 'lets-encrypt' },
      spec: {
        acme: {
          server: 'https://acme-v02.api.letsencrypt.org/directory',
          email: this.email,
          privateKeySecretRef: { name: 'lets-encrypt-account' },
          solvers: [{ http01: { ingress: { ingressClassName: 'traefik' } } }],
        },
      },
    });
  }
}

class Standard implements IClusterProfile {
  public props(cluster: FleetCluster): TenantClusterOptions {
    return {
      controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
      infrastructure: new KubevirtInfrastructure(),
      cni: new Cilium(),
      delivery: new FluxDelivery(),
      isolation: new TenantIsolation(),
      managementCluster: hall,
      podCidrs: cluster.cidrs('podCidrs'),
    };
  }

  public populate(tenant: TenantCluster, cluster: FleetCluster): void {
    tenant.addNodePool('general', {
      machine: new KubevirtMachine({
        cpu: 4,
        memory: Size.gibibytes(16),
        rootDisk: RootDisk.containerDisk({ image: `registry.example.com/nodes/ubuntu-24.04:${cluster.kubernetesVersion}` }),
      }),
      size: PoolSize.fixed(cluster.integer('workers', { min: 1 })),
    });
    tenant.addAddon(new CertManager());
    tenant.addAddon(new Traefik());
    tenant.addAddon(new LetsEncrypt(cluster.text('email')));
  }
}

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

new Fleet(app, 'fleet', {
  clusters: ClusterList.of([
    { name: 'acme', ring: 'canary', values: { workers: 3, podCidrs: ['10.0.0.0/16'], email: 'ops@acme.example.com' } },
    { name: 'globex', ring: 'main', values: { workers: 5, podCidrs: ['10.1.0.0/16'], email: 'ops@globex.example.com' } },
  ]),
  profiles: { standard: new Standard() },
  rings: [
    { name: 'canary', kubernetesVersion: '1.36.1' },
    { name: 'main', kubernetesVersion: '1.35.4' },
  ],
});

app.synth();
