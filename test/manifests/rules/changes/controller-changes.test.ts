import { parseAllDocuments } from 'yaml';
import { ManifestObject, namespaceOf } from '../../../../src/manifests/objects/manifest-object';
import { CONTROLLER_CHANGES } from '../../../../src/manifests/rules/changes/controller-changes';
import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { CLOUD_CONTROLLER_REMOVED } from '../../../../src/manifests/systems/kubeadm/rules/cloud-provider';

const RULES = [...CONTROLLER_CHANGES, CLOUD_CONTROLLER_REMOVED];
const keyOf = ({ kind, metadata }: ManifestObject) => `${String(kind)} ${(metadata as { name: string }).name}`;
function objectsIn(text: string): ManifestObject[] {
  return parseAllDocuments(text).map((document) => document.toJSON() as ManifestObject | null).filter((object) => object !== null);
}

function found(before: string, after: string, tenantOf?: string): string[] {
  const [old, now] = [before, after].map(objectsIn);
  const target = tenantOf === undefined ? undefined : { management: new ManifestIndex(objectsIn(tenantOf)), namespace: 'tenant-acme', name: 'acme' };
  const [oldIndex, nowIndex] = [new ManifestIndex(old, target), new ManifestIndex(now, target)];
  return old.flatMap((object) => {
    const same = now.find((other) => keyOf(other) === keyOf(object) && namespaceOf(other) === namespaceOf(object));
    const looksAt = ({ kinds, kindSuffix }: typeof RULES[number]) => (
      kinds.some((kind) => kind.endsWith(`/${String(object.kind)}`)) || (kindSuffix !== undefined && String(object.kind).endsWith(kindSuffix)));
    return RULES.flatMap((rule) => (looksAt(rule)
      ? rule.check({ before: object, after: same, old: oldIndex, now: nowIndex }).map(() => `${rule.id} ${keyOf(object)}`) : []));
  });
}

const CLUSTER = '---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: tenant-acme}\n';
const nodes = (args: string) => `---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: pool, namespace: tenant-acme}
spec: {template: {spec: {joinConfiguration: {nodeRegistration: {kubeletExtraArgs: ${args}}}}}}
`;
const EXTERNAL = nodes('[{name: cloud-provider, value: external}]');
const workload = (image: string, more = '', kind = 'Deployment', namespace = 'tenant-acme') => `---
apiVersion: apps/v1
kind: ${kind}
metadata: {name: controller, namespace: ${namespace}}
spec: {${more}template: {spec: {containers: [{name: a, image: "${image}"}]}}}
`;
const GONE = 'TC-CHANGE-CLOUD-CONTROLLER-REMOVED Deployment controller';

test.each([
  'quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0', 'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0',
  'registry.k8s.io/cloud-pv-vsphere/cloud-provider-vsphere:v1.33.0', 'registry.k8s.io/provider-aws/cloud-controller-manager:v1.33.0',
  'docker.io/hetznercloud/hcloud-cloud-controller-manager:v1.24.0',
])('%s must stay while kubelets wait for it', (image) => {
  expect(found(CLUSTER + EXTERNAL + workload(image), CLUSTER + EXTERNAL)).toEqual([GONE]);
});

const MANAGER = workload('openstack-cloud-controller-manager:v1.33.0');

test.each([
  ['is scaled to 0', CLUSTER + EXTERNAL + workload('openstack-cloud-controller-manager:v1.33.0', 'replicas: 0, '), [GONE]],
  ['becomes something else', CLUSTER + EXTERNAL + workload('nginx:1.29'), [GONE]],
  ['has arguments as a map in v1beta1', CLUSTER + nodes('{cloud-provider: external}'), [GONE]],
  ['is upgraded', CLUSTER + EXTERNAL + workload('openstack-cloud-controller-manager:v1.33.1'), []],
  ['becomes a DaemonSet', CLUSTER + EXTERNAL + workload('openstack-cloud-controller-manager:v1.33.0', '', 'DaemonSet'), []],
  ['goes with the argument', CLUSTER + nodes('[{name: v, value: "2"}]'), []],
  ['goes with its cluster', EXTERNAL, []],
])('a cloud controller manager that %s', (_, after, expected) => {
  expect(found(CLUSTER + EXTERNAL + MANAGER, after)).toEqual(expected);
});

test('A cloud controller manager in the tenant serves the nodes of its Cluster', () => {
  const inTenant = workload('aws/cloud-controller-manager:v1.33.0', '', 'DaemonSet', 'kube-system');

  expect(found(inTenant, '', CLUSTER + EXTERNAL)).toEqual(['TC-CHANGE-CLOUD-CONTROLLER-REMOVED DaemonSet controller']);
  expect(found(inTenant, '', CLUSTER)).toEqual([]);
});

const PROVISIONER = workload('registry.k8s.io/sig-storage/csi-provisioner:v6.4.0');
const CLASS = '---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: csi.example.com\n';

test.each([
  ['its classes stay', CLASS + PROVISIONER, CLASS, 1],
  ['its cluster stays', CLUSTER + PROVISIONER, CLUSTER, 1],
  ['all goes', CLASS + PROVISIONER, '', 0],
  ['only local classes stay', CLASS + PROVISIONER, CLASS.replace('csi.example.com', 'kubernetes.io/no-provisioner'), 0],
  ['another controller comes', CLASS + PROVISIONER, CLASS + PROVISIONER.replace('name: controller', 'name: other'), 0],
  ['another driver stays', CLASS + PROVISIONER, CLASS + PROVISIONER.replace('tenant-acme', 'other'), 0],
])('a CSI controller goes, and %s', (_, before, after, count) => {
  expect(found(before, after)).toHaveLength(count);
});

const policy = (name: string, group = 'networking.k8s.io/v1', kind = 'NetworkPolicy') => `---\napiVersion: ${group}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: tenant-acme}\n`;

test.each([
  ['all go', policy('a') + policy('b'), '', ['TC-CHANGE-ISOLATION-REMOVED NetworkPolicy a']],
  ['one goes', policy('a') + policy('b'), policy('b'), []],
  ['others come', policy('a'), policy('c', 'cilium.io/v2', 'CiliumNetworkPolicy'), []],
  ['others of another kind go', policy('c', 'cilium.io/v2', 'CiliumNetworkPolicy'), '', ['TC-CHANGE-ISOLATION-REMOVED CiliumNetworkPolicy c']],
])('network policies: %s', (_, before, after, expected) => {
  expect(found(CLUSTER + before, CLUSTER + after)).toEqual(expected);
  expect(found(CLUSTER + before, after)).toEqual([]);
});
