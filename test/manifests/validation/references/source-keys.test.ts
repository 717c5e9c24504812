import { SOURCE_KEYS } from '../../../../src/manifests/validation/references/source-keys';
import { detailsIn, findings } from '../../rules/rules-under-test';

const KAMAJI = `---
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenant-acme}
`;
const CLUSTER = `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
`;
const object = (kind: string, data: string, more = '') => `---\napiVersion: v1\nkind: ${kind}\nmetadata: {name: cloud, namespace: tenant-acme${more}}\n${data}\n`;

function pod(volume: string, container = '', kind = 'Deployment'): string {
  return `---
apiVersion: apps/v1
kind: ${kind}
metadata: {name: ccm, namespace: tenant-acme}
spec: {template: {spec: {
  volumes: [{name: a, ${volume}}],
  containers: [{name: ccm, image: registry.example.com/openstack-cloud-controller-manager:v1.33.0, volumeMounts: [{name: a, mountPath: /etc/cloud}], ${container}}]}}}
`;
}

function found(...texts: string[]): string[] {
  return findings(SOURCE_KEYS, texts.join('')).map((line) => line.replace('spec.template.spec.', ''));
}

const hosted = (name: string, key: string) => pod(`secret: {secretName: ${name}, optional: true, items: [{key: ${key}, path: kubeconfig}]}`, 'args: [--kubeconfig=/etc/cloud/kubeconfig]');

test.each([
  ['acme-admin-kubeconfig', 'value', '"acme-admin-kubeconfig" has no key "value", and the program starts without it'],
  ['acme-admin-kubeconfig', 'super-admin.scv', '"acme-admin-kubeconfig" has no key "super-admin.scv", and the program starts without it'],
  ['acme-kubeconfig', 'admin.conf', '"acme-kubeconfig" has no key "admin.conf", and the program starts without it'],
])('the Secret %s has no key %s', (name, key, message) => {
  expect(found(KAMAJI, CLUSTER, hosted(name, key))).toEqual([`TC-TRAP-REF-KEY volumes.0.secret.items.0.key: the Secret ${message}`]);
});

test('A TenantControlPlane makes the same Secret as a KamajiControlPlane', () => {
  const tenant = KAMAJI.replace('controlplane.cluster.x-k8s.io/v1alpha2', 'kamaji.clastix.io/v1alpha1').replace('KamajiControlPlane', 'TenantControlPlane');

  expect(found(tenant, hosted('acme-admin-kubeconfig', 'value'))).toHaveLength(1);
  expect(found(tenant, hosted('acme-admin-kubeconfig', 'admin.svc'))).toEqual([]);
});

test.each([
  ['acme-admin-kubeconfig', 'super-admin.svc'], ['acme-kubeconfig', 'value'], ['other', 'value'],
])('the Secret %s may have the key %s', (name, key) => {
  expect(found(KAMAJI, CLUSTER, hosted(name, key))).toEqual([]);
});

test('A Secret that a control plane makes is read as it is written where it is written', () => {
  const written = object('Secret', 'stringData: {config: a}').replace('name: cloud', 'name: acme-kubeconfig');

  expect(found(CLUSTER, written, hosted('acme-kubeconfig', 'config'))).toEqual([]);
});

test.each([
  ['a Secret', object('Secret', 'stringData: {cloud.conf: a}'), 'secret: {secretName: cloud, items: [{key: clouds.yaml, path: cloud.conf}]}',
    'volumes.0.secret.items.0.key: the Secret "cloud" has no key "clouds.yaml"'],
  ['a ConfigMap', object('ConfigMap', 'data: {vsphere.conf: a}'), 'configMap: {name: cloud, items: [{key: vsphere.yaml, path: vsphere.conf}]}',
    'volumes.0.configMap.items.0.key: the ConfigMap "cloud" has no key "vsphere.yaml"'],
  ['a projected volume', object('ConfigMap', 'binaryData: {ca.crt: YQ==}'), 'projected: {sources: [{configMap: {name: cloud, items: [{key: tls.crt, path: a}]}}]}',
    'volumes.0.projected.sources.0.configMap.items.0.key: the ConfigMap "cloud" has no key "tls.crt"'],
])('the key of %s is missing', (_, written, volume, message) => {
  expect(found(written, pod(volume))).toEqual([`TC-TRAP-REF-KEY ${message}`]);
});

test('Variables of the container take keys, too', () => {
  const env = (optional: string) => pod('emptyDir: {}', `env: [{name: A, valueFrom: {secretKeyRef: {name: cloud, key: token${optional}}}}]`, 'DaemonSet');

  expect(found(object('Secret', 'data: {tokens: YQ==}'), env(''))).toEqual(['TC-TRAP-REF-KEY containers.0.env.0.valueFrom.secretKeyRef.key: the Secret "cloud" has no key "token"']);
  expect(found(object('Secret', 'data: {tokens: YQ==}'), env(', optional: true'))).toEqual([]);
});

