import { Chart, Testing } from 'cdk8s';
import { CILIUM_MANAGEMENT, clusterProblems, clusterWith, kubevirtContext, MANAGEMENT, problems, RANGES } from './bound';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { IsolationPeer, IsolationPort } from '../../../../src/constructs/contracts/capabilities/isolation-peer';
import { ManagementCapabilities, ManagementNetworkPlugin } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiKonnectivity } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KamajiServiceProtocol } from '../../../../src/constructs/control-planes/kamaji/ports';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { NetworkIsolation, NetworkIsolationOptions } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation, TenantIsolationProps } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { problemsOf } from '../../../support/problems';

const network = (options: NetworkIsolationOptions): TenantIsolationProps => ({ network: NetworkIsolation.networkPolicies(options) });
const cilium = (options: NetworkIsolationOptions = {}): TenantIsolationProps => ({ network: NetworkIsolation.ciliumNetworkPolicies(options) });
const NONE = NetworkIsolation.none();
const { dataStorePeers, podCidrs, serviceCidrs } = MANAGEMENT;
const UNKNOWN_RANGES: Partial<ClusterContext> = { management: { dataStorePeers } };
const UNTOLD_RANGES: Partial<ClusterContext> = {
  infrastructure: { ...new KubevirtInfrastructure().capabilities, servicePublisher: undefined, reservedCidrs: RANGES },
  management: { dataStorePeers },
};
const NO_DATA_STORES: Partial<ClusterContext> = { management: { ...MANAGEMENT, dataStorePeers: undefined } };
const WITH_CILIUM: Partial<ClusterContext> = { management: CILIUM_MANAGEMENT };
const BEHIND_INGRESS: Partial<ClusterContext> = { apiServer: { published: { host: 'acme.example.com', port: 443 } } };

const DUAL_STACK = { ...kubevirtContext().network, podCidrs: ['10.1.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.2.0.0/16', 'fd00:2::/112'] };

type Case = [id: string, what: string, props: TenantIsolationProps, context: Partial<ClusterContext>, ...texts: string[]];

