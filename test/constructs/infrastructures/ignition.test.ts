import { App, Size } from 'cdk8s';
import * as library from '../../../src';
import { problemsOf } from '../../support/problems';

const { BootstrapFormat, ControlPlaneEndpoint, KubeadmBootstrap, KubeadmControlPlane, PoolSize, TenantCluster } = library;
const { metal3, openstack, proxmox, vsphere, vultr } = library;

const format = BootstrapFormat.IGNITION;
const memory = Size.gibibytes(8);
const EXTERNAL = ControlPlaneEndpoint.external({ host: '192.0.2.10' });

interface Platform {
  readonly infrastructure: library.Infrastructure;
  readonly machine: library.Machine;
  readonly endpoint?: library.ControlPlaneEndpoint;
}

const vultrInfrastructure = new vultr.VultrInfrastructure({ region: 'nrt', storageClasses: [{ name: 'block', storage: vultr.VultrStorage.BLOCK_NVME, isDefault: true }] });

const PLATFORMS: Readonly<Record<string, Platform>> = {
  KubeVirt: {
    infrastructure: new library.KubevirtInfrastructure(),
    machine: new library.KubevirtMachine({ cpu: 2, memory, rootDisk: library.RootDisk.containerDisk({ image: 'registry.example.com/nodes/flatcar:1.35.4' }) }),
  },
  Metal3: {
    infrastructure: new metal3.Metal3Infrastructure({}),
    machine: new metal3.Metal3Machine({
      image: { url: 'https://images.example.com/flatcar.raw', checksum: 'https://images.example.com/flatcar.raw.sha256', checksumType: 'sha256', diskFormat: 'raw' },
    }),
    endpoint: EXTERNAL,
  },
  Vultr: {
    infrastructure: vultrInfrastructure,
    machine: new vultr.VultrMachine({ infrastructure: vultrInfrastructure, snapshotId: '00000000-0000-4000-8000-000000000001', plan: 'vc2-2c-4gb' }),
  },
  OpenStack: {
    infrastructure: new openstack.OpenStackInfrastructure({
      identity: openstack.OpenStackIdentity.secret({ name: 'clouds', cloudName: 'openstack' }),
      network: openstack.OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] }),
      externalNetwork: openstack.OpenStackResource.named('public'),
    }),
    machine: new openstack.OpenStackMachine({ flavor: 'm1.medium', image: openstack.OpenStackResource.named('flatcar'), sshKeyName: 'ops' }),
  },
  vSphere: {
    infrastructure: new vsphere.VSphereInfrastructure({ server: 'vcenter.example.com', datacenter: 'dc1', identity: vsphere.VSphereIdentity.clusterIdentity('tenants') }),
    machine: new vsphere.VSphereMachine({ template: 'flatcar', cpu: 2, memory, disk: Size.gibibytes(60), networkDevices: [{ network: 'nodes', dhcp4: true }] }),
    endpoint: EXTERNAL,
  },
  Proxmox: {
    infrastructure: new proxmox.ProxmoxInfrastructure({
      ipv4: { addresses: ['192.0.2.11-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' }, dnsServers: ['192.0.2.2'], credentialsSecret: 'proxmox',
    }),
    machine: new proxmox.ProxmoxMachine({
      template: proxmox.ProxmoxTemplate.id(110, 'pve1'), cores: 2, memory, bootDisk: { device: 'scsi0', size: Size.gibibytes(60) }, networkDevices: [{ bridge: 'vmbr0' }],
    }),
    endpoint: EXTERNAL,
  },
};

/** Problems of a page whose machines are set up by Ignition. */
function refusals({ infrastructure, machine, endpoint }: Platform): string[] {
  const app = new App();
  const acme = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KubeadmControlPlane({ replicas: 3, machine, endpoint, format }),
    bootstrap: new KubeadmBootstrap({ format }),
    infrastructure,
    cni: library.Cni.none(),
    delivery: new library.FluxDelivery(),
  });
  acme.addNodePool('general', { machine, size: PoolSize.fixed(2) });
  return problemsOf(app).map(({ id, text }) => `${id} ${text}`);
}

test('machines of KubeVirt can be set up by Ignition', () => {
  expect(refusals(PLATFORMS.KubeVirt)).toEqual([]);
});

test('machines of Vultr cannot, whose provider changes user data', () => {
  expect(refusals(PLATFORMS.Vultr)).toContainEqual(expect.stringContaining('TC-TRAP-VULTR-USER-DATA'));
});

test.each([
  ['Metal3', 'nodeLabels'],
  ['OpenStack', 'kubeletArguments["provider-id"]'],
  ['Proxmox', 'kubeletArguments["provider-id"]'],
  ['vSphere', 'preKubeadmCommands[0]'],
])('machines of %s need cloud-init, and the page says why', (name, asked) => {
  const reason = `format: the infrastructure or its machines need a template of instance data in ${asked}, which only cloud-init renders. Fix: use an image with cloud-init.`;

  expect(refusals(PLATFORMS[name])).toEqual(expect.arrayContaining(['controlPlane', 'bootstrap'].map((owner) => `TC-KUBEADM-IGNITION ${owner}.${reason}`)));
  expect(refusals(PLATFORMS[name]).filter((problem) => !problem.startsWith('TC-KUBEADM-IGNITION '))).toEqual([]);
});

test('a pool of OpenStack takes over the configuration of upstream\'s template for Flatcar', () => {
  const bootstrap = new library.ManifestBootstrap({
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfigTemplate',
    appliesNodeSetup: true,
    spec: {
      template: {
        spec: {
          format: 'ignition',
          joinConfiguration: {
            nodeRegistration: {
              name: '${COREOS_OPENSTACK_HOSTNAME}',
              kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }, { name: 'provider-id', value: 'openstack:///${COREOS_OPENSTACK_INSTANCE_UUID}' }],
            },
          },
          preKubeadmCommands: ['envsubst < /etc/kubeadm.yml > /etc/kubeadm.yml.tmp', 'mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml'],
        },
      },
    },
  });
  const { infrastructure, machine } = PLATFORMS.OpenStack;
  const app = new App();
  const acme = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KubeadmControlPlane({ replicas: 3, machine }),
    bootstrap,
    infrastructure,
    cni: library.Cni.none(),
    delivery: new library.FluxDelivery(),
  });
  acme.addNodePool('general', { machine, size: PoolSize.fixed(2) });

  expect(problemsOf(app)).toEqual([]);
});
