import { App, Chart, Size, Testing } from 'cdk8s';
import { ProviderChart } from '../../../../src/constructs/addons/provider-chart';
import { TenantSecret } from '../../../../src/constructs/addons/tenant-secret';
import { AddressPool } from '../../../../src/constructs/contracts/network/address-pool';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { ControlPlaneEndpoint } from '../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { ProxmoxInfrastructure, ProxmoxInfrastructureProps } from '../../../../src/constructs/infrastructures/proxmox/proxmox-infrastructure';
import { ProxmoxMachine, ProxmoxMachineProps, ProxmoxTagMatch, ProxmoxTemplate } from '../../../../src/constructs/infrastructures/proxmox/proxmox-machine';
import { ProxmoxNetworkModel } from '../../../../src/constructs/infrastructures/proxmox/proxmox-network-device';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { byKind, exampleCluster, Manifest } from '../../../support/clusters';
import { clusterContext } from '../../../support/contexts';
import { problemsIn } from '../../../support/problems';

const ADDRESSES = { addresses: ['192.0.2.11-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' };
const API = { url: 'https://pve.example.com:8006/api2/json', region: 'dc1' };
const FAST = { name: 'fast', storage: 'ceph', isDefault: true };

const MACHINE: ProxmoxMachineProps = {
  template: ProxmoxTemplate.id(110, 'pve1'), cores: 4, memory: Size.gibibytes(16), networkDevices: [{ bridge: 'vmbr0' }],
};

/** Cluster `acme` on Proxmox VE with a pool `general`. */
function cluster(
  app: App, infrastructure: Partial<ProxmoxInfrastructureProps> = {},
  machine: Partial<ProxmoxMachineProps> = {}, props: Partial<TenantClusterProps> = {},
): TenantCluster {
  const tenant = exampleCluster(app, {
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    bootstrap: new KubeadmBootstrap(),
    infrastructure: new ProxmoxInfrastructure({ ipv4: ADDRESSES, dnsServers: ['192.0.2.2'], ...infrastructure }),
    delivery: new FluxDelivery(),
    ...props,
  });
  tenant.addNodePool('general', { machine: new ProxmoxMachine({ ...MACHINE, ...machine }), size: PoolSize.between(0, 3) });
  return tenant;
}

function kubeadm(endpoint?: ControlPlaneEndpoint): Partial<TenantClusterProps> {
  return { controlPlane: new KubeadmControlPlane({ replicas: 3, machine: new ProxmoxMachine(MACHINE), endpoint }) };
}

const KUBE_VIP = ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'ghcr.io/kube-vip/kube-vip:v1.0.1' });

function specs(...args: Parameters<typeof cluster> extends [App, ...infer Rest] ? Rest : never): { cluster: Manifest; machine: Manifest } {
  const objects = byKind(cluster(Testing.app(), ...args));
  return { cluster: objects.ProxmoxCluster.spec, machine: objects.ProxmoxMachineTemplate.spec.template.spec };
}

test('a hosted control plane writes the endpoint itself, and what the server would default is written', () => {
  expect(specs()).toEqual({
    cluster: { externalManagedControlPlane: true, ipv4Config: { ...ADDRESSES, metric: 100 }, dnsServers: ['192.0.2.2'] },
    machine: {
      templateID: 110,
      sourceNode: 'pve1',
      full: true,
      numSockets: 1,
      numCores: 4,
      memoryMiB: 16384,
      network: { networkDevices: [{ name: 'net0', bridge: 'vmbr0', model: 'virtio' }] },
    },
  });
});

test('a control plane on machines has the address that kube-vip moves', () => {
  expect(specs({}, {}, kubeadm(KUBE_VIP)).cluster).toMatchObject({ externalManagedControlPlane: false, controlPlaneEndpoint: { host: '192.0.2.10', port: 6443 } });
});

