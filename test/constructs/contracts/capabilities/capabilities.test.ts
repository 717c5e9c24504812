import { Chart, Size, Testing } from 'cdk8s';
import { PersistentVolumeAccessMode as Access } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { checkOffered, isServableVersion, listText } from '../../../../src/constructs/contracts/capabilities/capability-checks';
import { InfraHosts } from '../../../../src/constructs/contracts/capabilities/infra-hosts';
import { IsolationPeer, IsolationPort } from '../../../../src/constructs/contracts/capabilities/isolation-peer';
import { IManagementCluster, ImportedManagementCluster, ManagementCapabilities } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { checkManagementCapabilities } from '../../../../src/constructs/tenant/isolation/capability-checks';
import { exampleCluster, problemsOfCluster } from '../../../support/clusters';
import { problemsIn } from '../../../support/problems';
import { rulesOfTopic } from '../../../support/topic-rules';

type Case = [id: string, what: string, capabilities: ManagementCapabilities, property: string, text: string];

const CASES: Case[] = [
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a storage class', { storageClasses: [{ name: 'Fast' }] }, 'storageClasses[0].name', '"Fast"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a snapshot class', { storageClasses: [{ name: 'a', snapshotClasses: ['b', 'c d'] }] }, 'storageClasses[0].snapshotClasses[1]', '"c d"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'no access mode', { storageClasses: [{ name: 'a', claimPropertySets: [{ accessModes: [] }] }] }, 'storageClasses[0].claimPropertySets[0].accessModes', 'empty'],
  [
    'TC-MANAGEMENT-CAPABILITIES-ENTRY', 'local and shared', { storageClasses: [{ name: 'a', local: true, claimPropertySets: [{ accessModes: [Access.READ_WRITE_MANY] }] }] },
    'storageClasses[0].local', 'for one host',
  ],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'an instance type', { instanceTypes: [{ name: 'u1_large' }] }, 'instanceTypes[0].name', '"u1_large"'],
  ['TC-KUBEVIRT-CPU', 'no CPUs', { instanceTypes: [{ name: 'a', capacity: { cpu: 0, memory: Size.gibibytes(1) } }] }, 'instanceTypes[0].capacity.cpu', '0 is not'],
  ['TC-KUBEVIRT-MEMORY', 'no memory', { instanceTypes: [{ name: 'a', capacity: { cpu: 1, memory: Size.mebibytes(64) } }] }, 'instanceTypes[0].capacity.memory', 'not enough'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a preference', { preferences: [''] }, 'preferences[0]', ''],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a network without namespace', { networks: ['a/b', 'vlan'] }, 'networks[1]', '"namespace/name"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a device without domain', { deviceNames: ['gpu'] }, 'deviceNames[0]', 'no domain'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a gate with its value', { kubevirtFeatureGates: ['CPUManager=true'] }, 'kubevirtFeatureGates[0]', '"CPUManager=true"'],
  ['TC-ISOLATION-SIZING', 'a ratio', { kubevirtSizing: { cpuAllocationRatio: 0 } }, 'kubevirtSizing.cpuAllocationRatio', '0 is'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a priority class', { priorityClasses: ['A'] }, 'priorityClasses[0]', '"A"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'no hosts', { hosts: InfraHosts.count(0) }, 'hosts', '0 is not a number of hosts'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'half a host', { hosts: InfraHosts.perZone({ a: 3, b: 1.5 }) }, 'hosts.zones["b"]', '1.5 is not'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a zone that is no label', { hosts: InfraHosts.perZone({ 'hall a': 3 }) }, 'hosts', '"hall a"'],
  [
    'TC-ISOLATION-PEER', 'a data store by an entity', { dataStorePeers: { default: [IsolationPeer.pods({}), IsolationPeer.ciliumEntity('host')] } },
    'dataStorePeers["default"][1]', 'entity "host"',
  ],
  ['TC-ISOLATION-PORT', 'no port of a data store', { dataStorePeers: { default: [IsolationPeer.pods({ ports: [IsolationPort.tcp(0)] })] } }, 'dataStorePeers["default"][0].ports[0]', '0 is not a port'],
  ['TC-MANAGEMENT-CAPABILITIES-CIDR', 'no range', { podCidrs: ['10.42.0.0/16', '10.42.0.0'] }, 'podCidrs[1]', '"10.42.0.0"'],
  ['TC-MANAGEMENT-CAPABILITIES-CIDR', 'host bits', { nodeCidrs: ['192.168.7.1/24'] }, 'nodeCidrs[0]', '"192.168.7.0/24"'],
  ['TC-MANAGEMENT-CAPABILITIES-CIDR', 'Services among pods', { podCidrs: ['10.0.0.0/8'], serviceCidrs: ['10.43.0.0/16'] }, 'serviceCidrs[0]', 'overlaps with 10.0.0.0/8 in podCidrs'],
  ['TC-MANAGEMENT-CAPABILITIES-CIDR', 'Services among nodes', { nodeCidrs: ['10.0.0.0/8'], serviceCidrs: ['10.43.0.0/16'] }, 'serviceCidrs[0]', 'in nodeCidrs'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a version', { kubernetesVersions: ['1.35', '1.35.x'] }, 'kubernetesVersions[1]', '"1.35.x"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a data store', { dataStores: ['Default'] }, 'dataStores[0]', '"Default"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'an IngressClass', { ingressClasses: ['a b'] }, 'ingressClasses[0]', '"a b"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a load balancer class', { loadBalancerClasses: ['a/b/c'] }, 'loadBalancerClasses[0]', '"a/b/c"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a version of a control plane provider', { controlPlaneProviders: { kamaji: '1' } }, 'controlPlaneProviders["kamaji"]', '"1"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a version of a provider', { infrastructureProviders: { 'vultr-vultr': 'latest' } }, 'infrastructureProviders["vultr-vultr"]', '"latest"'],
  ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'a version of Cluster API', { clusterApiVersion: '1.14' }, 'clusterApiVersion', '"1.14"'],
  ['TC-KAMAJI-VERSION', 'a release of Kamaji', { kamajiVersion: '1.0.0' }, 'kamajiVersion', '"1.0.0"'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'a limit of one tenant', { tenantLimit: { cpus: '1' } }, 'tenantLimit["cpus"]', '"cpus"'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'a limit of all tenants', { totalLimit: { 'requests.memory': '1 TB' } }, 'totalLimit["requests.memory"]', '"1 TB"'],
  ['TC-MANAGEMENT-CAPABILITIES-TWICE', 'a storage class', { storageClasses: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }, 'storageClasses[2].name', 'position 0'],
  ['TC-MANAGEMENT-CAPABILITIES-TWICE', 'a data store', { dataStores: ['a', 'a'] }, 'dataStores[1]', 'position 0'],
  [
    'TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS', 'two defaults', { storageClasses: [{ name: 'a', isDefault: true }, { name: 'b', isDefaultForMachines: true }, { name: 'c', isDefault: true }] },
    'storageClasses', 'a and c',
  ],
  ['TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS', 'two for machines', { storageClasses: [{ name: 'a', isDefaultForMachines: true }, { name: 'b', isDefaultForMachines: true }] }, 'storageClasses', 'a and b'],
];

