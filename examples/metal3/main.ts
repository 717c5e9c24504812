// Tenants on bare metal that Metal3 deploys: one whose control plane runs on three hosts behind an address that kube-vip moves, and one whose control
// plane Kamaji runs in the management cluster. Hosts get their addresses from pools of Metal3, on a network card for nodes and a bond for storage.
//
// The management cluster has Metal3's baremetal-operator with Ironic, and the BareMetalHost objects of each tenant in its namespace, with the labels that
// are chosen by here. docs/guides/use-metal3.md says what else it needs, and what the provider's own template has.

import { Size } from 'cdk8s';
import {
  Cilium, ControlPlaneEndpoint, FluxDelivery, FluxEntryPoints, GitOpsApp, KamajiControlPlane, KamajiExposure, KubeadmControlPlane, KubeVipMode,
  management, metal3, PoolSize, TenantCluster, Versions,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

// Cluster API with Metal3's providers for hosts and for addresses.
const hall = new management.ManagementCluster(app, 'hall-1', {
  namespace: 'flux-system',
  delivery: new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'dist' } }),
  versions: Versions.of('2026.11'),
  clusterApi: management.ClusterApiInstallation.operator({
    kubeadmControlPlane: {},
    kubevirtInfrastructure: { enabled: false },
    helmAddon: { enabled: false },
    furtherProviders: [
      { kind: management.ProviderKind.INFRASTRUCTURE, name: 'metal3', version: 'v1.13.2' },
      { kind: management.ProviderKind.IPAM, name: 'metal3', version: 'v1.13.2' },
    ],
  }),
  kamaji: management.KamajiInstallation.existing(),
  kubevirt: management.KubevirtInstallation.existing(),
  cdi: management.CdiInstallation.existing(),
});

/** An image with container runtime, kubelet and kubeadm of a version, as image-builder makes it. */
function image(version: string): metal3.Metal3Image {
  const url = `https://images.example.com/ubuntu-24.04-kubernetes-${version}.raw`;
  return { url, checksum: `${url}.sha256`, checksumType: 'sha256', diskFormat: 'raw' };
}

/** Hosts of one kind: the network of nodes on eno1, and storage on a bond of two cards, in a VLAN. */
function hosts(role: string, nodes: metal3.Metal3AddressPool, storage: metal3.Metal3AddressPool): metal3.Metal3MachineProps {
  return {
    image: image('1.35.4'),
    hostSelector: { 'example.com/role': role },
    capacity: { cpu: 32, memory: Size.gibibytes(256), ephemeralStorage: Size.gibibytes(800) },
    network: {
      links: [
        metal3.Metal3Link.ethernet({ id: 'eno1' }),
        metal3.Metal3Link.ethernet({ id: 'ens1f0', mtu: 9000 }),
        metal3.Metal3Link.ethernet({ id: 'ens1f1', mtu: 9000 }),
        metal3.Metal3Link.bond({ id: 'bond0', mode: '802.3ad', xmitHashPolicy: 'layer3+4', links: ['ens1f0', 'ens1f1'], mtu: 9000 }),
        metal3.Metal3Link.vlan({ id: 'storage', vlanId: 20, link: 'bond0', mtu: 9000 }),
      ],
      networks: [
        metal3.Metal3Network.ipv4({ link: 'eno1', pool: nodes }),
        metal3.Metal3Network.ipv4({ link: 'storage', pool: storage, routes: [] }),
      ],
      dnsServers: ['192.0.2.2'],
    },
    // The address among several that the node registers with.
    nodeAddressPool: nodes,
    metadata: { rack: metal3.Metal3Value.label(metal3.Metal3Object.HOST, 'example.com/rack') },
  };
}

const RACKS = ['rack-1', 'rack-2', 'rack-3'];
const infrastructure = new metal3.Metal3Infrastructure({
  failureDomains: RACKS.map((name) => ({ name })),
  // Nodes get the labels example.com/… of their hosts.
  labelSyncPrefixes: ['example.com'],
});

const nodes = new metal3.Metal3AddressPool({ name: 'acme-nodes', addresses: ['192.0.2.20-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' });
const storage = new metal3.Metal3AddressPool({ name: 'acme-storage', addresses: ['198.51.100.20-198.51.100.60'], prefix: 24 });

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  infrastructure,
  // Three hosts, in three racks as far as they have available hosts.
  controlPlane: new KubeadmControlPlane({
    replicas: 3,
    machine: new metal3.Metal3Machine(hosts('control-plane', nodes, storage)),
    endpoint: ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', networkInterface: 'eno1', mode: KubeVipMode.arp(), image: 'ghcr.io/kube-vip/kube-vip:v1.0.1' }),
  }),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
});

// Hosts with data disks: a rollout deploys the same hosts again, and does not wipe the disks.
acme.addNodePool('storage', {
  machine: new metal3.Metal3Machine({ ...hosts('storage', nodes, storage), nodeReuse: true, automatedCleaning: false }),
  size: PoolSize.fixed(3),
  failureDomain: 'rack-1',
});
acme.addNodePool('general', {
  machine: new metal3.Metal3Machine(hosts('worker', nodes, storage)),
  size: PoolSize.between(0, 8),
});

// A control plane without hosts, at an address that Metal3's cluster object states.
const beta = new TenantCluster(app, 'beta', {
  namespace: 'tenant-beta',
  kubernetesVersion: '1.35.4',
  managementCluster: hall,
  infrastructure: new metal3.Metal3Infrastructure(),
  controlPlane: new KamajiControlPlane({
    replicas: 2,
    dataStore: 'default',
    exposure: KamajiExposure.loadBalancer({ address: '192.0.2.11', serviceAnnotations: { 'metallb.io/loadBalancerIPs': '192.0.2.11' } }),
  }),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
});
beta.addNodePool('general', {
  // Addresses by DHCP, as the image has it.
  machine: new metal3.Metal3Machine({ image: image('1.35.4'), hostSelector: { 'example.com/role': 'worker' }, capacity: { cpu: 32, memory: Size.gibibytes(256) } }),
  size: PoolSize.fixed(2),
});

app.synth();
