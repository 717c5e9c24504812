import { changes } from '../rules/changes/changes';

function provider(kind: string, name: string, version: string): string {
  return `apiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${name}-system}\nspec: {version: ${version}}\n`;
}

function cdi(version: string): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [https://github.com/kubevirt/containerized-data-importer/releases/download/${version}/cdi-operator.yaml]\n`;
}

function workload(kind: string, name: string, image: string): string {
  return `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${name}}\nspec: {selector: {}, template: {spec: {containers: [{name: ${name}, image: "${image}"}]}}}\n`;
}

function chart(version: string, target = ''): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager, namespace: flux-system}
spec:
  interval: 10m
  releaseName: cert-manager
  chart: {spec: {chart: cert-manager, version: ${version}, sourceRef: {kind: HelmRepository, name: jetstack}}}
  install: {strategy: {name: RetryOnFailure, retryInterval: 30s}}
${target}`;
}

function application(version: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: cert-manager, namespace: argocd}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: cert-manager}
  source: {repoURL: https://charts.jetstack.io, chart: cert-manager, targetRevision: ${version}}
`;
}

const CORE = (version: string) => provider('CoreProvider', 'cluster-api', version);
const VIRT = (version: string) => workload('Deployment', 'virt-operator', `quay.io/kubevirt/virt-operator:${version}`);
const ETCD = (version: string) => workload('StatefulSet', 'etcd', `quay.io/coreos/etcd:${version}`);

test.each<[what: string, before: string, after: string, rules: readonly string[]]>([
  ['Cluster API goes up by three minors', CORE('v1.11.5'), CORE('v1.14.2'), []],
  ['Cluster API goes up by four', CORE('v1.10.4'), CORE('v1.14.2'), ['TC-CHANGE-CLUSTER-API-RELEASE']],
  ['a provider of kubeadm goes back', provider('BootstrapProvider', 'kubeadm', 'v1.14.2'), provider('BootstrapProvider', 'kubeadm', 'v1.13.1'), ['TC-CHANGE-CLUSTER-API-RELEASE']],
  ['a patch of Cluster API goes back', CORE('v1.14.2'), CORE('v1.14.1'), []],
  ['another provider goes back', provider('InfrastructureProvider', 'hetzner', 'v1.1.0'), provider('InfrastructureProvider', 'hetzner', 'v1.0.0'), ['TC-CHANGE-OPERATOR-LOWERED']],
  ['the file of KubeVirt skips a minor', VIRT('v1.7.0'), VIRT('v1.9.0'), ['TC-CHANGE-KUBEVIRT-RELEASE']],
  ['KubeVirt goes up by one', VIRT('v1.8.1'), VIRT('v1.9.0'), []],
  ['a patch of CDI goes back', cdi('v1.66.1'), cdi('v1.66.0'), ['TC-CHANGE-CDI-RELEASE']],
  ['an address of a release becomes a file', cdi('v1.66.0'), workload('Deployment', 'cdi-operator', 'quay.io/kubevirt/cdi-operator:v1.65.0'), ['TC-CHANGE-CDI-RELEASE']],
  ['etcd skips a minor', ETCD('v3.5.26'), ETCD('v3.7.0'), ['TC-CHANGE-ETCD-RELEASE']],
  ['etcd goes back', ETCD('v3.6.12'), ETCD('v3.5.26'), ['TC-CHANGE-ETCD-RELEASE']],
  ['cert-manager skips a minor', chart('v1.18.2'), chart('v1.20.0'), ['TC-CHANGE-CERT-MANAGER-RELEASE']],
  ['cert-manager of Argo CD skips a minor', application('v1.18.2'), application('v1.20.0'), ['TC-CHANGE-CERT-MANAGER-RELEASE']],
  [
    'cert-manager of a tenant', chart('v1.18.2', '  kubeConfig: {secretRef: {name: acme-kubeconfig}}\n'), chart('v1.20.0', '  kubeConfig: {secretRef: {name: acme-kubeconfig}}\n'), [],
  ],
  ['what cannot be compared', VIRT('main'), VIRT('v1.9.0'), []],
  ['two components at a time', `${CORE('v1.14.1')}---\n${VIRT('v1.8.1')}`, `${CORE('v1.14.2')}---\n${VIRT('v1.9.0')}`, ['TC-CHANGE-COMPONENTS']],
  ['a new component', CORE('v1.14.2'), `${CORE('v1.14.2')}---\n${VIRT('v1.9.0')}`, []],
])('%s', (_, before, after, rules) => {
  expect(changes(before, after).map(({ rule }) => rule.id)).toEqual(rules);
});

test('one finding tells of all components that change', () => {
  const [finding] = changes(`${CORE('v1.14.1')}---\n${VIRT('v1.8.1')}`, `${CORE('v1.14.2')}---\n${VIRT('v1.9.0')}`);

  expect(finding.message).toBe('Cluster API v1.14.1 -> v1.14.2, and in the same change KubeVirt v1.8.1 -> v1.9.0');
});