test.each(CASES)('%s: %s', (id, _, capabilities, property, text) => {
  const found = problemsOfCluster({ managementCluster: new ImportedManagementCluster(capabilities) });

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  expect(found[0].text).toContain(`managementCluster.capabilities.${property}: `);
  expect(found[0].text).toContain(text);
});

test('TC-MANAGEMENT-KUBERNETES-VERSION: a version that is not offered', () => {
  const offering = (...kubernetesVersions: string[]) => (
    problemsOfCluster({ managementCluster: new ImportedManagementCluster({ kubernetesVersions }) })
  );

  expect(offering('1.33', '1.35.3').map(({ id, text }) => `${id} ${text}`)).toEqual([
    'TC-MANAGEMENT-KUBERNETES-VERSION kubernetesVersion: the management cluster does not offer Kubernetes v1.35.4. Accepted: 1.33, 1.35.3.'
    + ' Fix: choose one of these, or add the version to kubernetesVersions of the capabilities once its machine images are there.',
  ]);
  expect(offering('1.34', '1.35')).toEqual([]);
  expect(offering('v1.35.4')).toEqual([]);
});

test('a version that is none is not looked up', () => {
  const found = problemsOfCluster({ kubernetesVersion: '1.35', managementCluster: new ImportedManagementCluster({ kubernetesVersions: ['1.34'] }) });

  expect(found.map(({ id }) => id)).toEqual(['TC-CLUSTER-VERSION']);
});

const PROVIDERS = { controlPlane: 'TC-MANAGEMENT-CONTROL-PLANE-PROVIDER', infrastructure: 'TC-MANAGEMENT-INFRASTRUCTURE-PROVIDER' };

describe('providers', () => {
  const refused = (capabilities: ManagementCapabilities) => (
    problemsOfCluster({
      controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
      infrastructure: new KubevirtInfrastructure(),
      managementCluster: new ImportedManagementCluster(capabilities),
    }).map(({ id, text }) => [id, text] as const));

  test('that are not there are missed', () => {
    expect(refused({ controlPlaneProviders: { kubeadm: 'v1.14.2' }, infrastructureProviders: {} })).toEqual([
      [PROVIDERS.infrastructure, expect.stringContaining('no infrastructure provider "kubevirt"')],
      [PROVIDERS.controlPlane, expect.stringMatching(/no control plane provider "kamaji".* Accepted: kubeadm\. Fix: give kamajiControlPlane/)],
    ]);
  });

  test('that nobody spoke of are not missed', () => {
    expect(refused({})).toEqual([]);
    expect(refused({ controlPlaneProviders: { kamaji: 'v0.20.0' }, infrastructureProviders: { kubevirt: 'v0.11.2' } })).toEqual([]);
  });
});

