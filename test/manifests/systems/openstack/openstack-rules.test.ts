import { OPENSTACK_FACTS } from '../../../../src/manifests/systems/openstack/openstack-facts';
import { changed } from '../../rules/changes/changes';
import { findings, testRules } from '../../rules/rules-under-test';

const RULES = OPENSTACK_FACTS.rules!;

testRules(RULES);

const GROUP = 'infrastructure.cluster.x-k8s.io';
const object = (kind: string, spec: string, metadata = '') => (
  `apiVersion: ${GROUP}/v1beta1\nkind: ${kind}\nmetadata: {name: acme, namespace: t${metadata}}\nspec: ${spec}\n`);
const cluster = (spec: string, metadata = '') => object('OpenStackCluster', `{identityRef: {name: a, cloudName: b}, ${spec}}`, metadata);
const template = (spec: string) => object('OpenStackMachineTemplate', `{template: {spec: {flavor: a, image: {id: 00000000-0000-4000-8000-000000000001}, ${spec}}}}`);

const NETWORK = 'managedSubnets: [{cidr: 10.6.0.0/24}]';
const group = (rule: string, list = 'allNodes', beside = '') => cluster(`${NETWORK}, ${beside}managedSecurityGroups: {${list}SecurityGroupRules: [{name: a, direction: ingress, ${rule}}]}`);
const TWO_ENDS = 'etherType: IPv4, remoteGroupID: a, remoteIPPrefix: 10.0.0.0/8';
const TRAP = 'TC-TRAP-OPENSTACK-SECURITY-GROUP-RULE';

test.each<[string, string, string[]]>([
  ['a rule with one end', group('etherType: IPv4, remoteIPPrefix: 10.0.0.0/8'), []],
  ['a rule with two ends', group(TWO_ENDS), [
    'TC-ADMIT-OPENSTACK-SECURITY-GROUP-RULE spec.managedSecurityGroups.allNodesSecurityGroupRules.0.remoteIPPrefix: a rule with remoteGroupID has no remoteIPPrefix',
  ]],
  ['a rule with three ends', group(`${TWO_ENDS}, remoteManagedGroups: [worker]`), [
    'TC-ADMIT-OPENSTACK-SECURITY-GROUP-RULE spec.managedSecurityGroups.allNodesSecurityGroupRules.0.remoteGroupID: a rule with remoteManagedGroups has no remoteGroupID, remoteIPPrefix',
  ]],
  // The webhook does not look at these lists.
  ['a rule for workers with two ends', group(TWO_ENDS, 'workerNodes'), [
    `${TRAP} spec.managedSecurityGroups.workerNodesSecurityGroupRules.0.remoteIPPrefix: a rule with remoteGroupID has no remoteIPPrefix`,
  ]],
  ['a rule without a family', group('protocol: tcp', 'controlPlaneNodes'), [
    `${TRAP} spec.managedSecurityGroups.controlPlaneNodesSecurityGroupRules.0.etherType: it has no etherType, which is required to create it`,
  ]],
  ['the group of a bastion that is not there', group('etherType: IPv4, remoteManagedGroups: [worker, bastion]'), [
    `${TRAP} spec.managedSecurityGroups.allNodesSecurityGroupRules.0.remoteManagedGroups.1: a cluster without a bastion has no such group`,
  ]],
  ['the group of a bastion', group('etherType: IPv4, remoteManagedGroups: [bastion]', 'allNodes', 'bastion: {spec: {flavor: a, image: {filter: {name: b}}}}, '), []],
  ['the group of a bastion that is off', group('etherType: IPv4, remoteManagedGroups: [bastion]', 'allNodes', 'bastion: {enabled: false}, '), [
    `${TRAP} spec.managedSecurityGroups.allNodesSecurityGroupRules.0.remoteManagedGroups.0: a cluster without a bastion has no such group`,
  ]],
  ['a rule with an address of its family', group('etherType: IPv6, remoteIPPrefix: "fd00::1"'), []],
  ['a rule with a range of the other family', group('etherType: IPv6, remoteIPPrefix: 10.0.0.0/8'), [
    `${TRAP} spec.managedSecurityGroups.allNodesSecurityGroupRules.0.remoteIPPrefix: "10.0.0.0/8" is no range of IPv6`,
  ]],
  ['a rule with ports of no protocol', group('etherType: IPv4, portRangeMin: 80, portRangeMax: 80'), [
    `${TRAP} spec.managedSecurityGroups.allNodesSecurityGroupRules.0.protocol: ports are of a protocol, and none is stated`,
  ]],
  ['a rule with one port', group('etherType: IPv4, protocol: tcp, portRangeMin: 80, portRangeMax: 80'), []],
  ['a DNS server by its name', cluster('managedSubnets: [{cidr: 10.6.0.0/24, dnsNameservers: [dns.example.com]}]'), [
    'TC-TRAP-OPENSTACK-SUBNET spec.managedSubnets.0.dnsNameservers.0: "dns.example.com" is no address',
  ]],
  ['an allowed address', cluster(`${NETWORK}, apiServerLoadBalancer: {enabled: true, allowedCIDRs: [192.0.2.1]}`), []],
  ['an allowed range of IPv6', cluster(`${NETWORK}, apiServerLoadBalancer: {enabled: true, allowedCIDRs: ["2001:db8::/32"]}`), [
    'TC-TRAP-OPENSTACK-ALLOWED-RANGE spec.apiServerLoadBalancer.allowedCIDRs.0: "2001:db8::/32" is neither an address nor a range of IPv4',
  ]],
  ['no network', cluster('tags: []'), ['TC-TRAP-OPENSTACK-NETWORK spec.network: the cluster has no network']],
  ['a subnet', cluster('subnets: [{filter: {name: a}}]'), []],
  ['two networks', cluster(`${NETWORK}, network: {filter: {name: a}}, subnets: [{filter: {name: a}}]`), [
    'TC-TRAP-OPENSTACK-NETWORK spec.network: the provider creates the network of managedSubnets',
    'TC-TRAP-OPENSTACK-NETWORK spec.subnets: the provider creates the network of managedSubnets',
  ]],
  ['a provider ID in a template', template('providerID: "openstack:///a"'), [
    'TC-ADMIT-OPENSTACK-PROVIDER-ID spec.template.spec.providerID: all machines of the template would have one ID',
  ]],
  ['an empty provider ID in a template, which is a value to the webhook', template('providerID: ""'), [
    'TC-ADMIT-OPENSTACK-PROVIDER-ID spec.template.spec.providerID: all machines of the template would have one ID',
  ]],
  ['a second root device in a template', template('rootVolume: {sizeGiB: 5}, additionalBlockDevices: [{name: root, sizeGiB: 5, storage: {type: Local}}]'), [
    'TC-TRAP-OPENSTACK-MACHINE spec.template.spec.additionalBlockDevices.0.name: "root" is the name of the root volume',
  ]],
  ['security groups of an open port', object('OpenStackMachine', '{flavor: a, image: {filter: {name: b}}, ports: [{}, {disablePortSecurity: true, securityGroups: [{filter: {name: a}}]}]}'), [
    'TC-ADMIT-OPENSTACK-MACHINE spec.ports.1.securityGroups: a port without port security has no security groups',
  ]],
])('%s', (_, text, expected) => {
  expect(findings(RULES, text)).toEqual(expected);
});

