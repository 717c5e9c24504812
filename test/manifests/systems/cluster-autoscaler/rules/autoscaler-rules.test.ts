import { CLUSTER_AUTOSCALER } from '../../../../../src/manifests/systems/cluster-autoscaler/provider';
import { ACME, AUTHORITATIVE, AUTOSCALER, autoscalerYaml, BETA, DISCOVERY } from '../../../../../src/manifests/systems/cluster-autoscaler/rules/examples';
import { chartRule } from '../../../../../src/manifests/validation/chart-rules';
import { findings, testRules } from '../../../rules/rules-under-test';

const RULES = [...CLUSTER_AUTOSCALER.rules ?? [], ...(CLUSTER_AUTOSCALER.chartRules ?? []).map(chartRule)];

testRules(RULES);

const ids = (...texts: string[]) => findings(RULES, texts.map((text) => text.replace(/\n?$/, '\n')).join('---\n')).map((line) => line.split(' ')[0].replace('TC-TRAP-', ''));
const discovering = (spec: string) => autoscalerYaml(AUTHORITATIVE, `--node-group-auto-discovery=${spec}`);
const pool = (name: string, cluster: string, annotations = '', labels = '') => `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: ${name}, namespace: tenant-acme, annotations: {${annotations}}, labels: {${labels}}}
spec: {clusterName: ${cluster}, template: {spec: {clusterName: ${cluster}}}}
`;
const BOUNDS = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1", cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "4"';

test.each([
  ['the Cluster beside it', 'clusterapi:namespace=tenant-acme,clusterName=acme', []],
  ['another name', 'clusterapi:namespace=tenant-acme,clusterName=acm', ['AUTOSCALER-CLUSTER']],
  ['another namespace', 'clusterapi:namespace=tenant-acm,clusterName=acme', ['AUTOSCALER-CLUSTER']],
  ['a Cluster of any namespace', 'clusterapi:clusterName=acme', []],
  ['the label of the cluster', 'clusterapi:cluster.x-k8s.io/cluster-name=acme', []],
  ['no provider', 'namespace=tenant-acme,clusterName=acme', ['AUTOSCALER-DISCOVERY']],
  ['another provider', 'asg:tag=acme', ['AUTOSCALER-DISCOVERY']],
  ['a pair without value', 'clusterapi:namespace=tenant-acme,clusterName', ['AUTOSCALER-DISCOVERY']],
  ['a misspelled key', 'clusterapi:namespace=tenant-acme,clustername=acme', ['AUTOSCALER-DISCOVERY']],
  ['a key with a hyphen', 'clusterapi:namespace=tenant-acme,cluster-name=acme', ['AUTOSCALER-DISCOVERY']],
  ['the namespace alone', 'clusterapi:namespace=tenant-acme', []],
  ['a label of pools', 'clusterapi:namespace=tenant-acme,color=green', []],
])('Discovery: %s', (_, spec, expected) => {
  expect(ids(discovering(spec), ACME)).toEqual(expected);
});

test('Where no Cluster was read, or a variable decides, nothing is said.', () => {
  expect(ids(discovering('clusterapi:namespace=tenant-acme,clusterName=acm'))).toEqual([]);
  expect(ids(discovering('clusterapi:namespace=tenant-acme,clusterName=${CLUSTER}'), ACME)).toEqual([]);
});

test('An autoscaler of several Clusters deletes machines, whether a namespace or nothing is named.', () => {
  const found = ['AUTOSCALER-SHARED'];
  expect(ids(discovering('clusterapi:namespace=tenant-acme'), ACME, BETA)).toEqual(found);
  expect(ids(autoscalerYaml(AUTHORITATIVE), ACME, BETA)).toEqual(found);
  expect(ids(discovering('clusterapi:'), ACME, BETA.replace('tenant-acme', 'tenant-beta'))).toEqual(found);
  expect(ids(discovering('clusterapi:namespace=tenant-acme'), ACME, BETA.replace('tenant-acme', 'tenant-beta'))).toEqual([]);
  expect(ids(discovering('clusterapi:namespace=tenant-acme,team=a'), ACME, BETA)).toEqual([]);
  expect(ids(discovering('clusterapi:namespace=tenant-acme'), ACME, ACME)).toEqual([]);
});

test('Of several namespaces, only the first is watched.', () => {
  const two = autoscalerYaml(AUTHORITATIVE, DISCOVERY, '--node-group-auto-discovery=clusterapi:namespace=tenant-beta,clusterName=beta');
  expect(ids(two)).toEqual(['AUTOSCALER-DISCOVERY']);
});

test('Nodes and pools are those of one cluster, and pools are in the management cluster.', () => {
  const found = ['AUTOSCALER-NODES'];
  expect(ids(AUTOSCALER.replace('acme-kubeconfig', 'beta-kubeconfig'), ACME, BETA)).toEqual(found);
  expect(ids(AUTOSCALER.replace('acme-kubeconfig', 'acme-admin-kubeconfig'), ACME, BETA)).toEqual([]);
  expect(ids(autoscalerYaml(DISCOVERY), ACME)).toEqual(found);
  expect(ids(autoscalerYaml(DISCOVERY, '--cloud-config=/etc/management/value'), ACME)).toEqual([]);
  expect(ids(autoscalerYaml(DISCOVERY).replace(/ +- --kubeconfig.*\n/, ''), ACME)).toEqual(found);
  // A cluster with machines of its own may be the management cluster.
  expect(ids(autoscalerYaml(DISCOVERY).replace(/ +- --kubeconfig.*\n/, ''), ACME.replace('KamajiControlPlane', 'KubeadmControlPlane'))).toEqual([]);
});

