import { TABLE_PROVIDERS } from '../../../src/manifests/systems/tables';
import { findings, testRules } from '../rules/rules-under-test';

const NAMES = ['aws', 'azure', 'eks-anywhere', 'gcp', 'hetzner', 'k3s', 'nutanix', 'rke2', 'talos', 'tinkerbell'];
const RULES = TABLE_PROVIDERS.filter(({ name }) => NAMES.includes(name))
  .flatMap(({ rules = [], referenceRules = [] }) => [...rules, ...referenceRules]);
const NEW = RULES.filter(({ id }) => /-(?:ZONE|IDENTITY|SUBNET|POOL-NAME|EKS-ANYWHERE|CONFIG-FILE|MACHINE-SIZE|PATCH-SECTION|JSON-PATCH|HOST-DISK|HOST-NO-DISK|RAID|TINKERBELL-TEMPLATE)$/.test(id));

testRules(NEW);

const object = (kind: string, spec: string, group = 'infrastructure.cluster.x-k8s.io/v1beta1') => `apiVersion: ${group}\nkind: ${kind}\nmetadata: {name: general, namespace: acme}\nspec: ${spec}\n`;
const lines = (text: string) => findings(NEW, text).map((line) => line.replace(/: .*/, ''));

describe('Azure', () => {
  const network = (vnet: string, ...subnets: readonly string[]) => object('AzureCluster', `{networkSpec: {vnet: ${vnet}, subnets: [${subnets.join(', ')}]}}`);
  const machine = (fields: string) => object('AzureMachineTemplate', `{template: {spec: {${fields}}}}`);

  test.each([
    ['defaults everywhere', network('{}', '{name: a, role: control-plane}', '{name: b, role: node}', '{name: c, role: node}'), []],
    ['a role without default', network('{cidrBlocks: [192.168.0.0/16]}', '{name: a, role: cluster}'), []],
    ['a later control plane', network('{cidrBlocks: [10.0.0.0/16]}', '{name: a, role: control-plane}', '{name: b, role: control-plane}'), []],
    ['the second pool of nodes', network('{cidrBlocks: [10.1.0.0/16]}', '{name: b, role: node}', '{name: c, role: node}'), ['TC-ADMIT-AZURE-SUBNET spec.networkSpec.subnets.1.cidrBlocks']],
    ['one of two networks', network('{cidrBlocks: [10.8.0.0/16, "fd00::/48"]}', '{name: b, role: node, cidrBlocks: [10.8.1.0/24, "fd00::/64"]}'), []],
    ['no range', network('{}', '{name: b, role: node, cidrBlocks: [nodes]}'), ['TC-ADMIT-AZURE-SUBNET spec.networkSpec.subnets.0.cidrBlocks']],
    ['a variable', network('{cidrBlocks: ["${VNET}"]}', '{name: b, role: node, cidrBlocks: ["${NODES}"]}'), []],
    ['no identity', machine('vmSize: a'), []],
    ['an identity of the system', machine('identity: SystemAssigned, systemAssignedIdentityRole: {scope: a, definitionID: b}'), []],
    ['a role without it', machine('systemAssignedIdentityRole: {scope: a, definitionID: b}'), ['TC-ADMIT-AZURE-IDENTITY spec.template.spec.systemAssignedIdentityRole']],
    ['an empty list', machine('identity: UserAssigned, userAssignedIdentities: []'), ['TC-ADMIT-AZURE-IDENTITY spec.template.spec.userAssignedIdentities']],
    ['the name of the object', object('AzureManagedMachinePool', '{mode: User}'), []],
    ['a long name', object('AzureManagedMachinePool', '{mode: User, name: generalpurposes}'), ['TC-ADMIT-AZURE-POOL-NAME spec.name']],
    ['a name for Windows', object('AzureManagedMachinePool', '{mode: User, name: win1, osType: Windows}'), []],
    ['a long name for Windows', object('AzureManagedMachinePool', '{mode: User, osType: Windows}'), ['TC-ADMIT-AZURE-POOL-NAME metadata.name']],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
});

describe('zones', () => {
  const pool = (zone: string) => `---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeployment\nmetadata: {name: general, namespace: acme}\nspec: {clusterName: acme, template: {spec: {clusterName: acme, failureDomain: ${zone}}}}\n`;
  const cluster = (kind: string) => `apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: acme}\nspec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ${kind}, name: general}}\n---\n`;

  test.each([
    ['a zone', cluster('AWSCluster') + object('AWSCluster', '{region: us-west-2}') + pool('us-west-2a'), []],
    ['a local zone', cluster('AWSCluster') + object('AWSCluster', '{region: us-west-2}') + pool('us-west-2-lax-1a'), []],
    ['a region', cluster('AWSCluster') + object('AWSCluster', '{region: us-gov-west-1}') + pool('us-gov-west-1'), ['TC-TRAP-AWS-ZONE spec.template.spec.failureDomain']],
    ['a zone elsewhere', cluster('GCPCluster') + object('GCPCluster', '{region: europe-west3}') + pool('europe-west4-a'), ['TC-TRAP-GCP-ZONE spec.template.spec.failureDomain']],
    ['a failure domain of another infrastructure', cluster('VSphereCluster') + object('VSphereCluster', '{}') + pool('us-west-2'), []],
    ['a variable', cluster('AWSCluster') + object('AWSCluster', '{region: "${REGION}"}') + pool('us-west-2a'), []],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
});

describe('Talos', () => {
  const config = (fields: string) => object('TalosConfigTemplate', `{template: {spec: {${fields}}}}`, 'bootstrap.cluster.x-k8s.io/v1alpha3');

  test.each([
    ['a document with a kind', config('generateType: worker, strategicPatches: ["apiVersion: v1alpha1\\nkind: HostnameConfig\\nhostname: a"]'), []],
    ['a removal', config('generateType: worker, strategicPatches: ["machine: {network: {$patch: delete}}"]'), []],
    ['JSON patches of an old release', config('generateType: worker, talosVersion: v1.11, configPatches: [{op: add, path: /machine/nodeLabels, value: {}}]'), []],
    ['those of a new release', config('generateType: controlplane, talosVersion: v1.12.3, configPatches: [{op: add, path: /machine/nodeLabels, value: {}}]'), ['TC-TRAP-TALOS-JSON-PATCH spec.template.spec.configPatches.0']],
    ['those of a given configuration', config('generateType: none, talosVersion: v1.12, configPatches: [{op: add, path: /machine/nodeLabels, value: {}}]'), []],
    ['a section that an earlier one adds', config('generateType: worker, configPatches: [{op: add, path: /cluster/extraManifests, value: []}, {op: add, path: /cluster/extraManifests/-, value: a}]'), []],
    ['a section of control planes', config('generateType: controlplane, configPatches: [{op: add, path: /cluster/apiServer/certSANs/-, value: a}]'), []],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
});

describe('files of K3s and RKE2', () => {
  const files = (kind: string, path: string, content: string) => object(kind, `{template: {spec: {files: [{path: ${path}, content: ${JSON.stringify(content)}}]}}}`, 'bootstrap.cluster.x-k8s.io/v1beta2');

  test.each([
    ['a flag with a plus', files('KThreesConfigTemplate', '/etc/rancher/k3s/config.yaml', 'node-label+: [a=b]\n'), []],
    ['a flag of a later release', files('KThreesConfigTemplate', '/etc/rancher/k3s/config.yaml', 'brand-new-thing: true\n'), []],
    ['another file', files('KThreesConfigTemplate', '/etc/rancher/k3s/registries.yaml', 'mirorrs: {}\n'), []],
    ['a flag of RKE2', files('RKE2ConfigTemplate', '/etc/rancher/rke2/config.yaml.d/a.yaml', 'profile: cis\n'), []],
    ['a flag of servers', files('RKE2ConfigTemplate', '/etc/rancher/rke2/config.yaml.d/a.yaml', 'cni: cilium\n'), ['TC-TRAP-RKE2-CONFIG-FILE spec.template.spec.files.0.content']],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
});

test('a cluster of EKS Anywhere by itself may have its parts elsewhere', () => {
  expect(lines(object('Cluster', '{datacenterRef: {kind: VSphereDatacenterConfig, name: a}}', 'anywhere.eks.amazonaws.com/v1alpha1'))).toEqual([]);
});

describe('hosts of Hetzner', () => {
  const host = (hints: string) => object('HetznerBareMetalHost', `{serverID: 1, ${hints}}`);
  const machines = (fields: string) => object('HetznerBareMetalMachineTemplate', `{template: {spec: {installImage: {${fields}}}}}`);

  test.each([
    ['one disk', host('rootDeviceHints: {wwn: a}'), []],
    ['two disks', host('rootDeviceHints: {raid: {wwn: [a, b]}}'), []],
    ['no disk', host('maintenanceMode: true'), ['TC-TRAP-HETZNER-HOST-NO-DISK spec.rootDeviceHints']],
    ['a RAID of one disk', host('rootDeviceHints: {raid: {wwn: [a]}}'), ['TC-TRAP-HETZNER-HOST-DISK spec.rootDeviceHints.raid.wwn']],
    ['both', host('rootDeviceHints: {wwn: a, raid: {wwn: [a, b]}}'), ['TC-TRAP-HETZNER-HOST-DISK spec.rootDeviceHints']],
    ['hosts elsewhere', machines('swraid: 1'), []],
    ['one host of two that fits', `${machines('swraid: 1')}---\n${host('rootDeviceHints: {wwn: a}')}---\n${host('rootDeviceHints: {raid: {wwn: [a, b]}}').replace('general', 'other')}`, []],
    ['no RAID, and hosts with one', `${machines('')}---\n${host('rootDeviceHints: {raid: {wwn: [a, b]}}')}`, ['TC-TRAP-HETZNER-RAID spec.template.spec.installImage.swraid']],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
});

describe('templates of Tinkerbell', () => {
  const template = (data: string) => object('Template', `{data: ${JSON.stringify(data)}}`, 'tinkerbell.org/v1alpha1');

  test.each([
    ['a value of a template that is not quoted', template('tasks:\n  - worker: {{.device_1}}\n'), []],
    ['a choice', template('{{ if .a }}\n  a: b\n{{ end }}\nc: d\n'), []],
    ['no text', object('Template', '{}', 'tinkerbell.org/v1alpha1'), []],
    ['an open quote', template('tasks:\n  - worker: "a\n'), ['TC-TRAP-TINKERBELL-TEMPLATE spec.data']],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
});
