import { App, Size } from 'cdk8s';
import { PROXMOX } from './proxmox-provider';
import { ProxmoxInfrastructure, ProxmoxMachine, TalosBootstrap, TalosControlPlane } from './proxmox-talos';
import { Cni, PoolSize, TenantCluster } from 'cdk8s-cluster-api';
import { registerProvider } from 'cdk8s-cluster-api/manifests';

registerProvider(PROXMOX);

const app = new App();
const acme = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  infrastructure: new ProxmoxInfrastructure({
    endpoint: '192.0.2.10', addresses: ['192.0.2.11-192.0.2.60'], gateway: '192.0.2.1', prefix: 24, dnsServers: ['192.0.2.2'],
  }),
  controlPlane: new TalosControlPlane({
    machine: new ProxmoxMachine({ cores: 4, memory: Size.gibibytes(8), templateId: 110, sourceNode: 'pve1' }),
    replicas: 3,
    talosVersion: 'v1.11',
  }),
  bootstrap: new TalosBootstrap('v1.11'),
  // Talos installs Flannel itself.
  cni: Cni.none(),
});
acme.addNodePool('general', {
  machine: new ProxmoxMachine({ cores: 8, memory: Size.gibibytes(32), templateId: 110, sourceNode: 'pve1' }),
  size: PoolSize.between(1, 10),
});

app.synth();