test('A cluster with an autoscaler has pools with bounds, and a pool with bounds has an autoscaler.', () => {
  expect(ids(AUTOSCALER, ACME, pool('a', 'acme'))).toEqual(['AUTOSCALER-NO-POOL']);
  expect(ids(AUTOSCALER, ACME, pool('a', 'acme'), pool('b', 'acme', BOUNDS))).toEqual([]);
  expect(ids(AUTOSCALER, ACME, pool('b', 'acme', BOUNDS), BETA, pool('c', 'beta', BOUNDS))).toEqual(['POOL-AUTOSCALER-NONE']);
  expect(ids(ACME, pool('b', 'acme', BOUNDS))).toEqual([]);
  expect(ids(discovering('clusterapi:namespace=tenant-acme,color=green'), ACME, pool('b', 'acme', BOUNDS, 'color: blue'))).toEqual(['POOL-AUTOSCALER-NONE']);
});

const release = (values: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a, namespace: tenant-acme}
spec: {interval: 10m, chart: {spec: {chart: cluster-autoscaler, version: 9.59.0, sourceRef: {kind: HelmRepository, name: a}}}, values: {${values}}}
`;

test.each([
  ['cloudProvider: clusterapi, autoDiscovery: {clusterName: acme}', []],
  ['cloudProvider: clusterapi, autoDiscovery: {clusterName: acm}', ['AUTOSCALER-CHART-CLUSTER']],
  ['cloudProvider: clusterapi, autoDiscovery: {namespace: tenant-acme}', ['AUTOSCALER-CHART-CLUSTER']],
  ['cloudProvider: clusterapi, autoDiscovery: {labels: [{namespace: tenant-acme}, {clusterName: beta}]}', []],
  ['cloudProvider: aws, autoDiscovery: {clusterName: acm}', []],
  ['cloudProvider: clusterapi, clusterAPIMode: kubeconfig-in-cluster, autoDiscovery: {clusterName: acme}', ['AUTOSCALER-CHART-MODE']],
  ['cloudProvider: clusterapi, clusterAPIMode: kubeconfig-incluster, autoDiscovery: {clusterName: acme}', ['AUTOSCALER-CHART-MODE']],
  ['cloudProvider: clusterapi, clusterAPIMode: kubeconfig-incluster, clusterAPIKubeconfigSecret: a, autoDiscovery: {clusterName: acme}', []],
])('Values of the chart: %s', (values, expected) => {
  expect(ids(release(values), ACME, BETA)).toEqual(expected);
});

test.each([
  ['cpu: "4", capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi', []],
  ['memory: "16"', ['AUTOSCALER-CAPACITY']],
  ['cpu: "4000"', ['AUTOSCALER-CAPACITY']],
  ['gpu-count: "1"', ['AUTOSCALER-CAPACITY']],
  ['gpu-type: nvidia.com/gpu', ['AUTOSCALER-CAPACITY']],
  ['gpu-count: "1", capacity.cluster-autoscaler.kubernetes.io/dra-driver: gpu.nvidia.com', []],
])('Capacity: %s', (annotations, expected) => {
  const text = `capacity.cluster-autoscaler.kubernetes.io/${annotations}`;
  expect(ids(pool('a', 'acme', text))).toEqual(expected);
  expect(ids(`apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: a, namespace: t}\nspec: {topology: {workers: {machineDeployments: [{name: a, metadata: {annotations: {${text}}}}]}}}`)).toEqual(expected);
});

const ACCOUNT = (text: string) => text.replace('      containers:\n', '      serviceAccountName: scaler\n      containers:\n');
const granted = (kind: 'Role' | 'ClusterRole', resources: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata: {name: scaler${kind === 'Role' ? ', namespace: tenant-acme' : ''}}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [${resources}], verbs: [get, list, patch, update, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
metadata: {name: scaler${kind === 'Role' ? ', namespace: tenant-acme' : ''}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ${kind}, name: scaler}
subjects: [{kind: ServiceAccount, name: scaler, namespace: tenant-acme}]
`;
const ALL = '"*"';

test.each<[what: string, texts: string[], isFound: boolean]>([
  ['all rights', [ACCOUNT(AUTOSCALER), granted('Role', ALL)], false],
  ['no scale', [ACCOUNT(AUTOSCALER), granted('Role', 'machinedeployments, machines, machinesets')], true],
  ['no machine pools', [ACCOUNT(AUTOSCALER), granted('Role', 'machinedeployments, machinedeployments/scale, machines, machinesets')], true],
  ['no machine pools, before they were watched', [ACCOUNT(AUTOSCALER.replace('v1.36.1', 'v1.26.8')), granted('Role', 'machinedeployments, machinedeployments/scale, machines, machinesets')], false],
  ['all namespaces, by a Role', [ACCOUNT(discovering('clusterapi:clusterName=acme')), granted('Role', ALL)], true],
  ['all namespaces, by a ClusterRole', [ACCOUNT(discovering('clusterapi:clusterName=acme')), granted('ClusterRole', ALL)], false],
  ['roles that are elsewhere', [ACCOUNT(AUTOSCALER)], false],
  ['pools that are in the cluster of the nodes', [ACCOUNT(autoscalerYaml(DISCOVERY)), granted('Role', 'machines')], false],
  ['pools by a kubeconfig', [ACCOUNT(autoscalerYaml(DISCOVERY, '--cloud-config=/etc/tenant/other')), granted('Role', 'machines')], false],
])('rights of an autoscaler: %s', (_, texts, isFound) => {
  expect(ids(...texts).includes('AUTOSCALER-RIGHTS')).toBe(isFound);
});
