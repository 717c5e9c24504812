import { execFileSync, spawnSync } from 'node:child_process';
import { App, Size } from 'cdk8s';
import { parse } from 'yaml';
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

function proxmoxMachine(options: { readonly skipCloudInitStatus?: boolean }): library.Machine {
  return new proxmox.ProxmoxMachine({
    template: proxmox.ProxmoxTemplate.id(110, 'pve1'), cores: 2, memory, bootDisk: { device: 'scsi0', size: Size.gibibytes(60) }, networkDevices: [{ bridge: 'vmbr0' }], ...options,
  });
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
    machine: proxmoxMachine({ skipCloudInitStatus: true }),
    endpoint: EXTERNAL,
  },
};

/** A page whose machines are set up by Ignition. */
function page({ infrastructure, machine, endpoint }: Platform): { readonly app: App; readonly acme: library.TenantCluster } {
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
  return { app, acme };
}

/** Problems of such a page. */
function refusals(platform: Platform): string[] {
  return problemsOf(page(platform).app).map(({ id, text }) => `${id} ${text}`);
}

/** Problems of such a page, and the configurations of its control plane and its pool. */
function configurations(platform: Platform): { readonly problems: string[]; readonly server: any; readonly worker: any } {
  const { app, acme } = page(platform);
  const problems = problemsOf(app).map(({ id, text }) => `${id} ${text}`);
  const find = (kind: string) => acme.toJson().find((object: any) => object.kind === kind);
  return { problems, server: find('KubeadmControlPlane').spec.kubeadmConfigSpec, worker: find('KubeadmConfigTemplate').spec.template.spec };
}

test('machines of KubeVirt can be set up by Ignition', () => {
  expect(refusals(PLATFORMS.KubeVirt)).toEqual([]);
});

test('machines of Vultr cannot, whose provider changes user data', () => {
  expect(refusals(PLATFORMS.Vultr)).toContainEqual(expect.stringContaining('TC-TRAP-VULTR-USER-DATA'));
});

test('machines of Metal3 need cloud-init, and the page says why', () => {
  const reason = 'format: the infrastructure or its machines need a template of instance data in nodeLabels, which only cloud-init renders. Fix: use an image with cloud-init.';

  expect(refusals(PLATFORMS.Metal3)).toEqual(['controlPlane', 'bootstrap'].map((owner) => `TC-KUBEADM-IGNITION ${owner}.${reason}`));
});

/** Drop-in of kubeadm's unit, after a unit that writes the file. */
function dropIn(environmentFile: string, unit?: string): string {
  const wanted = 'network-online.target containerd.service';
  const units = unit === undefined ? [`After=${wanted}`] : [`Requires=${unit}`, `After=${wanted} ${unit}`];
  return `[Unit]\nWants=${wanted}\n${units.join('\n')}\n[Service]\nEnvironmentFile=${environmentFile}\n`;
}

/** Commands that replace variables in the configuration of kubeadm. */
function replacing(...variables: string[]): string[] {
  return [
    `: ${variables.map((name) => `"\${${name}:?}"`).join(' ')}`,
    `(umask 077 && envsubst '${variables.map((name) => `\${${name}}`).join(' ')}' < /etc/kubeadm.yml > /etc/kubeadm.yml.tmp)`,
    'mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml',
  ];
}

interface Expected {
  readonly name?: string;
  readonly providerId?: string;
  readonly units?: object[];
  readonly commands: string[];
}