const CASES: Case[] = [
  ['TC-ISOLATION-RANGE', 'no range', network({ managementCidrs: ['10.0.0.0/8', 'pods'] }), {}, 'isolation.network.managementCidrs[1]: "pods" is not'],
  ['TC-ISOLATION-RANGE', 'host bits', network({ managementCidrs: ['10.42.0.1/16'] }), {}, '"10.42.0.0/16"'],
  ['TC-ISOLATION-RANGE', 'an address as a peer', network({ machineSources: [IsolationPeer.cidr('192.0.2.7')] }), {}, 'isolation.network.machineSources[0]: "192.0.2.7"'],
  [
    'TC-ISOLATION-RANGE', 'an exception outside', network({ machineDestinations: [IsolationPeer.cidr('192.0.2.0/24', { except: ['192.0.3.0/28'] })] }), {},
    'isolation.network.machineDestinations[0].except[0]: "192.0.3.0/28" is not a part of "192.0.2.0/24"',
  ],
  ['TC-ISOLATION-RANGE', 'an exception of everything', network({ dns: [IsolationPeer.cidr('192.0.2.0/24', { except: ['192.0.2.0/24'] })] }), {}, 'dns[0].except[0]'],
  ['TC-ISOLATION-MACHINES-UNKNOWN', 'no labels of machines', {}, { infrastructure: { clusterKind: 'ExampleCluster', inManagementCluster: true } }, 'isolation.network: ', 'machines of the ExampleCluster are pods'],
  ['TC-ISOLATION-RANGES-UNKNOWN', 'no ranges', {}, UNKNOWN_RANGES, 'isolation.network.managementCidrs: ', 'so machines and the control plane could not be kept from reaching it'],
  [
    'TC-ISOLATION-RANGES-UNKNOWN', 'no ranges for the control plane', {}, { ...UNKNOWN_RANGES, infrastructure: { clusterKind: 'VultrCluster' } },
    'so the control plane could not be kept',
  ],
  [
    'TC-ISOLATION-RANGES-UNKNOWN', 'no IPv6 ranges for a tenant with both families', {}, { network: DUAL_STACK },
    'isolation.network.managementCidrs: the tenant has IPv6 addresses, and no IPv6 range of the management cluster is known', 'remove the IPv6 ranges from podCidrs',
  ],
  [
    'TC-ISOLATION-RANGES-UNKNOWN', 'no IPv4 ranges', {}, { management: { ...MANAGEMENT, podCidrs: ['fd00:42::/48'], serviceCidrs: [], nodeCidrs: ['fd00:7::/64'] } },
    'the tenant has IPv4 addresses',
  ],
  [
    'TC-ISOLATION-API-SERVERS-UNKNOWN', 'no IPv6 range of nodes', {}, { management: { ...MANAGEMENT, podCidrs: [...podCidrs!, 'fd00:42::/48'] } },
    'isolation.network.managementApiServers: the management cluster has IPv6 addresses for pods, and no IPv6 range of its nodes is known', 'nodeCidrs',
  ],
  [
    'TC-ISOLATION-API-SERVERS-UNKNOWN', 'no IPv6 range of nodes, with all ranges reserved', {},
    {
      infrastructure: { ...kubevirtContext().infrastructure, reservedCidrs: [...RANGES, 'fd00:42::/48'] },
      management: { ...MANAGEMENT, podCidrs: [...podCidrs!, 'fd00:42::/48'] },
    },
    'and no IPv6 range of its nodes is known',
  ],
  [
    'TC-ISOLATION-API-SERVERS-UNKNOWN', 'ranges of pods and Services only', {}, { management: { dataStorePeers, podCidrs, serviceCidrs } },
    'isolation.network.managementApiServers: none of the ranges of the management cluster is stated to be the one of its nodes', 'state nodeCidrs',
  ],
  ['TC-ISOLATION-API-SERVERS-UNKNOWN', 'ranges that do not say what they are', {}, UNTOLD_RANGES, 'is stated to be the one of its nodes'],
  ['TC-ISOLATION-API-SERVERS-UNKNOWN', 'such ranges here', network({ managementCidrs: RANGES }), UNKNOWN_RANGES, 'is stated to be the one of its nodes'],
  [
    'TC-ISOLATION-API-SERVERS-UNKNOWN', 'no nodes where Cilium matches them', {},
    { management: { ...CILIUM_MANAGEMENT, networkPlugin: ManagementNetworkPlugin.CILIUM_MATCHING_NODES, nodeCidrs: [] } }, 'state nodeCidrs',
  ],
  [
    'TC-ISOLATION-DATA-STORE-UNKNOWN', 'no data stores', {}, NO_DATA_STORES,
    'isolation.network.controlPlaneDestinations: the pods or addresses of its data store are not known', 'IsolationPeer.anything()',
  ],
  [
    'TC-ISOLATION-DATA-STORE-UNKNOWN', 'other data stores', {}, { controlPlane: { ...kubevirtContext().controlPlane, dataStores: ['default', 'bank'] } },
    'the pods or addresses of data store "bank" are not known', 'state them in dataStorePeers of the managementCluster',
  ],
  ['TC-ISOLATION-NETWORK-PLUGIN', 'NetworkPolicies with Cilium', network({}), WITH_CILIUM, 'isolation.network: ranges in NetworkPolicies do not match nodes with Cilium'],
  ['TC-ISOLATION-NETWORK-PLUGIN', 'policies of Cilium without it', cilium(), {}, 'Calico does not know CiliumNetworkPolicies', 'NetworkIsolation.byNetworkPlugin()'],
  [
    'TC-ISOLATION-NETWORK-PLUGIN', 'nothing that enforces policies', {}, { management: { ...MANAGEMENT, networkPlugin: ManagementNetworkPlugin.FLANNEL } },
    'Flannel enforces no policies',
  ],
  ['TC-ISOLATION-PEER', 'a bad pod label', network({ controllerDestinations: [IsolationPeer.pods({ podLabels: { app: 'a b' } })] }), {}, 'controllerDestinations[0]', '"a b"'],
  ['TC-ISOLATION-PEER', 'a bad namespace', network({ managementApiServers: [IsolationPeer.pods({ namespace: 'a/b' })] }), {}, 'managementApiServers[0]', '"a/b"'],
  ['TC-ISOLATION-PEER', 'a bad namespace label', network({ controlPlaneDestinations: [IsolationPeer.pods({ namespaceLabels: { 'a b': '' } })] }), {}, 'controlPlaneDestinations[0]'],
  ['TC-ISOLATION-PEER', 'an entity without Cilium', network({ machineDestinations: [IsolationPeer.ciliumEntity('ingress')] }), {}, 'only Cilium\'s own policies know the entity "ingress"'],
  ['TC-ISOLATION-PEER', 'an entity without name', cilium({ machineDestinations: [IsolationPeer.ciliumEntity('')] }), WITH_CILIUM, 'the entity has no name'],
  ['TC-ISOLATION-PEER', 'every pod as the control plane', network({ controlPlanePodLabels: {} }), {}, 'isolation.network.controlPlanePodLabels: ', 'every pod of the namespace'],
  ['TC-ISOLATION-PEER', 'a bad label of the control plane', network({ controlPlanePodLabels: { app: 'ü' } }), {}, 'controlPlanePodLabels.app', '"ü"'],
  ['TC-ISOLATION-PORT', 'no port', network({ controlPlanePorts: [8132, 0] }), {}, 'isolation.network.controlPlanePorts[1]: 0 is not a port'],
  ['TC-ISOLATION-PORT', 'a peer\'s port', network({ dns: [IsolationPeer.pods({ ports: [IsolationPort.udp(53), IsolationPort.tcp(70000)] })] }), {}, 'isolation.network.dns[0].ports[1]: 70000'],
  ['TC-ISOLATION-PORT', 'an entity\'s port', cilium({ dns: [IsolationPeer.ciliumEntity('host', IsolationPort.tcp(0.5))] }), WITH_CILIUM, 'dns[0].ports[0]: 0.5'],
  ['TC-ISOLATION-API-ROUTE', 'an Ingress', {}, BEHIND_INGRESS, 'isolation.network.machineDestinations: machines reach their API server at acme.example.com:443'],
  ['TC-ISOLATION-API-ROUTE', 'an Ingress with Cilium', cilium(), { ...WITH_CILIUM, ...BEHIND_INGRESS }, 'acme.example.com:443'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'a resource that does not exist', { quota: { cpus: '10' } }, {}, 'isolation.quota["cpus"]: a quota cannot count "cpus"', 'requests.cpu'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'a name that is nearly right', { quota: { 'request.cpu': '10' } }, {}, 'Fix: write "requests.cpu" if you mean that'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'a device without prefix', { quota: { 'nvidia.com/gpu': '1' } }, {}, 'accepted is "requests.nvidia.com/gpu"'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'a bad name', { quota: { 'count/a b': '1' } }, {}, 'isolation.quota["count/a b"]'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'no quantity', { quota: { 'requests.memory': '10 GB' } }, {}, 'isolation.quota["requests.memory"]: "10 GB" is not a quantity'],
  ['TC-ISOLATION-QUOTA-ENTRY', 'part of a pod', { quota: { pods: '1500m' } }, {}, '"1500m" is not a whole number'],
  ['TC-ISOLATION-SIZING', 'no CPU for a CPU', { kubevirtSizing: { cpuAllocationRatio: 0 } }, {}, 'isolation.kubevirtSizing.cpuAllocationRatio: 0'],
  ['TC-ISOLATION-SIZING', 'a factor in place of percent', { kubevirtSizing: { memoryOvercommit: 1.5 } }, {}, 'memoryOvercommit: 1.5'],
  ['TC-ISOLATION-SIZING', 'limits below requests', { kubevirtSizing: { memoryLimitsRatio: 0.9 } }, {}, 'memoryLimitsRatio: 0.9', 'numbers from 1'],
];

