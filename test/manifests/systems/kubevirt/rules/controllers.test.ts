import { CLUSTERS } from '../../../../../src/manifests/systems/kubevirt/rules/clusters';
import { CONTROLLERS } from '../../../../../src/manifests/systems/kubevirt/rules/controllers';
import { findings } from '../../../rules/rules-under-test';

const CLUSTER = '---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: tenant-acme}\n';

function configMap(key: string, text: string): string {
  return `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: config, namespace: tenant-acme}\ndata:\n  ${key}: |\n${text.replace(/^/gm, '    ')}\n`;
}

const cloud = (text: string) => configMap('cloud-config', text);
const found = (...texts: string[]) => findings(CONTROLLERS, texts.join(''));
const ids = (...texts: string[]) => found(...texts).map((line) => line.split(':')[0]);

test.each([
  ['namespace: tenant-acme\nloadBalancer: {selectorLess: true, creationPollInterval: 5}', 'the cloud controller manager has no field loadBalancer.selectorLess, and ignores it'],
  ['namespace: tenant-acme\ninstanceV2: {enabled: false}\nloadBalancer: {creationPollTimeout: 60}', 'the cloud controller manager has no field instanceV2, and ignores it'],
  ['namespace: tenant-acme\ninstancesV2: {enabled: true, zoneAndRegion: false}', 'the cloud controller manager has no field instancesV2.zoneAndRegion, and ignores it'],
  ['namespace: tenant-acme\nloadBalancer: {creationPollInterval: 5s}', 'loadBalancer.creationPollInterval has the wrong type, and the cloud controller manager does not start'],
  ['namespace: tenant-acme\ninfraLabels: [a=b]\ninstancesV2: {enabled: true}', 'infraLabels has the wrong type, and the cloud controller manager does not start'],
  ['instancesV2: {enabled: true}', 'it has no namespace, and the cloud controller manager finds no machine'],
])('%s is wrong', (text, message) => {
  expect(found(cloud(text))).toEqual([`TC-TRAP-KUBEVIRT-CLOUD-CONFIG data.cloud-config: ${message}`]);
});

test('Another namespace is a warning without a Cluster, and an error with one', () => {
  const other = cloud('namespace: tenant-other\ninstancesV2: {enabled: true}');

  expect(ids(other)).toEqual(['TC-TRAP-KUBEVIRT-CLOUD-NAMESPACE data.cloud-config']);
  expect(ids(other, CLUSTER)).toEqual(['TC-TRAP-KUBEVIRT-CLOUD-CONFIG data.cloud-config']);
  expect(ids(other, CLUSTER.replace('tenant-acme', 'tenant-other'))).toEqual([]);
});

test.each([
  'namespace: tenant-acme\nloadBalancer: {enabled: yes, creationPollInterval: 5, enableEPSController: true}\ninstancesV2: {zoneAndRegionEnabled: off}\ninfraLabels: {a: b}',
  'kubeconfig: /etc/infra/kubeconfig\nnamespace: tenant-other\ninstancesV2: {enabled: true}',
  'namespace: $' + '{NAMESPACE}\ninstancesV2: {enabled: true}',
  'loadBalancer: {enabled: true}\nsomething: else',
  'not: [valid',
])('%s is right, or of another program', (text) => {
  expect(found(cloud(text), CLUSTER)).toEqual([]);
});

const limits = (text: string) => configMap('infraStorageClassEnforcement', text);

test.each([
  ['allowAll: false\nallowlist: [a]', 'the CSI driver has no field allowlist, and ignores it'],
  ['allowList: replicated', 'allowList has the wrong type, and the CSI driver does not start'],
  ['allowAll: sometimes', 'allowAll has the wrong type, and the CSI driver does not start'],
  ['allowList: [a]\nstorageSnapshotMapping: [{StorageClasses: [a], VolumeSnapshotClasses: [b]}]', 'the CSI driver has no field storageSnapshotMapping[0].StorageClasses, and ignores it'],
])('limits %s are wrong', (text, message) => {
  expect(found(limits(text))[0]).toBe(`TC-TRAP-KUBEVIRT-CSI-CONFIG data.infraStorageClassEnforcement: ${message}`);
});

