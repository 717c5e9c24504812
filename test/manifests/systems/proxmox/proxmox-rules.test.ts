import { PROXMOX_CLUSTER_RULES } from '../../../../src/manifests/systems/proxmox/clusters';
import { PROXMOX_MACHINE_RULES } from '../../../../src/manifests/systems/proxmox/machines';
import { PROXMOX_FACTS } from '../../../../src/manifests/systems/proxmox/proxmox-facts';
import { findings, objectsIn, testRules } from '../../rules/rules-under-test';

const RULES = [...PROXMOX_CLUSTER_RULES, ...PROXMOX_MACHINE_RULES];

testRules(RULES);

const KIND = 'apiVersion: infrastructure.cluster.x-k8s.io/v1alpha2\nkind: ';
const V4 = 'ipv4Config: {addresses: [10.0.0.10-10.0.0.20, 10.0.1.0/30, 10.0.0.40], gateway: 10.0.0.1, prefix: 16}';
const V6 = 'ipv6Config: {addresses: ["2001:db8::10-2001:db8::20"], gateway: "2001:db8::1", prefix: 64}';

function cluster(host: string, networks = V4): string {
  return `${KIND}ProxmoxCluster\nmetadata: {name: a, namespace: t}\nspec: {controlPlaneEndpoint: {host: "${host}", port: 6443}, dnsServers: [10.0.0.2], ${networks}}\n`;
}

function template(network: string): string {
  return `${KIND}ProxmoxMachineTemplate\nmetadata: {name: a, namespace: t}\nspec: {template: {spec: {sourceNode: pve, templateID: 1, network: {${network}}}}}\n`;
}

function devices(...names: string[]): string {
  return template(`networkDevices: [${names.map((name) => `{bridge: vmbr0, ${name}}`).join(', ')}]`);
}

