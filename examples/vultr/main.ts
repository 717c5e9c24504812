// Clusters at Vultr, as the first Cluster API provider for Vultr was introduced with in 2019 (a control plane, a worker, Calico, the cloud
// controller manager), with the API versions, the provider and the programs of today; and the management cluster that makes them.
//
// This program writes the folder `dist` of a Git repository. `flux bootstrap git --path=dist/flux` in the management cluster makes the
// GitRepository, and from then on applies what is in `dist/flux`. docs/vultr.md says which Secrets it needs, and which ports a firewall group
// must open. Here machines talk to each other by public addresses, which is for trials: examples/vultr-vpc has them in a VPC.

import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  Calico, FluxDelivery, FluxEntryPoints, GitOpsApp, KubeadmControlPlane, management, PoolSize, TenantCluster, Versions, vultr,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const tokyo = new management.ManagementCluster(app, 'tokyo', {
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
      version: 'v0.3.0',
      // Its key VULTR_API_KEY is the API key, for all clusters of this management cluster.
      configSecret: { name: 'vultr-variables', namespace: 'capi-operator-system' },
    }],
  }),
  // Not installed: control planes and machines are at Vultr.
  kamaji: management.KamajiInstallation.existing(),
  kubevirt: management.KubevirtInstallation.existing(),
  cdi: management.CdiInstallation.existing(),
});

// Put ids of your own here. The snapshot holds container runtime, kubelet and kubeadm, as image-builder makes it.
const SNAPSHOT = '00000000-0000-4000-8000-000000000001';
const SSH_KEY = '00000000-0000-4000-8000-000000000002';
const FIREWALL_GROUP = '00000000-0000-4000-8000-000000000004';

/** The same cluster with one control plane machine, and with three. */
function cluster(name: string, controlPlaneMachines: number): TenantCluster {
  const infrastructure = new vultr.VultrInfrastructure({
    region: 'nrt',
    // Programs in the tenant get Vultr's API key by the Secret <cluster>-vultr-api-keys in the cluster's namespace here, in the management
    // cluster: of type addons.cluster.x-k8s.io/resource-set, with the manifests of the Secrets kube-system/vultr-ccm and
    // kube-system/vultr-csi in it. An ExternalSecret makes it, with a template of that type; VultrApiKey.carried() says what is in it.
    storageClasses: [
      { name: 'vultr-block-storage', storage: vultr.VultrStorage.BLOCK_NVME, isDefault: true },
      { name: 'vultr-vfs-storage', storage: vultr.VultrStorage.FILE_SYSTEM_NVME },
    ],
  });
  // The provider switches the firewall of the operating system off: Vultr's decides who reaches the public addresses of machines.
  const machine = { infrastructure, snapshotId: SNAPSHOT, sshKeyIds: [SSH_KEY], firewallGroupId: FIREWALL_GROUP };
  const tenant = new TenantCluster(app, name, {
    namespace: name,
    kubernetesVersion: '1.35.4',
    managementCluster: tokyo,
    // The capacity of a plan is stated beside it: the library does not ask Vultr. Reservations and autoscaling follow from it.
    controlPlane: new KubeadmControlPlane({
      replicas: controlPlaneMachines,
      machine: new vultr.VultrMachine({ ...machine, plan: 'vc2-2c-4gb', capacity: { cpu: 2, memory: Size.gibibytes(4) } }),
    }),
    infrastructure,
    podCidrs: ['192.168.0.0/16'],
    cni: new Calico(),
    delivery: new FluxDelivery(),
  });
  tenant.addNodePool('workers', {
    machine: new vultr.VultrMachine({ ...machine, plan: 'vc2-4c-8gb', capacity: { cpu: 4, memory: Size.gibibytes(8) } }),
    size: PoolSize.between(1, 5),
  });
  return tenant;
}

cluster('capi', 1);
const ha = cluster('capi-ha', 3);

// A website behind a load balancer of Vultr.
const web = new kplus.Deployment(ha.workloads, 'web', {
  metadata: { namespace: 'default' },
  replicas: 3,
  containers: [{
    image: 'registry.example.com/team-a/web:1.0.0',
    portNumber: 8080,
    securityContext: { user: 1000, group: 1000 },
  }],
});
const service = web.exposeViaService({ serviceType: kplus.ServiceType.LOAD_BALANCER, ports: [{ port: 80, targetPort: 8080 }] });
vultr.VultrLoadBalancer.publish(service, { healthCheck: { path: '/' }, nodeCount: 3 });

app.synth();
