// Tenants on Proxmox VE: one whose control plane runs on machines behind an address that kube-vip moves, and one whose control plane Kamaji
// runs in the management cluster. Machines have static addresses, a second network for storage, and volumes on the storage of Proxmox VE.
//
// The management cluster has Cluster API's providers for Proxmox VE and for addresses (in-cluster), Kamaji and Flux. docs/guides/use-proxmox.md
// says which Secrets it needs, and what the provider's own template has.

import { Size } from 'cdk8s';
import {
  AddressPool, Calico, ControlPlaneEndpoint, FluxDelivery, FluxEntryPoints, GitOpsApp, KamajiControlPlane, KubeadmControlPlane,
  PoolSize, proxmox, TenantCluster,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({ entryPoints: new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }) });

const NODES = ['pve1', 'pve2', 'pve3'];
const KUBE_VIP = 'ghcr.io/kube-vip/kube-vip:v1.0.1';

// A template with container runtime, kubelet and kubeadm, as image-builder makes it.
const TEMPLATE = proxmox.ProxmoxTemplate.id(110, 'pve1');

/** Infrastructure of a cluster: a range of addresses of its own, and programs in the tenant that reach Proxmox VE. */
function infrastructure(addresses: string, zones?: proxmox.ProxmoxZone[]): proxmox.ProxmoxInfrastructure {
  return new proxmox.ProxmoxInfrastructure({
    ipv4: { addresses: [addresses], prefix: 24, gateway: '192.0.2.1' },
    dnsServers: ['192.0.2.2'],
    zones,
    allowedNodes: NODES,
    // Keys url, token, secret and insecure, in the namespace of the cluster.
    credentialsSecret: 'proxmox-credentials',
    // The Secret <cluster>-tenant-proxmox-api-token beside it brings the token of these programs to the tenant.
    api: { url: 'https://pve.example.com:8006/api2/json', region: 'dc1' },
    storageClasses: [{ name: 'fast', storage: 'ceph', isDefault: true }],
  });
}

/** A machine with a boot disk on Ceph. */
function machine(cores: number, memory: Size, further: Partial<proxmox.ProxmoxMachineProps> = {}): proxmox.ProxmoxMachine {
  return new proxmox.ProxmoxMachine({
    template: TEMPLATE,
    cores,
    memory,
    bootDisk: { device: 'scsi0', size: Size.gibibytes(60) },
    storage: 'ceph',
    networkDevices: [{ bridge: 'vmbr0', vlan: 120 }],
    ...further,
  });
}

const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  infrastructure: infrastructure('192.0.2.11-192.0.2.60'),
  controlPlane: new KubeadmControlPlane({
    replicas: 3,
    machine: machine(2, Size.gibibytes(8)),
    endpoint: ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: KUBE_VIP }),
  }),
  cni: new Calico(),
  delivery: new FluxDelivery(),
});

// Addresses in the storage network, from a pool that this page makes.
const storageNetwork = AddressPool.inCluster({ name: 'acme-storage', addresses: ['198.51.100.10-198.51.100.60'], prefix: 24 });
acme.addNodePool('general', {
  machine: machine(8, Size.gibibytes(32), { networkDevices: [{ bridge: 'vmbr0', vlan: 120 }, { bridge: 'vmbr1', mtu: 9000, addressPools: [storageNetwork] }] }),
  size: PoolSize.between(0, 10),
});

// Machines of the second room get addresses of its network.
const hosted = new TenantCluster(app, 'hosted', {
  namespace: 'tenant-hosted',
  kubernetesVersion: '1.35.4',
  infrastructure: infrastructure('192.0.2.61-192.0.2.90', [
    { name: 'room-2', dnsServers: ['203.0.113.2'], ipv4: { addresses: ['203.0.113.11-203.0.113.60'], prefix: 24, gateway: '203.0.113.1' } },
  ]),
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  cni: new Calico(),
  delivery: new FluxDelivery(),
});
hosted.addNodePool('room-2', {
  machine: machine(4, Size.gibibytes(16), { zone: 'room-2', allowedNodes: ['pve4', 'pve5'], networkDevices: [{ bridge: 'vmbr0', vlan: 220 }] }),
  size: PoolSize.between(1, 5),
});

app.synth();