// The names of the rows say what internal/webhook of the provider does with them.
test.each([
  ['an address outside', cluster('10.0.0.9'), []],
  ['a host name', cluster('api.example.com'), []],
  ['a host name of one part', cluster('api'), []],
  ['the longest parts of a host name', cluster(`${'a-'.repeat(31)}a.${'b-'.repeat(31)}b.example.com`), []],
  ['a part of a host name that is too long', cluster(`api.${'b-'.repeat(32)}b.example.com`), ['is neither a host name nor an address']],
  ['a host name of one part that is too long', cluster('a'.repeat(254)), ['is neither a host name nor an address']],
  ['the last address of a range', cluster('10.0.0.20'), ['is in "10.0.0.10-10.0.0.20"']],
  ['an address in a block', cluster('10.0.1.3'), ['is in "10.0.1.0/30"']],
  ['a single address', cluster('10.0.0.40'), ['is in "10.0.0.40"']],
  ['an IPv6 address in a range', cluster('2001:db8::11', V6), ['is in "2001:db8::10-2001:db8::20"']],
  ['an address of a zone, which the webhook does not look at', cluster('10.1.0.10', `${V4}, zoneConfig: [{zone: b, dnsServers: [10.1.0.2], ${V4.replaceAll('10.0.', '10.1.')}}]`), []],
  ['many parts of a host name and a digit at its end', cluster(`${'abc.'.repeat(60)}1`), ['is neither a host name nor an address']],
  ['an address with a number too large', cluster('10.0.0.256'), ['is neither a host name nor an address']],
  ['a host name with an underscore', cluster('api_1.example.com'), ['is neither']],
  ['no endpoint', cluster('').replace(/controlPlaneEndpoint: \{[^}]*\}, /, ''), ['has no endpoint']],
  ['an endpoint that the control plane writes', cluster('').replace(/controlPlaneEndpoint: \{[^}]*\}/, 'externalManagedControlPlane: true'), []],
  ['no endpoint in a template', `${KIND}ProxmoxClusterTemplate\nmetadata: {name: a}\nspec: {template: {spec: {dnsServers: [10.0.0.2], ${V4}}}}\n`, ['has no endpoint']],
  ['no endpoint in a template of the version that the webhook does not look at', `${KIND}ProxmoxClusterTemplate\nmetadata: {name: a}\nspec: {template: {spec: {dnsServers: [10.0.0.2], ${V4}}}}\n`.replace('v1alpha2', 'v1alpha1'), []],
  ['a template without a network', `${KIND}ProxmoxClusterTemplate\nmetadata: {name: a}\nspec: {template: {spec: {dnsServers: [10.0.0.2], externalManagedControlPlane: true}}}\n`, ['machines have no network']],
  ['a cluster without a spec', `${KIND}ProxmoxCluster\nmetadata: {name: a}\n`.replace('v1alpha2', 'v1alpha1'), ['has no endpoint']],
  ['a range backwards beside a host name', cluster('api', V4.replace('10.0.0.10-10.0.0.20', '10.0.0.20-10.0.0.10')), ['TC-TRAP-PROXMOX-ADDRESSES']],
  ['a range backwards beside an address', cluster('10.0.0.9', V4.replace('10.0.0.10-10.0.0.20', '10.0.0.20-10.0.0.10')), ['TC-ADMIT-PROXMOX-ENDPOINT']],
  ['a range backwards', cluster('10.0.0.9', V4.replace('10.0.0.10-10.0.0.20', '10.0.0.20-10.0.0.10')), ['is no range of addresses']],
  ['addresses of the other family', cluster('10.0.0.9', V6.replace('ipv6Config', 'ipv4Config')), ['is of IPv6', 'is of IPv6']],
  ['a gateway that is a name', cluster('10.0.0.9', V4.replace('gateway: 10.0.0.1', 'gateway: router')), ['"router" is no address']],
  ['net0 and net1 in any order', devices('name: net1', 'name: net0'), []],
  ['a gap', devices('name: net0', 'name: net2'), ['"net2" stands where net1 is expected']],
  ['numbers with a zero before them, which the webhook reads', devices('name: net00', 'name: net01'), []],
  ['eleven devices, since net10 comes before net2', devices(...Array.from({ length: 11 }, (_, index) => `name: net${index}`)), ['"net10" stands where net2 is expected']],
  ['ten devices', devices(...Array.from({ length: 10 }, (_, index) => `name: net${index}`)), []],
  ['two default devices', devices('name: net0, defaultIPv4: true', 'name: net1, defaultIPv4: true'), ['another device is the default one already']],
  ['a default device for each family', devices('name: net0, defaultIPv4: true', 'name: net1, defaultIPv6: true'), []],
  ['a machine with a gap', `${KIND}ProxmoxMachine\nmetadata: {name: a}\nspec: {sourceNode: pve, templateID: 1, network: {networkDevices: [{name: net1}]}}\n`, ['"net1" stands where net0 is expected']],
  ['the MTU of the bridge', devices('name: net0, mtu: 1'), []],
  ['an MTU that breaks IPv6', devices('name: net0, mtu: 1279'), ['1279 bytes break IPv6']],
  ['the MTU of the bridge in the machine', devices('name: net0, linkMtu: 1'), ['1 bytes break IPv6']],
  ['a policy without a table', devices('name: net0, routingPolicy: [{from: 10.0.0.0/8}]'), ['the policy names no table']],
  ['a policy that is for both families', devices('name: net0, routingPolicy: [{to: all, table: 5}]'), ['of both address families']],
  ['a policy with a family', devices('name: net0, routingPolicy: [{to: all, is6: false, table: 5}, {to: all, from: 10.0.0.0/8, table: 5}]'), []],
  ['a default route without a router', devices('name: net0, routes: [{to: default}]'), ['via names none']],
  ['a default route', devices('name: net0, routes: [{to: default, via: 10.0.0.1}]'), []],
  ['a policy with another table than that of its VRF', template('networkDevices: [{name: net0}], vrfs: [{name: blue, table: 5, routingPolicy: [{from: 10.0.0.0/8, table: 6}]}]'), ['the table of the VRF is 5, not 6']],
  ['a policy with the table of its VRF', template('networkDevices: [{name: net0}], vrfs: [{name: blue, table: 5, routingPolicy: [{from: 10.0.0.0/8, table: 5}, {from: 10.0.0.0/8}]}]'), []],
])('%s', (_what, text, expected) => {
  expect(findings(RULES, text)).toEqual(expected.map((part) => expect.stringContaining(part)));
});

test('the pools of a cluster and its zones have the names that the provider gives them', () => {
  const [object] = objectsIn(cluster('10.0.0.9', `${V4}, ${V6}, zoneConfig: [{zone: b, dnsServers: [10.0.0.2], ${V4}}]`));
  const pools = PROXMOX_FACTS.makes!['infrastructure.cluster.x-k8s.io/ProxmoxCluster'](object);

  expect(pools?.map(({ metadata }) => metadata)).toEqual(['a-v4-icip', 'a-v6-icip', 'a-b-v4-icip'].map((name) => ({ name, namespace: 't' })));
});

test('machines of a control plane with Ignition skip the check of cloud-init, those with cloud-init need not', () => {
  const plane = (format: string) => `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: t}
spec:
  machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ProxmoxMachineTemplate, name: a}}}
  kubeadmConfigSpec: {format: ${format}}
`;

  expect(findings(RULES, `${devices('name: net0')}---\n${plane('ignition')}`)).toEqual([expect.stringContaining('the machines of "acme" have Ignition')]);
  expect(findings(RULES, `${devices('name: net0')}---\n${plane('cloud-config')}`)).toEqual([]);
  expect(findings(RULES, `${devices('name: net0').replace('network:', 'checks: {skipCloudInitStatus: true}, network:')}---\n${plane('ignition')}`)).toEqual([]);
});