const belongsTo = (kind: string, spec: string) => `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: t}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: ${kind}, name: acme}, infrastructureRef: {apiGroup: ${GROUP}, kind: OpenStackCluster, name: acme}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: ${kind}
metadata: {name: acme, namespace: t}
spec: ${spec}
`;
const KAMAJI = belongsTo('KamajiControlPlane', '{replicas: 2}');
const KUBEADM = belongsTo('KubeadmControlPlane', '{replicas: 3}');
const ONE_MACHINE = belongsTo('KubeadmControlPlane', '{replicas: 1}');

test.each<[string, string, string[]]>([
  ['left to Kamaji', cluster(`${NETWORK}, disableAPIServerFloatingIP: true`) + KAMAJI, []],
  ['a load balancer beside Kamaji', cluster(`${NETWORK}, disableAPIServerFloatingIP: true, apiServerLoadBalancer: {}`) + KAMAJI, ['TC-TRAP-OPENSTACK-KAMAJI spec.apiServerLoadBalancer']],
  ['a load balancer that is off beside Kamaji', cluster(`${NETWORK}, disableAPIServerFloatingIP: true, apiServerLoadBalancer: {enabled: false}`) + KAMAJI, []],
  ['a floating IP beside Kamaji', cluster(NETWORK) + KAMAJI, ['TC-TRAP-OPENSTACK-KAMAJI spec.disableAPIServerFloatingIP']],
  // As the documentation of Kamaji's provider has it: an apply writes it again and again.
  ['an empty fixed IP beside Kamaji', cluster(`${NETWORK}, disableAPIServerFloatingIP: true, apiServerFixedIP: ""`) + KAMAJI, ['TC-TRAP-OPENSTACK-KAMAJI spec.apiServerFixedIP']],
  ['a cluster that others manage', cluster(`${NETWORK}, disableAPIServerFloatingIP: true`, ', annotations: {cluster.x-k8s.io/managed-by: kamaji}') + KAMAJI, [
    'TC-TRAP-OPENSTACK-KAMAJI metadata.annotations.cluster.x-k8s.io/managed-by',
  ]],
  ['no address', cluster(`${NETWORK}, disableAPIServerFloatingIP: true`) + KUBEADM, ['TC-TRAP-OPENSTACK-ENDPOINT spec.controlPlaneEndpoint']],
  ['no external network, and no address', cluster(`${NETWORK}, disableExternalNetwork: true`) + ONE_MACHINE, ['TC-TRAP-OPENSTACK-ENDPOINT spec.controlPlaneEndpoint']],
  ['an address of its own', cluster(`${NETWORK}, disableAPIServerFloatingIP: true, controlPlaneEndpoint: {host: 10.6.0.5, port: 6443}`) + KUBEADM, []],
  ['a fixed address', cluster(`${NETWORK}, disableAPIServerFloatingIP: true, apiServerFixedIP: 10.6.0.5`) + KUBEADM, []],
  ['a load balancer', cluster(`${NETWORK}, apiServerLoadBalancer: {enabled: true}`) + KUBEADM, []],
  ['a floating IP of three machines', cluster(NETWORK) + KUBEADM, ['TC-TRAP-OPENSTACK-FLOATING-IP spec.apiServerLoadBalancer']],
  ['a floating IP of one machine', cluster(NETWORK) + ONE_MACHINE, []],
  ['no cluster among the manifests', cluster(`${NETWORK}, disableAPIServerFloatingIP: true`), []],
])('address of the API server: %s', (_, text, expected) => {
  expect(findings(RULES, text).map((finding) => finding.replace(/: .*/s, ''))).toEqual(expected);
});

