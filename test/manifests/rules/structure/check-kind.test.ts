import { checkKind, kindFindings } from '../../../../src/manifests/rules/structure/check-kind';

test.each([
  ['apps', 'Deployment'], ['', 'Pod'], ['', 'List'], ['apps', 'DeploymentList'], ['cluster.x-k8s.io', 'Cluster'], ['source.toolkit.fluxcd.io', 'Bucket'],
  ['infrastructure.cluster.x-k8s.io', 'AWSCluster'], ['infrastructure.cluster.x-k8s.io', 'KubemarkMachineTemplate'], ['bootstrap.cluster.x-k8s.io', 'RKE2ConfigTemplate'],
  ['infrastructure.cluster.x-k8s.io', 'DOCluster'], ['infrastructure.cluster.x-k8s.io', 'DOMachineTemplate'], ['infrastructure.cluster.x-k8s.io', 'VCluster'],
  ['infrastructure.cluster.x-k8s.io', 'MetalCluster'], ['infrastructure.cluster.x-k8s.io', 'MetalMachineTemplate'],
  ['argoproj.io', 'Rollout'], ['metallb.io', 'IPAddressPool'], ['example.com', 'Deployment'], ['example.com', 'Widget'], ['constructor', '__proto__'],
  ['x'.repeat(1e6), 'y'.repeat(1e6)],
])('says nothing of %.40s/%.40s', (group, kind) => {
  expect(checkKind(group, kind)).toBeUndefined();
});

test.each([
  ['cluster.x-k8s.io', 'Clutser', 'kind', 'did you mean "Cluster"?'],
  ['apps', 'Deploymnet', 'kind', 'did you mean "Deployment"?'],
  ['', 'Deployment', 'apiVersion', 'write apps/v1'],
  ['apps', 'Service', 'apiVersion', 'write v1'],
  ['', 'Cluster', 'apiVersion', 'write cluster.x-k8s.io/v1beta2'],
  ['policy', 'Eviction', 'kind', 'correct the kind, or the group in apiVersion'],
  ['helm.toolkit.fluxcd.io', 'HelmRelaese', 'kind', 'did you mean "HelmRelease"?'],
  ['infrastructure.cluster.x-k8s.io', 'KubevirtMachineTemplte', 'kind', 'did you mean "KubevirtMachineTemplate"?'],
  ['infrastructure.cluster.x-k8s.io', 'Metal3Machne', 'kind', 'did you mean "Metal3Machine"?'],
  ['infrastructure.cluster.x-k8s.io', 'OpenstackCluster', 'kind', 'did you mean "OpenStackCluster"?'],
  ['infrastructure.cluster.x-k8s.io', 'KubeadmConfigTemplate', 'apiVersion', 'did you mean bootstrap.cluster.x-k8s.io/v1beta2?'],
  ['clusters.x-k8s.io', 'Cluster', 'apiVersion', 'did you mean cluster.x-k8s.io/v1beta2?'],
  ['extensions', 'Ingress', 'apiVersion', 'write networking.k8s.io/v1, and the fields as that version has them'],
  ['policy', 'PodSecurityPolicy', 'kind', 'remove it, and label namespaces for Pod Security admission (pod-security.kubernetes.io/enforce)'],
])('refuses %s/%s', (group, kind, field, fix) => {
  expect(checkKind(group, kind)).toMatchObject({ path: [field], fix });
});

test('tells apart what is not there from what is not known', () => {
  expect(checkKind('apps', 'Xyz')?.message).toBe('there is no kind "Xyz" in apps that could be applied');
  expect(checkKind('infrastructure.cluster.x-k8s.io', 'VultrMachne')?.message).toBe('"VultrMachne" is not known in infrastructure.cluster.x-k8s.io');
});

test('is found where the object says it', () => {
  expect(kindFindings({ apiVersion: 'v1', kind: 'Deployment' }).map(({ rule, path }) => [rule.id, path])).toEqual([['TC-ADMIT-KIND', ['apiVersion']]]);
  expect(kindFindings({ apiVersion: 1, kind: ['Pod'] })).toEqual([]);
});