function driver(args: string, more = ''): string {
  return `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: csi, namespace: tenant-acme}
spec: {template: {spec: {containers: [{name: a, image: "quay.io/kubevirt/kubevirt-csi-driver:latest", args: [${args}]${more}}, {name: b, image: "csi-provisioner:v6.4.0", args: [--volume-name-prefix=pvc]}]}}}
`;
}

test.each([
  ['--infra-cluster-labels=random-cluster-id', '', '0.args.0: "random-cluster-id" is no label, and the CSI driver does not start'],
  ['--volume-prefix=acme', '', '0.args.0: volumes of the provisioner start with "pvc", and the CSI driver works on those with "acme" only'],
  ['--v=2', ', env: [{name: INFRA_STORAGE_CLASS_ENFORCEMENT, value: "allowal: true"}]', '0.env.0.value: the CSI driver has no field allowal, and ignores it'],
])('a driver with %s%s is wrong', (args, more, message) => {
  expect(found(driver(args, more))).toEqual([`TC-TRAP-KUBEVIRT-CSI-CONFIG spec.template.spec.containers.${message}`]);
});

test('A driver may have labels and the prefix of the provisioner', () => {
  expect(found(driver('"--infra-cluster-labels=a=b,c=d", --volume-prefix, pvc'))).toEqual([]);
});

const storage = (parameters: string) => `---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: csi.kubevirt.io\nparameters: {${parameters}}\n`;

test.each([
  ['infraStorageClassName: slow', 'TC-TRAP-KUBEVIRT-CLASS-ALLOWED parameters.infraStorageClassName: the CSI driver does not allow the class "slow" of the infrastructure, and refuses each volume of this class'],
  ['infraStorageClass: replicated', 'TC-TRAP-KUBEVIRT-CLASS-PARAMETER parameters.infraStorageClass: the CSI driver has no parameter infraStorageClass, and ignores it'],
])('a class with %s is wrong', (parameters, message) => {
  expect(found(limits('allowAll: false\nallowDefault: false\nallowList: [replicated]'), storage(parameters))).toContain(message);
});

test.each([
  ['allowList: [replicated]', 'infraStorageClassName: replicated, bus: scsi, csi.storage.k8s.io/fstype: xfs', []],
  ['allowAll: true', 'infraStorageClassName: slow', []],
  ['allowDefault: true', 'bus: scsi', []],
  ['allowDefault: false', 'bus: scsi', ['TC-TRAP-KUBEVIRT-CLASS-ALLOWED parameters']],
])('with %s a class with %s: %j', (text, parameters, expected) => {
  expect(ids(limits(text), storage(parameters))).toEqual(expected);
});

test('The limits in the management cluster hold for classes in the tenant', () => {
  const management = CLUSTER.replace('---\n', '') + limits('allowList: [other]');

  expect(findings(CONTROLLERS, storage('infraStorageClassName: replicated'), management)).toHaveLength(1);
  expect(findings(CONTROLLERS, storage('infraStorageClassName: replicated'), management.replaceAll('tenant-acme}\ndata', 'tenant-b}\ndata'))).toEqual([]);
});

test.each([
  ['DaemonSet', '--cluster-name, acm', 1], ['StatefulSet', '--cluster-name=acme', 0], ['Deployment', '--v=2', 1], ['Deployment', '$(MORE)', 0], ['Deployment', '--cluster-name=$(NAME)', 0],
])('the cloud controller manager in a %s with %s: %i', (kind, args, count) => {
  const text = `---\napiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: a, namespace: tenant-acme}\nspec: {template: {spec: {containers: [{name: a, image: kubevirt-cloud-controller-manager, args: [--cloud-provider=kubevirt, ${args}]}]}}}\n`;

  expect(findings(CLUSTERS, text + CLUSTER)).toHaveLength(count);
});