// Names, variables, files and units are those of the providers' own templates for Flatcar.
test.each<[string, Expected]>([
  ['OpenStack', {
    name: '${COREOS_OPENSTACK_HOSTNAME}',
    providerId: 'openstack:///${COREOS_OPENSTACK_INSTANCE_UUID}',
    units: [
      { name: 'coreos-metadata-sshkeys@.service', enabled: true },
      { name: 'kubeadm.service', enabled: true, dropins: [{ name: '10-cdk8s-cluster-api.conf', contents: dropIn('/run/metadata/flatcar', 'coreos-metadata.service') }] },
    ],
    commands: ['export COREOS_OPENSTACK_HOSTNAME="${COREOS_OPENSTACK_HOSTNAME%%.*}"', ...replacing('COREOS_OPENSTACK_HOSTNAME', 'COREOS_OPENSTACK_INSTANCE_UUID')],
  }],
  ['Proxmox', {
    // The provider writes /etc/hostname.
    providerId: 'proxmox://${COREOS_CUSTOM_INSTANCE_ID}',
    units: [{ name: 'kubeadm.service', enabled: true, dropins: [{ name: '10-cdk8s-cluster-api.conf', contents: dropIn('/etc/proxmox-env') }] }],
    commands: replacing('COREOS_CUSTOM_INSTANCE_ID'),
  }],
  ['vSphere', {
    name: '${COREOS_CUSTOM_HOSTNAME}',
    commands: [
      expect.stringMatching(/^export COREOS_CUSTOM_HOSTNAME=.*vmtoolsd.*info-get guestinfo\.metadata.*local-hostname/),
      'hostnamectl set-hostname "${COREOS_CUSTOM_HOSTNAME:?}"',
      'echo "::1         ipv6-localhost ipv6-loopback" >/etc/hosts',
      'echo "127.0.0.1   ${COREOS_CUSTOM_HOSTNAME} localhost" >>/etc/hosts',
      ...replacing('COREOS_CUSTOM_HOSTNAME'),
    ],
  }],
])('machines of %s get what they need from variables', (platform, { name, providerId, units, commands }) => {
  const { problems, server, worker } = configurations(PLATFORMS[platform]);

  expect(problems).toEqual([]);
  for (const config of [server, worker]) {
    expect(config.format).toBe('ignition');
    expect(config.preKubeadmCommands).toEqual(commands);
    expect(config.ignition && parse(config.ignition.containerLinuxConfig.additionalConfig)).toEqual(units && { systemd: { units } });
    expect(JSON.stringify(config)).not.toContain('{{');
  }
  for (const { nodeRegistration } of [server.initConfiguration, server.joinConfiguration, worker.joinConfiguration]) {
    expect(nodeRegistration.name).toBe(name);
    expect(nodeRegistration.kubeletExtraArgs?.find((argument: any) => argument.name === 'provider-id')?.value).toBe(providerId);
  }
});

test('the name of a machine of vSphere is read from the metadata that the provider writes', () => {
  const { worker } = configurations(PLATFORMS.vSphere);
  const metadata = Buffer.from('\ninstance-id: "acme-general-x7k2p"\nlocal-hostname: "acme-general-x7k2p"\nwait-on-network:\n  ipv4: false\n').toString('base64');
  const script = worker.preKubeadmCommands[0].replace(/"\$\(find [^)]*\)" --cmd "info-get guestinfo\.metadata"/, `echo ${metadata}`);

  expect(execFileSync('bash', ['-ec', `${script}\nprintf %s "$COREOS_CUSTOM_HOSTNAME"`], { encoding: 'utf8' })).toBe('acme-general-x7k2p');
});

test('the name of a node in OpenStack has no domain, and a machine without metadata does not join', () => {
  const [short, check] = configurations(PLATFORMS.OpenStack).worker.preKubeadmCommands;
  const run = (env: NodeJS.ProcessEnv) => spawnSync('bash', ['-ec', `${short}\n${check}\nprintf %s "$COREOS_OPENSTACK_HOSTNAME"`], { encoding: 'utf8', env });
  const uuid = { COREOS_OPENSTACK_INSTANCE_UUID: '00000000-0000-4000-8000-000000000001' };

  expect(run({ ...uuid, COREOS_OPENSTACK_HOSTNAME: 'acme-general-x7k2p.nodes.example.com' })).toMatchObject({ status: 0, stdout: 'acme-general-x7k2p' });
  expect(run({ COREOS_OPENSTACK_HOSTNAME: 'acme-general-x7k2p' }).status).not.toBe(0);
  expect(run(uuid).status).not.toBe(0);
});

test('kube-vip runs on machines with variables, too', () => {
  const endpoint = ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'registry.example.com/kube-vip:v1.2.3' });
  const { problems, server } = configurations({ ...PLATFORMS.vSphere, endpoint });

  expect(problems).toEqual([]);
  expect(server.preKubeadmCommands).toEqual(expect.arrayContaining(['hostnamectl set-hostname "${COREOS_CUSTOM_HOSTNAME:?}"', expect.stringContaining('/opt/bin/cdk8s-cluster-api-kube-vip super-admin.conf')]));
});

test('the provider of Proxmox VE must not wait for cloud-init', () => {
  const machine = proxmoxMachine({ skipCloudInitStatus: undefined });

  expect(refusals({ ...PLATFORMS.Proxmox, machine })).toEqual(expect.arrayContaining([
    expect.stringMatching(/^TC-TRAP-PROXMOX-CLOUD-INIT .*skipCloudInitStatus: the machines of "acme-general" have Ignition/),
    expect.stringMatching(/^TC-TRAP-PROXMOX-CLOUD-INIT .*skipCloudInitStatus: the machines of "acme" have Ignition/),
  ]));
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