test.each([
  ['configMap: {name: cloud}', '/etc/cloud/cloud-config', 'the ConfigMap "cloud" has no key "cloud-config"'],
  ['configMap: {name: cloud, optional: true}', '/etc/cloud/cloud-config', 'the ConfigMap "cloud" has no key "cloud-config", and the program starts without it'],
  ['configMap: {name: cloud, items: [{key: cloud.conf, path: config}]}', '/etc/cloud/cloud.conf', '--cloud-config names /etc/cloud/cloud.conf, and the volume of the ConfigMap "cloud" has no such file'],
])('with %s there is no file %s', (volume, file, message) => {
  expect(found(object('ConfigMap', 'data: {cloud.conf: a}'), pod(volume, `args: [--cloud-config=${file}]`))).toEqual([`TC-TRAP-REF-KEY containers.0.args.0: ${message}`]);
});

test.each([
  ['the file', 'args: [--cloud-config, /etc/cloud/cloud.conf]'], ['another folder', 'args: [--cert-dir=/var/run/certs]'],
  ['a pattern', 'args: ["--rules=/etc/cloud/*.yaml"]'], ['the folder', 'args: [--config-dir=/etc/cloud]'], ['a variable', 'args: [--cloud-config=$(FILE)]'],
])('%s is no missing file', (_, args) => {
  expect(found(object('ConfigMap', 'data: {cloud.conf: a}'), pod('configMap: {name: cloud}', args))).toEqual([]);
});

test.each([
  ['data that others fill in', object('ConfigMap', 'data: {a: b}', ', labels: {config.openshift.io/inject-trusted-cabundle: "true"}')],
  ['a token', object('Secret', 'type: kubernetes.io/service-account-token\nstringData: {extra: a}')],
  ['no data', object('ConfigMap', '')],
  ['parts in two files', object('ConfigMap', 'data: {a: b}') + object('ConfigMap', 'data: {wanted: c}')],
  ['another namespace', object('ConfigMap', 'data: {a: b}').replace('tenant-acme', 'tenant-other')],
])('%s may have the key', (_, written) => {
  const kind = written.includes('kind: Secret') ? 'secret: {secretName: cloud, ' : 'configMap: {name: cloud, ';

  expect(found(written, pod(`${kind}items: [{key: wanted, path: a}]}`))).toEqual([]);
});

test.each([
  ['acm-kubeconfig', true], ['acmee-admin-kubeconfig', true], ['management-kubeconfig', true], ['acme-kubeconfig', false], ['cloud', false],
])('the kubeconfig of %s has no Cluster: %s', (name, isFound) => {
  expect(found(KAMAJI, CLUSTER, hosted(name, 'value'))).toEqual(isFound ? [
    `TC-TRAP-REF-KUBECONFIG volumes.0.secret.secretName: no Cluster among the manifests that were read has a Secret ${name} in the namespace`,
  ] : []);
  expect(found(hosted(name, 'value'))).toEqual([]);
});

test('A kubeconfig that no argument names may be of any cluster', () => {
  expect(found(CLUSTER, pod('secret: {secretName: management-kubeconfig}'))).toEqual([]);
});

const release = (secretRef: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: tenant-acme}
spec: {interval: 10m, chart: {spec: {chart: a, version: 1.0.0, sourceRef: {kind: HelmRepository, name: a}}}, kubeConfig: {secretRef: ${secretRef}}}
`;
const HOSTED_CLUSTER = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}}
`;

test.each([
  ['{name: acme-kubeconfig}', undefined], ['{name: acme-kubeconfig, key: value}', undefined], ['{name: acme-admin-kubeconfig, key: super-admin.svc}', undefined],
  ['{name: other-kubeconfig, key: a}', undefined],
  ['{name: acme-kubeconfig, key: super-admin.svc}', 'write key: value'], ['{name: acme-admin-kubeconfig}', 'write key: super-admin.svc'],
  ['{name: acme-admin-kubeconfig, key: value}', 'write key: super-admin.svc'], ['{name: acme-admin-kubeconfig, key: superadmin.svc}', 'write key: super-admin.svc'],
])('a delivery with the kubeconfig %s', (secretRef, fix) => {
  const details = detailsIn(SOURCE_KEYS, `${release(secretRef)}---\n${HOSTED_CLUSTER}`);

  expect(details.map((finding) => [finding.id, finding.fix])).toEqual(fix === undefined ? [] : [['TC-TRAP-REF-DELIVERY-KEY', fix]]);
});

test.each([
  ['openstack-cloud-controller-manager:v1.33.0', 'acm', 1], ['hcloud-cloud-controller-manager:v1', 'other', 1], ['openstack-cloud-controller-manager:v1.33.0', 'acme', 0],
  ['openstack-cloud-controller-manager:v1.33.0', '$(NAME)', 0], ['web:v1', 'acm', 0],
])('the cluster of %s is %s: %i', (image, name, count) => {
  const controller = pod('emptyDir: {}', `args: ["--cluster-name=${name}"]`).replace(/registry[^,]*/, `"registry.example.com/${image}"`);

  expect(found(CLUSTER, controller)).toHaveLength(count);
  expect(found(controller)).toEqual([]);
});
