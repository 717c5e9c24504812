import { VSPHERE_CLUSTER_RULES } from '../../../../src/manifests/systems/vsphere/clusters';
import { VSPHERE_MACHINE_RULES } from '../../../../src/manifests/systems/vsphere/machines';
import { findings, testRules } from '../../rules/rules-under-test';

const RULES = [...VSPHERE_CLUSTER_RULES, ...VSPHERE_MACHINE_RULES];

testRules(RULES);

const KIND = 'apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: ';

function template(fields: string, device = 'dhcp4: true'): string {
  return `${KIND}VSphereMachineTemplate\nmetadata: {name: a, namespace: t}\nspec: {template: {spec: {template: ubuntu, network: {devices: [{networkName: nodes, ${device}}]}, ${fields}}}}\n`;
}

function own(kind: string, fields: string): string {
  return `${KIND}${kind}\nmetadata: {name: a, namespace: t}\nspec: {template: ubuntu, ${fields}}\n`;
}

function domain(region: string, zone: string, topology: string): string {
  const place = (type: string) => `{name: a, tagCategory: b, type: ${type}}`;
  return `${KIND}VSphereFailureDomain\nmetadata: {name: a}\nspec: {region: ${place(region)}, zone: ${place(zone)}, topology: {datacenter: dc1, ${topology}}}\n`;
}

const POOL = 'addressesFromPools: [{apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: nodes}]';
const HOSTS = 'hosts: {hostGroupName: h, vmGroupName: v}';

// The names of the rows say what internal/webhooks of the provider, or its controllers, do with them.
test.each([
  ['a machine', template('numCPUs: 2, hardwareVersion: vmx-17'), []],
  ['a provider ID', template('providerID: "vsphere://6c3fa683-bef9-4425-b413-eaa45a9d6191"'), ['all machines of the template would have one ID']],
  ['an address', template('numCPUs: 2', 'ipAddrs: [192.0.2.10/24]'), ['all machines of the template would have one address']],
  ['a hardware version without a number', template('hardwareVersion: vmx'), ['"vmx" is no hardware version']],
  ['a hardware version with three digits', template('hardwareVersion: vmx-100'), ['"vmx-100" is no hardware version']],
  ['a time without a mode', template('guestSoftPowerOffTimeoutSeconds: 60'), ['the guest is not waited for']],
  ['a time of the older version of the API', template('guestSoftPowerOffTimeout: 5m, powerOffMode: soft').replace('v1beta2', 'v1beta1'), ['the guest is not waited for']],
  ['a time with its mode', template('guestSoftPowerOffTimeoutSeconds: 60, powerOffMode: trySoft'), []],
  ['a machine of its own', own('VSphereMachine', 'network: {devices: [{networkName: n, ipAddrs: [192.0.2.10/24]}]}'), []],
  ['a machine with an address without a prefix length', own('VSphereMachine', 'network: {devices: [{networkName: n, ipAddrs: [192.0.2.10]}]}'), ['"192.0.2.10" is no address with a prefix length']],
  ['a machine with a time without a mode', own('VSphereVM', 'guestSoftPowerOffTimeoutSeconds: 60'), ['the guest is not waited for']],
  ['a device of a VSphereVM, which the webhook does not look at', own('VSphereVM', 'pciDevices: [{deviceId: 7864}]'), []],
  ['a machine with half a device', own('VSphereMachine', 'pciDevices: [{deviceId: 7864}]'), ['it is neither a vGPU nor one device']],
  ['a long name for Windows', own('VSphereVM', 'os: Windows').replace('name: a', 'name: sixteen-letters-'), ['has 16 characters']],
  ['a machine without a spec', `${KIND}VSphereMachine\nmetadata: {name: a}\n`.replace('v1beta2', 'v1beta1'), ['the machine has no spec']],
  ['a vGPU', template('pciDevices: [{vGPUProfile: grid_t4-4c}]'), []],
  ['a device that is passed through', template('pciDevices: [{deviceId: 7864, vendorId: 4318}]'), []],
  ['a device without its vendor', template('pciDevices: [{deviceId: 7864}]'), ['it is neither a vGPU nor one device']],
  ['both', template('pciDevices: [{vGPUProfile: grid_t4-4c, vendorId: 4318}]'), ['it is neither a vGPU nor one device']],
  ['names by machine', template('naming: {template: "acme-{{ .machine.name }}"}'), []],
  ['names with an underscore', template('naming: {template: "acme_{{ .machine.name }}"}'), ['makes names such as "acme_machine"']],
  ['names with the functions that the provider has', template('naming: {template: \'{{ .machine.name | trimSuffix "ine" | trunc 3 }}\'}'), []],
  ['names with another function', template('naming: {template: "{{ .machine.name | upper }}"}'), ['upper']],
  ['names of a field that no machine has', template('naming: {template: "{{ .cluster.name }}"}'), ['cluster']],
  ['names that are too long, which the provider cuts', template(`naming: {template: "${'a'.repeat(80)}"}`), []],
  ['a device without an address', template('numCPUs: 2', 'dhcp6: false'), ['the device gets no address']],
  ['a device with an address from a pool', template('numCPUs: 2', POOL), []],
  ['a device that needs none', template('numCPUs: 2', 'skipIPAllocation: true'), []],
  ['the size of a linked clone', template('diskGiB: 60'), ['keeps the size of the template']],
  ['the size of a full clone', template('diskGiB: 60, cloneMode: fullClone'), []],
  ['a region and a zone', domain('Datacenter', 'ComputeCluster', 'computeCluster: c'), []],
  ['a zone of hosts', domain('ComputeCluster', 'HostGroup', `computeCluster: c, ${HOSTS}`), []],
  ['a region of hosts', domain('HostGroup', 'ComputeCluster', 'computeCluster: c'), ['a region is no group of hosts']],
  ['a zone of hosts without them', domain('ComputeCluster', 'HostGroup', 'computeCluster: c'), ['the zone is a group of hosts, and none is named']],
  ['hosts without their compute cluster', domain('Datacenter', 'HostGroup', HOSTS), ['a group of hosts needs a compute cluster']],
  ['a region without its compute cluster', domain('ComputeCluster', 'Datacenter', 'datastore: d'), ['the region needs a compute cluster']],
  ['networks twice', domain('Datacenter', 'ComputeCluster', 'computeCluster: c, networks: [a], networkConfigurations: [{networkName: a}]'), ['networkConfigurations names the networks already']],
  ['a network without a name', domain('Datacenter', 'ComputeCluster', 'computeCluster: c, networkConfigurations: [{networkName: ""}]').replace('v1beta2', 'v1beta1'), ['the network has no name']],
])('%s', (_what, text, expected) => {
  expect(findings(RULES, text)).toEqual(expected.map((part) => expect.stringContaining(part)));
});

