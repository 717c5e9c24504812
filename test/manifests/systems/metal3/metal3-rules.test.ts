import { METAL3_FACTS } from '../../../../src/manifests/systems/metal3/metal3-facts';
import { DATA_TEXT, machineTemplateText } from '../../../../src/manifests/systems/metal3/metal3-kinds';
import { METAL3_IPAM_FACTS } from '../../../../src/manifests/systems/metal3-ipam/address-pools';
import { POOL_TEXT } from '../../../../src/manifests/systems/metal3-ipam/metal3-pools';
import { findings, testRules } from '../../rules/rules-under-test';

const METAL3_RULES = [...METAL3_FACTS.rules!, ...METAL3_IPAM_FACTS.rules!];

testRules(METAL3_RULES);

const GROUP = 'infrastructure.cluster.x-k8s.io';
const object = (kind: string, spec: string, apiVersion = `${GROUP}/v1beta2`) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: acme, namespace: tenant-acme}\nspec: ${spec}\n`;
const machine = (spec: string) => object('Metal3MachineTemplate', `{template: {spec: ${spec}}}`);
const image = (fields: string) => machine(`{image: {${fields}}}`);
const oldImage = (fields: string) => image(fields).replace('v1beta2', 'v1beta1');
const data = (spec: string) => object('Metal3DataTemplate', `{clusterName: acme, ${spec}}`);
const networks = (list: string) => data(`networkData: {links: {ethernets: [{id: eno1, type: phy, macAddress: {fromHostInterface: eno1}}]}, networks: {${list}}}`);
const selector = (expression: string) => image(`url: 'http://a/b', checksum: c}, hostSelector: {matchExpressions: [${expression}]`);
const pool = (spec: string) => object('IPPool', `{namePrefix: a, prefix: 24, ${spec}}`, 'ipam.metal3.io/v1alpha1');
const remediation = (strategy: string, version = 'v1beta1') => object('Metal3RemediationTemplate', `{template: {spec: {strategy: ${strategy}}}}`, `${GROUP}/${version}`);

describe('what the webhooks of Metal3 refuse is refused, and nothing else', () => {
  test.each([
    ['an address of the API server', object('Metal3Cluster', '{controlPlaneEndpoint: {host: 192.0.2.10}}'), []],
    ['no address of the API server', object('Metal3Cluster', '{}'), ['TC-ADMIT-METAL3-ENDPOINT spec.controlPlaneEndpoint']],
    ['a port alone', object('Metal3Cluster', '{controlPlaneEndpoint: {port: 6443}}'), ['TC-ADMIT-METAL3-ENDPOINT spec.controlPlaneEndpoint']],
    ['a template of clusters without a port', object('Metal3ClusterTemplate', '{template: {spec: {controlPlaneEndpoint: {host: a.example}}}}'), ['TC-ADMIT-METAL3-ENDPOINT spec.template.spec.controlPlaneEndpoint.port']],
    ['an image', image('url: "https://images.example.com/a.qcow2", checksum: abc'), []],
    ['an image with a port', image('url: "http://192.0.2.1:6180/a.qcow2", checksum: "http://192.0.2.1:6180/a.sha256"'), []],
    ['an image in a registry', image('url: "oci://registry.example.com/node@sha256:abc", checksum: abc'), []],
    ['a live ISO without checksum', image('url: "http://a/b.iso", checksum: "", diskFormat: live-iso'), []],
    ['a method of deployment', machine('{customDeploy: {method: install_coreos}}'), []],
    ['neither an image nor a method', machine('{}'), ['TC-ADMIT-METAL3-IMAGE spec.template.spec.image']],
    ['an image without scheme', oldImage('url: images.example.com/a.qcow2, checksum: abc'), ['TC-ADMIT-METAL3-IMAGE spec.template.spec.image.url']],
    ['an image with a port that is no number', oldImage('url: "http://a:b/c", checksum: abc'), ['TC-ADMIT-METAL3-IMAGE spec.template.spec.image.url']],
    ['an empty checksum', image('url: "http://a/b", checksum: ""'), ['TC-ADMIT-METAL3-IMAGE spec.template.spec.image.checksum']],
    ['no checksum, of which the definition says so', image('url: "http://a/b"'), []],
    ['a checksum of a bad URL', image('url: "http://a/b", checksum: "http://a/%zz"'), ['TC-ADMIT-METAL3-IMAGE spec.template.spec.image.checksum']],
    ['a machine without an image', object('Metal3Machine', '{}'), ['TC-ADMIT-METAL3-IMAGE spec.image']],
    ['a network with a pool', networks('ipv4: [{id: a, link: eno1, fromPoolRef: {name: nodes}}]'), []],
    ['a network with a pool by name', networks('ipv6: [{id: a, link: eno1, ipAddressFromIPPool: nodes}]'), []],
    ['a network with a pool by annotation', networks('ipv4: [{id: a, link: eno1, fromPoolAnnotation: {object: machine, annotation: pool}}]'), []],
    ['a network without a pool', networks('ipv4: [{id: a, link: eno1}]'), ['TC-ADMIT-METAL3-DATA spec.networkData.networks.ipv4.0.fromPoolRef.name']],
    ['a boot MAC', data('metaData: {fromHostInterfaces: [{key: mac, fromBootMAC: true}]}'), []],
    ['a boot MAC of an interface', data('metaData: {fromHostInterfaces: [{key: mac, fromBootMAC: true, interface: eno1}]}'), ['TC-ADMIT-METAL3-DATA spec.metaData.fromHostInterfaces.0.interface']],
    ['a MAC of no interface', data('metaData: {fromHostInterfaces: [{key: mac, fromBootMAC: false}]}'), ['TC-ADMIT-METAL3-DATA spec.metaData.fromHostInterfaces.0.interface']],
    ['a range', pool('pools: [{start: 192.0.2.9, end: 192.0.2.10}]'), []],
    ['a range of one address', pool('pools: [{start: 192.0.2.10, end: 192.0.2.10}]'), []],
    ['a range that is reversed', pool('pools: [{start: 192.0.2.10, end: 192.0.2.9}]'), ['TC-ADMIT-METAL3-IP-POOL spec.pools.0']],
    ['a range from IPv6 to IPv4', pool('pools: [{start: "2001:db8::1", end: 192.0.2.9}]'), ['TC-ADMIT-METAL3-IP-POOL spec.pools.0']],
    ['a reboot', remediation('{type: Reboot, retryLimit: 1, timeout: 100s}'), []],
    ['a reboot that is too short', remediation('{type: Reboot, timeout: 99s}'), ['TC-ADMIT-METAL3-REMEDIATION spec.template.spec.strategy.timeout']],
    ['a reboot of which the webhook sets the rest', remediation('{}', 'v1beta2'), []],
    ['a time without a unit', remediation('{type: Reboot, timeout: "600"}'), ['TC-ADMIT-METAL3-REMEDIATION spec.template.spec.strategy.timeout']],
    ['no strategy, for which the webhook fails', object('Metal3RemediationTemplate', '{template: {spec: {}}}'), ['TC-ADMIT-METAL3-REMEDIATION spec.template.spec.strategy']],
    ['a template without a spec', object('Metal3RemediationTemplate', '').replace('spec: ', ''), ['TC-ADMIT-METAL3-REMEDIATION spec.template.spec.strategy']],
    ['a remediation of no strategy', object('Metal3Remediation', '{}'), []],
    ['a remediation without a type', object('Metal3Remediation', '{strategy: {}}'), ['TC-ADMIT-METAL3-REMEDIATION spec.strategy.type']],
    ['an old remediation without anything', object('Metal3Remediation', '{strategy: {}}', `${GROUP}/v1beta1`), [
      'TC-ADMIT-METAL3-REMEDIATION spec.strategy.type', 'TC-ADMIT-METAL3-REMEDIATION spec.strategy.retryLimit',
    ]],
    ['a machine without a spec', object('Metal3Machine', '').replace('spec: ', ''), ['TC-ADMIT-METAL3-IMAGE spec.image']],
    ['a template of machines without what its definition requires', object('Metal3MachineTemplate', '{}'), []],
    ['an old template of machines without a spec', object('Metal3MachineTemplate', '', `${GROUP}/v1beta1`).replace('spec: ', ''), ['TC-ADMIT-METAL3-IMAGE spec.template.spec.image']],
    ['a Secret of a machine in another namespace', object('Metal3Machine', '{customDeploy: {method: a}, userData: {name: a, namespace: b}}'), ['TC-ADMIT-METAL3-SECRET-NAMESPACE spec.userData.namespace']],
    ['a pool without a spec', object('IPPool', '', 'ipam.metal3.io/v1alpha1').replace('spec: ', ''), ['TC-ADMIT-METAL3-IP-POOL spec']],
    ['a claim of a pool', object('IPClaim', '{pool: {name: nodes}}', 'ipam.metal3.io/v1alpha1'), []],
    ['a claim without a spec', object('IPClaim', '', 'ipam.metal3.io/v1alpha1').replace('spec: ', ''), ['TC-ADMIT-METAL3-CLAIM spec.pool.name']],
    ['a claim without a pool, of which the definition says so', object('IPClaim', '{}', 'ipam.metal3.io/v1alpha1'), []],
    ['a claim of data of another namespace', object('Metal3DataClaim', '{template: {name: a, namespace: b}}'), ['TC-ADMIT-METAL3-DATA-CLAIM spec.template.namespace']],
    ['a claim of data of no template', object('Metal3DataClaim', '{}'), ['TC-ADMIT-METAL3-DATA-CLAIM spec.template.name']],
    ['an address of nothing', object('IPAddress', '{address: 192.0.2.1, pool: {}, claim: {}}', 'ipam.metal3.io/v1alpha1'), ['TC-ADMIT-METAL3-CLAIM spec.pool.name', 'TC-ADMIT-METAL3-CLAIM spec.claim.name']],
  ])('%s', (_, text, expected) => {
    expect(findings(METAL3_RULES, text).map((found) => found.slice(0, found.indexOf(':')))).toEqual(expected);
  });
});

describe('what the provider, or cloud-init, does not get along with', () => {
  test.each([
    ['a link that is missing', networks('ipv4DHCP: [{id: a, link: eno2}]'), 'TC-TRAP-METAL3-NETWORK-DATA spec.networkData.networks.ipv4DHCP.0.link: there is no link "eno2"'],
    [
      'a bond of links that are missing',
      data('networkData: {links: {bonds: [{id: bond0, bondMode: 802.3ad, bondLinks: [eno1], parameters: [{name: a}], macAddress: {fromHostInterface: eno1}}]}}'),
      'TC-TRAP-METAL3-NETWORK-DATA spec.networkData.links.bonds.0.bondLinks.0: there is no link "eno1"',
    ],
    ['a MAC address from nowhere', data('networkData: {links: {ethernets: [{id: a, type: phy, macAddress: {}}]}}'), 'TC-TRAP-METAL3-NETWORK-DATA spec.networkData.links.ethernets.0.macAddress: the MAC address comes from nowhere'],
    ['a MAC address that is none', data('networkData: {links: {ethernets: [{id: a, type: phy, macAddress: {string: eno1}}]}}'), 'TC-TRAP-METAL3-NETWORK-DATA spec.networkData.links.ethernets.0.macAddress.string: "eno1" is not a MAC address'],
    [
      'a pool of another provider in the metadata',
      data('metaData: {prefixesFromPool: [{key: a, name: nodes, apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool}]}'),
      'TC-TRAP-METAL3-DATA-POOL spec.metaData.prefixesFromPool.0: the InClusterIPPool "nodes" of ipam.cluster.x-k8s.io is looked for as an IPPool of ipam.metal3.io, and the machine waits for an address',
    ],
    ['a data template that is missing', `${machine('{image: {url: "http://a/b", checksum: c}, dataTemplate: {name: b}}')}---\n${data('')}`, 'TC-TRAP-METAL3-DATA-TEMPLATE spec.template.spec.dataTemplate.name: among the manifests that were read, there is no Metal3DataTemplate "b" in the namespace "tenant-acme"'],
    ['a data template without a name', machine('{image: {url: "http://a/b", checksum: c}, dataTemplate: {}}'), 'TC-TRAP-METAL3-DATA-NAME spec.template.spec.dataTemplate.name: no Metal3DataTemplate is named'],
    ['a data template of an empty name, of which the definition says so', machine('{image: {url: "http://a/b", checksum: c}, dataTemplate: {name: ""}}'), undefined],
    ['a data template of a name that no object has', machine('{image: {url: "http://a/b", checksum: c}, dataTemplate: {name: Rack_1}}'), expect.stringMatching(/^TC-TRAP-METAL3-DATA-NAME spec\.template\.spec\.dataTemplate\.name: "Rack_1" is not a DNS name/)],
    ['an operator in capitals', selector('{key: a, operator: In, values: [b]}'), undefined],
    ['an operator without values', selector('{key: a, operator: in, values: []}'), 'TC-TRAP-METAL3-HOST-SELECTOR spec.template.spec.hostSelector.matchExpressions.0.values: the operator "in" needs one or several values, and there are none'],
    ['an operator with values', selector('{key: a, operator: exists, values: [b]}'), 'TC-TRAP-METAL3-HOST-SELECTOR spec.template.spec.hostSelector.matchExpressions.0.values: the operator "exists" needs no values, and there are b'],
    ['a number that is none', selector('{key: a, operator: gt, values: [b]}'), 'TC-TRAP-METAL3-HOST-SELECTOR spec.template.spec.hostSelector.matchExpressions.0.values: the operator "gt" needs one integer, and there are b'],
    ['an address outside of the ranges', pool('pools: [{subnet: 192.0.2.0/28}], preAllocations: {a: 192.0.2.16}'), 'TC-TRAP-METAL3-PREALLOCATION spec.preAllocations.a: 192.0.2.16 is in none of the ranges of the pool'],
    ['an address within the ranges', pool('pools: [{subnet: 192.0.2.0/28}], preAllocations: {a: 192.0.2.15}'), undefined],
    ['a Secret of another namespace', machine('{image: {url: "http://a/b", checksum: c}, networkData: {name: a, namespace: b}}'), 'TC-TRAP-METAL3-SECRET-NAMESPACE spec.template.spec.networkData.namespace: "b" is another namespace than "tenant-acme", that of the object'],
    ['a route without a gateway', networks('ipv4DHCP: [{id: a, link: eno1, routes: [{network: 192.0.2.0, prefix: 24, gateway: {}}]}]'), 'TC-TRAP-METAL3-NETWORK-DATA spec.networkData.networks.ipv4DHCP.0.routes.0.gateway: the route has no gateway'],
    ['a gateway within the ranges', pool('gateway: 192.0.2.1, pools: [{subnet: 192.0.2.0/28}]'), 'TC-TRAP-METAL3-POOL-GATEWAY spec.gateway: "192.0.2.1" is in the ranges, and machines get it'],
    ['a range without a prefix length', pool('pools: [{start: 192.0.2.9, end: 192.0.2.10}]').replace('prefix: 24, ', ''), 'TC-TRAP-METAL3-POOL-PREFIX spec.pools.0.prefix: the range has no prefix length'],
    ['objects that are right', [DATA_TEXT, machineTemplateText(), POOL_TEXT].join('---\n'), undefined],
  ])('%s', (_, text, expected) => {
    expect(findings(METAL3_RULES, text)).toEqual(expected === undefined ? [] : [expected]);
  });

  test.each(['{{ ds.meta_data["uuid"] }}', '{{ v1.instance_id }}', '$METAL3_HOST'])('the label of a host by %s', (value) => {
    const { failing } = METAL3_RULES.find(({ id }) => id === 'TC-TRAP-METAL3-NODE-LABEL')!.example;

    expect(findings(METAL3_RULES, failing.replace('example.com/rack=r1', `metal3.io/uuid=${value}`))).toEqual([]);
    expect(findings(METAL3_RULES, failing.replace('example.com/rack=r1', 'metal3.io/uuid={{ ds.meta_data.name }}'))).toHaveLength(1);
  });

  test('a control plane whose kubelets do not label their nodes, unless a cloud provider does the work', () => {
    const template = METAL3_RULES.find(({ id }) => id === 'TC-TRAP-METAL3-NODE-LABEL')!.example.failing;

    expect(findings(METAL3_RULES, template)).toHaveLength(1);
    expect(findings(METAL3_RULES, template.replace('cloudProviderEnabled: false', 'cloudProviderEnabled: true'))).toEqual([]);
    expect(findings(METAL3_RULES, template.replace('kind: Metal3MachineTemplate', 'kind: OpenStackMachineTemplate'))).toEqual([]);
  });
});

const host = (spec: string, name = 'a') => `apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: ${name}, namespace: t}\nspec: ${spec}\n`;

test.each([
  ['an address without scheme', host('{online: true, bmc: {address: "192.0.2.1:623", credentialsName: b}}'), []],
  ['an address with http', host('{bmc: {address: "redfish-virtualmedia+http://192.0.2.1/a", credentialsName: b}}'), []],
  ['no controller', host('{bootMACAddress: none}'), []],
  ['an address of InfiniBand', host(`{bmc: {address: "ipmi://a", credentialsName: b}, bootMACAddress: "${Array(20).fill('0a').join(':')}"}`), []],
  ['an address with dots', host('{bmc: {address: "ipmi://a", credentialsName: b}, bootMACAddress: 0123.4567.89ab}'), []],
  ['a scheme that is not known', host('{bmc: {address: "https://192.0.2.1", credentialsName: b}}'), ['TC-ADMIT-METAL3-HOST spec.bmc.address']],
  ['a disk by its path', host('{rootDeviceHints: {deviceName: /dev/disk/by-path/pci-0}}'), []],
  ['a disk by its id', host('{rootDeviceHints: {deviceName: /dev/disk/by-id/a}}'), ['TC-ADMIT-METAL3-HOST spec.rootDeviceHints.deviceName']],
  ['a host that stays off', host('{online: false, disablePowerOff: true}'), ['TC-ADMIT-METAL3-HOST spec.disablePowerOff']],
  ['one address in other letters', `${host('{bmc: {address: "ipmi://a", credentialsName: b}, bootMACAddress: "0A:00:00:00:00:01"}')}---\n${host('{bmc: {address: "ipmi://b", credentialsName: b}, bootMACAddress: "0a:00:00:00:00:01"}', 'b')}`, ['TC-TRAP-METAL3-HOST-INTERFACE spec.bootMACAddress']],
])('a host: %s', (_, text, expected) => expect(findings(METAL3_RULES, text).map((line) => line.replace(/: .*/, ''))).toEqual(expected));