test('everything else is written where it was given', () => {
  const zone = { name: 'room-2', dnsServers: ['203.0.113.2'], ipv4: { addresses: ['203.0.113.11-203.0.113.60'], prefix: 24, gateway: '203.0.113.1', metric: 50 } };
  const pool = AddressPool.existing({ name: 'storage', global: true });
  expect(specs({
    ipv6: { addresses: ['2001:db8::10-2001:db8::60'], prefix: 64, gateway: '2001:db8::1' },
    zones: [zone],
    allowedNodes: ['pve1', 'pve2'],
    memoryPercentage: 95,
    credentialsSecret: 'proxmox-credentials',
  }, {
    template: ProxmoxTemplate.tags(['ubuntu', '1.35.4'], ProxmoxTagMatch.BEST_SUBSET),
    sockets: 2,
    bootDisk: { device: 'scsi0', size: Size.gibibytes(60) },
    storage: 'ceph',
    zone: 'room-2',
    allowedNodes: ['pve4'],
    resourcePool: 'tenants',
    ids: { start: 1000, end: 1999 },
    tags: ['acme'],
    description: 'a node of acme',
    networkDevices: [
      { bridge: 'vmbr0', vlan: 120, model: ProxmoxNetworkModel.E1000 }, { bridge: 'vmbr1', mtu: 9000, dnsServers: ['198.51.100.2'], addressPools: [pool] },
    ],
  })).toEqual({
    cluster: {
      externalManagedControlPlane: true,
      ipv4Config: { ...ADDRESSES, metric: 100 },
      ipv6Config: { addresses: ['2001:db8::10-2001:db8::60'], prefix: 64, gateway: '2001:db8::1', metric: 100 },
      dnsServers: ['192.0.2.2'],
      zoneConfig: [{ zone: 'room-2', dnsServers: ['203.0.113.2'], ipv4Config: zone.ipv4 }],
      allowedNodes: ['pve1', 'pve2'],
      schedulerHints: { memoryAdjustment: 95 },
      credentialsRef: { name: 'proxmox-credentials' },
    },
    machine: {
      templateSelector: { matchTags: ['ubuntu', '1.35.4'], matchPolicy: 'bestSubset' },
      full: true,
      numSockets: 2,
      numCores: 4,
      memoryMiB: 16384,
      disks: { bootVolume: { disk: 'scsi0', sizeGb: 60 } },
      network: {
        zone: 'room-2',
        networkDevices: [
          { name: 'net0', bridge: 'vmbr0', model: 'e1000', vlan: 120 },
          {
            name: 'net1',
            bridge: 'vmbr1',
            model: 'virtio',
            mtu: 9000,
            dnsServers: ['198.51.100.2'],
            ipPoolRef: [{ apiGroup: 'ipam.cluster.x-k8s.io', kind: 'GlobalInClusterIPPool', name: 'storage' }],
          },
        ],
      },
      vmIDRange: { start: 1000, end: 1999 },
      pool: 'tenants',
      storage: 'ceph',
      allowedNodes: ['pve4'],
      tags: ['acme'],
      description: 'a node of acme',
    },
  });
});

test('kubelets have the provider ID, without a word of the user, and wait for a cloud controller manager if there is one', () => {
  const argumentsOf = (infrastructure: Partial<ProxmoxInfrastructureProps>) => {
    const objects = byKind(cluster(Testing.app(), infrastructure));
    const { nodeRegistration } = objects.KubeadmConfigTemplate.spec.template.spec.joinConfiguration;
    const listed: { name: string; value: string }[] = nodeRegistration.kubeletExtraArgs;
    return Object.fromEntries(listed.map(({ name, value }) => [name, value]));
  };

  expect(argumentsOf({})).toMatchObject({ 'provider-id': 'proxmox://{{ ds.meta_data.instance_id }}' });
  expect(argumentsOf({})).not.toHaveProperty('cloud-provider');
  expect(argumentsOf({ api: API })).toMatchObject({ 'cloud-provider': 'external' });
});

test('an empty pool tells the autoscaler what its machines offer', () => {
  const { MachineDeployment } = byKind(cluster(Testing.app(), {}, { sockets: 2 }));

  expect(MachineDeployment.metadata.annotations).toMatchObject({
    'capacity.cluster-autoscaler.kubernetes.io/cpu': expect.stringMatching(/^7\d{3}m$/), 'capacity.cluster-autoscaler.kubernetes.io/memory': expect.stringMatching(/^1[345]\d{3}Mi$/),
  });
});

test('programs in the tenant read the token from a Secret that is carried there', () => {
  const sets: Manifest[] = cluster(Testing.app(), { api: API, storageClasses: [FAST] }).toJson().filter(({ kind }: Manifest) => kind === 'ClusterResourceSet');
  expect(sets.flatMap(({ spec }) => spec.resources)).toContainEqual({ kind: 'Secret', name: 'acme-tenant-proxmox-api-token' });

  const context = clusterContext({ controlPlane: { apiServerPort: 6443, machineCount: 3 } });
  const { addons = [] } = new ProxmoxInfrastructure({ ipv4: ADDRESSES, dnsServers: ['192.0.2.2'], api: API, storageClasses: [FAST] }).bind(Testing.chart(), context);
  const charts = addons.flatMap((addon) => addon.bind(new Chart(Testing.app(), addon.name), context).charts ?? []);

  expect(charts.map(({ chart }) => chart)).toEqual(['proxmox-cloud-controller-manager', 'proxmox-csi-plugin']);
  for (const { values } of charts) {
    expect(values).toMatchObject({
      config: {
        features: { provider: 'capmox' },
        clusters: [{ ...API, insecure: false, token_id_file: '/run/secrets/proxmox/token_id', token_secret_file: '/run/secrets/proxmox/token_secret' }],
      },
      nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
      extraVolumes: [{ secret: { secretName: 'proxmox-api-token' } }],
    });
  }
});