const VIRTUAL = belongsTo('KubeadmControlPlane', `{replicas: 1, machineTemplate: {spec: {infrastructureRef: {apiGroup: ${GROUP}, kind: OpenStackMachineTemplate, name: acme}}},
  kubeadmConfigSpec: {files: [{path: /etc/kubernetes/manifests/kube-vip.yaml, content: '{apiVersion: v1, kind: Pod, metadata: {name: kube-vip}, spec: {containers: [
  {name: kube-vip, image: "ghcr.io/kube-vip/kube-vip:v1.2.3", args: [manager], env: [{name: vip_arp, value: "true"}, {name: cp_enable, value: "true"}, {name: address, value: 10.6.0.5}]}]}}'}]}}`);
const DROPPED = ['TC-TRAP-OPENSTACK-VIRTUAL-ADDRESS spec.template.spec.ports'];

test.each<[string, string, string, string[]]>([
  ['no ports', NETWORK, 'configDrive: true', DROPPED],
  ['a port that allows it', NETWORK, 'ports: [{allowedAddressPairs: [{ipAddress: 10.6.0.5}]}]', []],
  ['a port that allows a range', NETWORK, 'ports: [{allowedAddressPairs: [{ipAddress: 10.6.0.0/24}]}]', []],
  ['a port that allows another address', NETWORK, 'ports: [{allowedAddressPairs: [{ipAddress: 10.6.0.6}]}]', DROPPED],
  ['a port that allows a variable', NETWORK, 'ports: [{allowedAddressPairs: [{ipAddress: "${VIP}"}]}]', []],
  ['a port without port security', NETWORK, 'ports: [{disablePortSecurity: true}]', []],
  ['a network without port security', `${NETWORK}, disablePortSecurity: true`, 'configDrive: true', []],
  ['a network that exists', 'network: {filter: {name: a}}', 'configDrive: true', []],
  ['a network that exists, and security groups', 'network: {filter: {name: a}}, managedSecurityGroups: {}', 'configDrive: true', DROPPED],
  ['ports on other networks', NETWORK, 'ports: [{network: {filter: {name: a}}}]', []],
])('an address that kube-vip announces, and %s', (_, network, machine, expected) => {
  const text = `${cluster(`${network}, controlPlaneEndpoint: {host: 10.6.0.5, port: 6443}`)}${VIRTUAL}---\n${template(machine)}`;
  expect(findings(RULES, text).map((finding) => finding.replace(/: .*/s, ''))).toEqual(expected);
});

test('managed security groups can be added and changed, and not removed', () => {
  const groups = (fields?: string) => cluster(`${NETWORK}${fields === undefined ? '' : `, managedSecurityGroups: ${fields}`}`);
  const [none, closed, open] = [groups(), groups('{allowAllInClusterTraffic: false}'), groups('{allowAllInClusterTraffic: true}')];

  expect([changed(none, open), changed(closed, open)]).toEqual([[], []]);
  expect(changed(open, none)).toEqual(['TC-CHANGE-OPENSTACK-FIELD spec.managedSecurityGroups.allowAllInClusterTraffic']);
});

test('an explicit false is another value than none to a webhook that compares pointers', () => {
  const floating = (value: string) => cluster(`${NETWORK}${value}`);
  const template2 = (value: string) => template(`ports: [{description: a${value}}]`);

  expect(changed(floating(''), floating(', disableAPIServerFloatingIP: false'))).toEqual(['TC-CHANGE-OPENSTACK-FIELD spec.disableAPIServerFloatingIP']);
  expect(changed(floating(', apiServerLoadBalancer: {enabled: true}'), floating(', apiServerLoadBalancer: {enabled: true, additionalPorts: []}'))).toEqual([]);
  expect(changed(template2(''), template2(', disablePortSecurity: false'))).not.toEqual([]);
  expect(changed(template2(''), template2(', propagateUplinkStatus: null'))).toEqual([]);
});