test.each(CASES)('%s: %s', (id, _, props, context, ...texts) => {
  const found = problems(props, kubevirtContext(context));
  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test.each<[what: string, props: TenantIsolationProps, context: Partial<ClusterContext>]>([
  ['the default', {}, {}],
  ['a tenant with both families and Cilium', cilium(), { ...WITH_CILIUM, network: DUAL_STACK }],
  ['a tenant with both families and machines elsewhere', {}, { network: DUAL_STACK, infrastructure: { clusterKind: 'VultrCluster' } }],
  ['IPv6 ranges that do not say what they are', network({ managementCidrs: ['fd00:42::/48'] }), { network: DUAL_STACK, management: { ...MANAGEMENT, podCidrs: [...podCidrs!, 'fd00:42::/56'] } }],
  ['unknown ranges with Cilium', cilium(), UNKNOWN_RANGES],
  ['unknown ranges without policies', { network: NONE }, UNKNOWN_RANGES],
  ['unknown ranges with machines elsewhere', {}, { ...UNKNOWN_RANGES, infrastructure: { clusterKind: 'VultrCluster' }, controlPlane: { apiServerPort: 6443 } }],
  ['API servers in place of node ranges', network({ managementApiServers: [IsolationPeer.cidr('192.168.7.10/32')] }), UNTOLD_RANGES],
  ['an unlimited control plane', network({ controlPlaneDestinations: [IsolationPeer.anything()] }), NO_DATA_STORES],
  ['the data store of the control plane among its destinations', network({ controlPlaneDestinations: [IsolationPeer.pods({})] }), NO_DATA_STORES],
  ['NetworkPolicies where Cilium matches nodes', network({}), { management: { ...MANAGEMENT, networkPlugin: ManagementNetworkPlugin.CILIUM_MATCHING_NODES } }],
  ['a host name with a peer', network({ machineDestinations: [IsolationPeer.pods({ namespace: 'ingress-nginx' })] }), BEHIND_INGRESS],
  ['a host name without a hosted control plane', {}, { ...BEHIND_INGRESS, controlPlane: { apiServerPort: 6443 } }],
  ['a host name with machines elsewhere', {}, { ...BEHIND_INGRESS, infrastructure: { clusterKind: 'VultrCluster' } }],
  ['an address', {}, { apiServer: { published: { host: '192.168.7.20', port: 6443 } } }],
  ['a quota of all sorts', { quota: { 'cpu': '1500m', 'count/jobs.batch': '5', 'requests.nvidia.com/gpu': '4', 'fast.storageclass.storage.k8s.io/requests.storage': '1Ti', 'requests.hugepages-1Gi': '4Gi' } }, {}],
])('nothing is wrong with %s', (_, props, context) => {
  expect(problems(props, kubevirtContext(context))).toEqual([]);
});

test('TC-ISOLATION-NETWORK-PLUGIN-UNKNOWN warns once for a management cluster', () => {
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  const warnings = (chosen: NetworkIsolation | undefined, management?: ManagementCapabilities) => {
    const app = Testing.app();
    for (const name of ['acme', 'blue']) {
      new TenantIsolation({ network: chosen }).bind(strategyScope(new Chart(app, name), 'Isolation'), kubevirtContext({ name, management }));
    }
    warn.mockClear();
    problemsOf(app);
    return warn.mock.calls.map(([text]) => text as string);
  };
  try {
    expect(warnings(undefined, { ...MANAGEMENT, networkPlugin: undefined })).toEqual([
      expect.stringMatching(/^\[acme\] TC-ISOLATION-NETWORK-PLUGIN-UNKNOWN isolation\.network: the network plug-in .* is not stated, so NetworkPolicies are made/),
    ]);
    expect(warnings(undefined)).toHaveLength(1);
    expect([...warnings(undefined, MANAGEMENT), ...warnings(NetworkIsolation.networkPolicies()), ...warnings(NONE)]).toEqual([]);
  } finally {
    warn.mockRestore();
  }
});

describe('ports of the control plane', () => {
  test('TC-ISOLATION-CONTROL-PLANE-PORT: konnectivity on another port', () => {
    const around = { controlPlane: { konnectivity: KamajiKonnectivity.managed({ port: 9132 }) } };
    const found = clusterProblems(network({ controlPlanePorts: [8132] }), around);
    expect(found.map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-ISOLATION-CONTROL-PLANE-PORT']]);
    expect(found[0].text).toContain('isolation.network.controlPlanePorts: konnectivity listens on 9132, and only 6443, 8132 are let through');
    expect(found[0].text).toContain('add 9132');
    expect(clusterProblems(network({ controlPlanePorts: [9132] }), around)).toEqual([]);
    expect(clusterProblems({}, around)).toEqual([]);
    expect(clusterProblems({ network: NONE }, around)).toEqual([]);
    expect(clusterProblems({}, { controlPlane: { konnectivity: KamajiKonnectivity.none() } })).toEqual([]);
  });

  test('TC-ISOLATION-CONTROL-PLANE-PORT: an additional port of the Service', () => {
    const around = {
      controlPlane: { additionalServicePorts: [{ name: 'trustd', port: 50001, targetPort: 50002 }, { name: 'udp', port: 53, protocol: KamajiServiceProtocol.UDP }] },
    };
    expect(clusterProblems({}, around).map(({ text }) => text).join()).toContain('the additional port "trustd" listens on 50002');
    expect(clusterProblems(network({ controlPlanePorts: [8132, 50002] }), around)).toEqual([]);
  });
});

test('an Ingress in front of a real control plane needs a peer', () => {
  const around = { controlPlane: { exposure: KamajiExposure.ingress({ hostname: 'acme.example.com', className: 'nginx' }) } };
  expect(clusterProblems({}, around).map(({ id }) => id)).toEqual(['TC-ISOLATION-API-ROUTE']);
  expect(clusterProblems(network({ machineDestinations: [IsolationPeer.pods({ namespace: 'ingress-nginx' })] }), around)).toEqual([]);
});

test('all problems come at once, also those that need the whole cluster', () => {
  const found = clusterProblems({ ...network({ controlPlanePorts: [0] }), quota: { 'cpus': '1', 'requests.memory': '1Gi' } });
  expect(found.map(({ id }) => id)).toEqual([
    'TC-ISOLATION-PORT', 'TC-ISOLATION-QUOTA-ENTRY', 'TC-ISOLATION-CONTROL-PLANE-PORT', 'TC-ISOLATION-QUOTA',
  ]);
});

test('a cluster with an isolation of every kind is accepted, and one instance serves two clusters', () => {
  const isolation = new TenantIsolation({
    ...network({ managementCidrs: RANGES, defaultDeny: true }),
    quota: { 'requests.cpu': '50', 'requests.memory': '300Gi' },
    limitRange: { containerDefaultRequests: { cpu: '50m' } },
  });
  const bind = (name: string) => {
    const app = Testing.app();
    const cluster = clusterWith(app, { network: NONE }, { infrastructure: new KubevirtInfrastructure() });
    return isolation.bind(cluster, { ...kubevirtContext(), name });
  };
  const [one, other] = [bind('acme'), bind('blue')];
  expect(one.networkPolicies.map(({ name }) => name)).toEqual(other.networkPolicies.map(({ name }) => name.replace('blue', 'acme')));
  expect([one.resourceQuota!.name, one.limitRange!.name, other.resourceQuota!.name]).toEqual(['acme', 'acme', 'blue']);
});