test('the options of a chart win', () => {
  const context = clusterContext();
  const infrastructure = new ProxmoxInfrastructure({
    ipv4: ADDRESSES, dnsServers: ['192.0.2.2'], api: { ...API, token: TenantSecret.inTenant('token') }, cloudControllerManager: ProviderChart.of({ chartVersion: '0.3.0', values: { logVerbosityLevel: 4 } }),
  });
  const { addons = [] } = infrastructure.bind(Testing.chart(), context);
  const [chart] = addons.flatMap((addon) => addon.bind(new Chart(Testing.app(), addon.name), context).charts ?? []);

  expect(chart).toMatchObject({ chartVersion: '0.3.0', values: { logVerbosityLevel: 4, useDaemonSet: true, extraVolumes: [{ secret: { secretName: 'token' } }] } });
  expect(chart.images).toBeUndefined();
  // The nodes of a hosted control plane are all alike.
  expect(chart.values).not.toHaveProperty('nodeSelector');
});

type Case = [what: string, id: string, text: string, ...args: Parameters<typeof specs>];

const CASES: Case[] = [
  ['a zone that is not there', 'TC-TRAP-PROXMOX-ZONE', 'machine.zone: "room-3" is no zone of the ProxmoxCluster "acme"', {}, { zone: 'room-3' }],
  ['half a gibibyte', 'TC-ADMIT-FIELD-TYPE', 'machine.bootDisk.size: 60.5 is not a whole number', {}, { bootDisk: { device: 'scsi0', size: Size.mebibytes(61952) } }],
  ['storage classes without an API', 'TC-PROXMOX-API', 'infrastructure.storageClasses: there is no api', { storageClasses: [FAST] }],
  ['an API without a scheme', 'TC-PROXMOX-API', 'infrastructure.api.url: "pve"', { api: { ...API, url: 'pve' } }],
  ['no default class', 'TC-PROVIDER-STORAGE-CLASS', 'infrastructure.storageClasses: no class is the default', { api: API, storageClasses: [{ name: 'a', storage: 'b' }] }],
  ['no endpoint', 'TC-ADMIT-PROXMOX-ENDPOINT', 'controlPlane.endpoint: the cluster has no endpoint', {}, {}, kubeadm()],
  ['an endpoint that machines get', 'TC-ADMIT-PROXMOX-ENDPOINT', 'controlPlane.endpoint: "192.0.2.10" is in "192.0.2.10-192.0.2.60"', { ipv4: { ...ADDRESSES, addresses: ['192.0.2.10-192.0.2.60'] } }, {}, kubeadm(KUBE_VIP)],
  ['a range backwards', 'TC-TRAP-PROXMOX-ADDRESSES', 'infrastructure.ipv4.addresses[0]: "192.0.2.60-192.0.2.11"', { ipv4: { ...ADDRESSES, addresses: ['192.0.2.60-192.0.2.11'] } }],
  ['fewer addresses than machines', 'TC-TRAP-ADDRESS-POOL-EXHAUSTED', 'infrastructure.ipv4.addresses: pool "acme-v4-icip" has 3 addresses', { ipv4: { ...ADDRESSES, addresses: ['192.0.2.11-192.0.2.13'] } }],
  ['an MTU that breaks IPv6', 'TC-TRAP-PROXMOX-NETWORK', 'machine.networkDevices[0].mtu: 900 bytes', {}, { networkDevices: [{ bridge: 'vmbr0', mtu: 900 }] }],
  ['memory that is no multiple of 8 MiB', 'TC-ADMIT-FIELD-VALUE', 'machine.memory', {}, { memory: Size.mebibytes(4097) }],
  ['a VLAN too large', 'TC-ADMIT-FIELD-VALUE', 'machine.networkDevices[0].vlan', {}, { networkDevices: [{ bridge: 'vmbr0', vlan: 4095 }] }],
  ['a small disk', 'TC-ADMIT-FIELD-VALUE', 'machine.bootDisk.size', {}, { bootDisk: { device: 'scsi0', size: Size.gibibytes(4) } }],
  ['no cores', 'TC-ADMIT-FIELD-VALUE', 'machine.sockets', {}, { sockets: 0 }],
  ['a tag with a space', 'TC-ADMIT-FIELD-VALUE', 'machine.tags[0]', {}, { tags: ['a b'] }],
  ['no DNS servers', 'TC-ADMIT-FIELD-VALUE', 'infrastructure.dnsServers', { dnsServers: [] }],
];

test.each(CASES.map(([what, id, text, ...args]) => ({ what, id, text, args })))('$id: $what', ({ id, text, args }) => {
  const found = problemsIn((app) => cluster(app, ...args));

  expect(found.map((problem) => problem.id)).toContain(id);
  expect(found.find((problem) => problem.id === id)!.text).toContain(text);
});

test('a page with everything is accepted', () => {
  expect(problemsIn((app) => cluster(app, { api: API, storageClasses: [FAST], allowedNodes: ['pve1', 'pve2'] }, {}, kubeadm(KUBE_VIP)))).toEqual([]);
});

test('addresses are counted once', () => {
  const found = problemsIn((app) => cluster(app, { ipv4: { ...ADDRESSES, addresses: ['192.0.2.11-192.0.2.13'] } }));

  expect(found.map(({ id }) => id)).toEqual(['TC-TRAP-ADDRESS-POOL-EXHAUSTED']);
});
