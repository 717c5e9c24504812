// A highly available cluster at Vultr whose machines and load balancers talk to each other in a VPC, and the management cluster that makes it.
//
// It needs v0.4 of Vultr's provider, which the Cluster API Operator cannot install from where it is published: docs/vultr.md says how to put it
// into a registry of yours, which Secrets there must be, and which ports the firewall group may keep closed.

import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  Calico, FluxDelivery, FluxEntryPoints, GitOpsApp, KubeadmControlPlane, management, PoolSize, TenantCluster, Versions, vultr,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const osaka = new management.ManagementCluster(app, 'osaka', {
  namespace: 'flux-system',
  delivery: new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'dist' } }),
  versions: Versions.of('2026.11'),
  clusterApi: management.ClusterApiInstallation.operator({
    kubeadmControlPlane: {},
    kamajiControlPlane: { enabled: false },
    kubevirtInfrastructure: { enabled: false },
    helmAddon: { enabled: false },
    furtherProviders: [{
      kind: management.ProviderKind.INFRASTRUCTURE,
      name: 'vultr-vultr',
      version: 'v0.4.0',
      ociArtifact: 'registry.example.com/providers/cluster-api-provider-vultr',
      configSecret: { name: 'vultr-variables', namespace: 'capi-operator-system' },
    }],
  }),
  // Not installed: control planes and machines are at Vultr.
  kamaji: management.KamajiInstallation.existing(),
  kubevirt: management.KubevirtInstallation.existing(),
  cdi: management.CdiInstallation.existing(),
});

// Put ids of your own here.
const infrastructure = new vultr.VultrInfrastructure({ region: 'itm', vpcId: '00000000-0000-4000-8000-000000000003' });
const machine = {
  infrastructure,
  snapshotId: '00000000-0000-4000-8000-000000000001',
  sshKeyIds: ['00000000-0000-4000-8000-000000000002'],
  // Machines keep public addresses, by which they reach registries; with vpcOnly a NAT gateway of the VPC takes their place.
  firewallGroupId: '00000000-0000-4000-8000-000000000004',
};

const cluster = new TenantCluster(app, 'capi-vpc', {
  namespace: 'capi-vpc',
  kubernetesVersion: '1.35.4',
  managementCluster: osaka,
  controlPlane: new KubeadmControlPlane({
    replicas: 3,
    machine: new vultr.VultrMachine({ ...machine, plan: 'vc2-2c-4gb', capacity: { cpu: 2, memory: Size.gibibytes(4) } }),
  }),
  infrastructure,
  podCidrs: ['192.168.0.0/16'],
  cni: new Calico(),
  delivery: new FluxDelivery(),
});
cluster.addNodePool('workers', {
  machine: new vultr.VultrMachine({ ...machine, plan: 'vc2-4c-8gb', capacity: { cpu: 4, memory: Size.gibibytes(8) } }),
  size: PoolSize.between(1, 5),
});

// A website behind a load balancer that is in the VPC, too.
const web = new kplus.Deployment(cluster.workloads, 'web', {
  metadata: { namespace: 'default' },
  replicas: 3,
  containers: [{
    image: 'registry.example.com/team-a/web:1.0.0',
    portNumber: 8080,
    securityContext: { user: 1000, group: 1000 },
  }],
});
const service = web.exposeViaService({ serviceType: kplus.ServiceType.LOAD_BALANCER, ports: [{ port: 80, targetPort: 8080 }] });
vultr.VultrLoadBalancer.publish(service, { vpc: true, healthCheck: { path: '/' } });

app.synth();