test('every rule has a negative test', () => {
  // The last two: test/constructs/repository/fleet/data-store-placement.test.ts
  const elsewhere = [
    'TC-MANAGEMENT-KUBERNETES-VERSION', PROVIDERS.controlPlane, PROVIDERS.infrastructure, 'TC-MANAGEMENT-DATA-STORE-LIMIT', 'TC-MANAGEMENT-DATA-STORE-FULL',
  ];
  const tested = new Set([...CASES.map(([id]) => id), ...elsewhere]);

  expect(rulesOfTopic('Capabilities of the management cluster').filter((id) => !tested.has(id))).toEqual([]);
});

test('a whole offer is accepted', () => {
  expect(checkManagementCapabilities('capabilities', {
    storageClasses: [
      { name: 'a', isDefault: true, isDefaultForMachines: true, allowVolumeExpansion: true, snapshotClasses: [], claimPropertySets: [{ accessModes: [Access.READ_WRITE_MANY] }] },
      { name: 'b.example.com', local: true, snapshotClasses: ['b'] },
    ],
    instanceTypes: [{ name: 'u1.large', capacity: { cpu: 2, memory: Size.gibibytes(8) } }, { name: 'cx1.large' }],
    preferences: ['ubuntu'],
    networks: ['default/vlan-100'],
    deviceNames: ['nvidia.com/AD102GL_L40S'],
    kubevirtFeatureGates: ['CPUManager', 'VMLiveUpdateFeatures'],
    kubevirtSizing: { cpuAllocationRatio: 4 },
    priorityClasses: ['tenants'],
    // Pods with addresses of the nodes' network make the two overlap.
    podCidrs: ['10.42.0.0/16', 'fd00:10:42::/56'],
    serviceCidrs: ['10.43.0.0/16'],
    nodeCidrs: ['10.42.0.0/16'],
    kubernetesVersions: ['1.34', 'v1.35.4'],
    dataStores: ['default'],
    ingressClasses: ['nginx'],
    loadBalancerClasses: ['io.cilium/bgp-control-plane'],
    clusterApiVersion: 'v1.14.2',
    kamajiVersion: '26.8.2-edge',
    tenantLimit: { 'requests.cpu': '100' },
    totalLimit: { 'requests.nvidia.com/gpu': '8' },
  })).toEqual([]);
});

describe('what concerns the statement itself', () => {
  const WRONG: ManagementCapabilities = { preferences: ['A'] };

  test('is reported once, for the first tenant', () => {
    const shared = new ImportedManagementCluster(WRONG);
    const found = problemsIn((app) => ['one', 'two'].forEach((name) => exampleCluster(app, { namespace: name, managementCluster: shared }, name)));

    expect(found.map(({ path, id }) => [path, id])).toEqual([['one', 'TC-MANAGEMENT-CAPABILITIES-ENTRY']]);
  });

  test('is reported for the management cluster where the app makes it', () => {
    class Platform extends Construct implements IManagementCluster {
      public readonly capabilities = WRONG;
    }
    const found = problemsIn((app) => { exampleCluster(app, { managementCluster: new Platform(app, 'platform') }); });

    expect(found.map(({ path, text }) => [path, text.split(':')[0]])).toEqual([['platform', 'capabilities.preferences[0]']]);
  });

  test('is reported for the tenant where another app makes it', () => {
    class Platform extends Construct implements IManagementCluster {
      public readonly capabilities = WRONG;
    }
    const found = problemsOfCluster({ managementCluster: new Platform(new Chart(Testing.app(), 'elsewhere'), 'platform') });

    expect(found.map(({ path }) => path)).toEqual(['acme']);
  });
});

describe('names', () => {
  const OFFER = { place: 'the cluster', kind: 'thing', list: 'things' };

  test('are looked up only where a list was stated', () => {
    expect(checkOffered('a', { ...OFFER, names: undefined })).toEqual([]);
    expect(checkOffered(undefined, { ...OFFER, names: [] })).toEqual([]);
    expect(checkOffered('a', { ...OFFER, names: ['b', 'a'] })).toEqual([]);
  });

  test('of a long list are cut', () => {
    expect(listText(Array.from({ length: 14 }, (_, index) => `n${index}`))).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 and 2 more');
    expect(listText([])).toBe('none');
  });

  test.each([['1.35', true], ['v1.35', true], ['1.35.4', true], ['v1.35.4', true], ['1', false], ['1.35.', false], ['1.035', false], ['01.35', false], ['', false]])('%j as a version: %s', (text, good) => {
    expect(isServableVersion(text)).toBe(good);
  });
});
