// Tenants on vSphere: one whose control plane runs on machines behind an address that kube-vip moves, spread over two zones of a vCenter, and
// one whose control plane Kamaji runs in the management cluster. Machines have addresses from a pool, and volumes by a storage policy.
//
// The management cluster has Cluster API's providers for vSphere and for addresses (in-cluster), Kamaji, Flux, and a VSphereClusterIdentity
// `tenants`. docs/guides/use-vsphere.md says which Secrets tenants need, and what the provider's own template has.

import { Chart, Size } from 'cdk8s';
import {
  AddressPool, Calico, ControlPlaneEndpoint, FluxDelivery, FluxEntryPoints, GitOpsApp, KamajiControlPlane, KubeadmControlPlane, PoolSize,
  TenantCluster, vsphere,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const VCENTER = { server: 'vcenter.example.com', datacenter: 'dc1' };
const ZONES = ['room-1', 'room-2'];
const SELECTED = { 'example.com/tenants': 'true' };

// Zones of the vCenter, once for all tenants: compute clusters with tags of these categories.
const zones = new Chart(app, 'vsphere-zones');
for (const [index, name] of ZONES.entries()) {
  new vsphere.VSphereZone(zones, name, {
    ...VCENTER,
    name,
    region: { name: 'dc1', category: 'k8s-region', place: vsphere.VSpherePlace.DATACENTER },
    zone: { name, category: 'k8s-zone', place: vsphere.VSpherePlace.COMPUTE_CLUSTER },
    computeCluster: `cluster-${index + 1}`,
    resourcePool: `/dc1/host/cluster-${index + 1}/Resources/tenants`,
    labels: SELECTED,
  });
}

/** Infrastructure of both clusters. */
function infrastructure(): vsphere.VSphereInfrastructure {
  return new vsphere.VSphereInfrastructure({
    ...VCENTER,
    thumbprint: '8A:E7:3B:6A:2E:0B:5C:3F:52:4B:0E:63:74:95:0D:58:B0:9B:2F:11',
    identity: vsphere.VSphereIdentity.clusterIdentity('tenants'),
    zones: ZONES,
    zoneLabels: SELECTED,
    topologyCategories: ['k8s-region', 'k8s-zone'],
    // Secrets <cluster>-tenant-cloud-provider-vsphere-credentials and <cluster>-tenant-vsphere-config-secret, in the namespace of the
    // cluster, bring the credentials of cloud controller manager and CSI driver to the tenant.
    storageClasses: [{ name: 'gold', storagePolicy: 'gold', isDefault: true }],
  });
}

/** A machine with an address from a pool. */
function machine(cpu: number, memory: Size, pool: AddressPool): vsphere.VSphereMachine {
  return new vsphere.VSphereMachine({
    // A virtual machine with container runtime, kubelet and kubeadm, as image-builder makes it.
    template: 'ubuntu-2404-kube-v1.35.4',
    cpu,
    memory,
    disk: Size.gibibytes(60),
    storagePolicy: 'gold',
    folder: 'tenants',
    networkDevices: [{ network: 'nodes', addressPools: [pool], nameservers: ['192.0.2.2'] }],
  });
}

const acmeNodes = AddressPool.inCluster({ name: 'acme-nodes', addresses: ['192.0.2.11-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' });
const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  infrastructure: infrastructure(),
  controlPlane: new KubeadmControlPlane({
    replicas: 3,
    machine: machine(2, Size.gibibytes(8), acmeNodes),
    endpoint: ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'ghcr.io/kube-vip/kube-vip:v1.0.1' }),
  }),
  cni: new Calico(),
  delivery: new FluxDelivery(),
});
for (const zone of ZONES) {
  acme.addNodePool(zone, { machine: machine(8, Size.gibibytes(32), acmeNodes), size: PoolSize.between(0, 10), failureDomain: zone });
}

const hostedNodes = AddressPool.inCluster({ name: 'hosted-nodes', addresses: ['192.0.2.61-192.0.2.90'], prefix: 24, gateway: '192.0.2.1' });
const hosted = new TenantCluster(app, 'hosted', {
  namespace: 'tenant-hosted',
  kubernetesVersion: '1.35.4',
  infrastructure: infrastructure(),
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  cni: new Calico(),
  delivery: new FluxDelivery(),
});
hosted.addNodePool('general', { machine: machine(4, Size.gibibytes(16), hostedNodes), size: PoolSize.between(1, 5), failureDomain: 'room-1' });

app.synth();