const PAIRS = (count: number): string => Array.from({ length: count }, (_, index) => `A${index % 10}`).join(':');

test.each([
  ['a thumbprint of SHA-1', PAIRS(20), 0],
  ['a thumbprint of SHA-256', PAIRS(32), 0],
  ['a thumbprint of another length', PAIRS(24), 1],
  ['a thumbprint in small letters', PAIRS(20).toLowerCase(), 1],
])('%s', (_what, thumbprint, count) => {
  expect(findings(RULES, `${KIND}VSphereCluster\nmetadata: {name: a, namespace: t}\nspec: {server: v, thumbprint: "${thumbprint}"}\n`)).toHaveLength(count);
});

test('an identity allows the namespaces that its selector selects, and all by an empty one', () => {
  const cluster = `${KIND}VSphereCluster\nmetadata: {name: a, namespace: t}\nspec: {server: v, identityRef: {kind: VSphereClusterIdentity, name: i}}\n`;
  const identity = (allowed: string) => `---\n${KIND}VSphereClusterIdentity\nmetadata: {name: i}\nspec: {secretName: s${allowed}}\n`;
  const namespace = '---\napiVersion: v1\nkind: Namespace\nmetadata: {name: t, labels: {team: a}}\n';
  const count = (...texts: string[]): number => findings(RULES, [cluster, ...texts].join('')).length;

  expect(count()).toBe(0);
  expect(count(identity(''))).toBe(1);
  expect(count(identity(', allowedNamespaces: {selector: {}}'), namespace)).toBe(0);
  expect(count(identity(', allowedNamespaces: {selector: {matchLabels: {team: a}}}'), namespace)).toBe(0);
  expect(count(identity(', allowedNamespaces: {selector: {matchLabels: {team: b}}}'), namespace)).toBe(1);
  expect(count(identity(', allowedNamespaces: {selector: {matchLabels: {kubernetes.io/metadata.name: t}}}'), namespace)).toBe(0);
  // Labels of a namespace that is written elsewhere are not known.
  expect(count(identity(', allowedNamespaces: {selector: {matchLabels: {team: b}}}'))).toBe(0);
});

test('clusters of two namespaces have Secrets of the same name', () => {
  const cluster = (name: string, namespace: string) => `${KIND}VSphereCluster\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {server: v, identityRef: {kind: Secret, name: s}}\n`;

  expect(findings(RULES, [cluster('a', 't'), cluster('b', 'u')].join('---\n'))).toEqual([]);
  expect(findings(RULES, [cluster('a', 't'), cluster('b', 't')].join('---\n'))).toEqual([expect.stringContaining('"s" is that of the cluster "a"')]);
});
