import { documents } from '../../../src/manifests/rules/example-text';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { CLOUD_PROVIDER_CHANGES, CLOUD_PROVIDER_RULES } from '../../../src/manifests/validation/cloud-provider-rules';
import { detailsIn, objectsIn, testRules } from '../rules/rules-under-test';

testRules(CLOUD_PROVIDER_RULES);

const [{ example }] = CLOUD_PROVIDER_RULES;
const found = (more = '', text = example.failing) => detailsIn(CLOUD_PROVIDER_RULES, more === '' ? text : documents(text, more)).map(({ id }) => id);
const IS_FOUND = ['TC-TRAP-CLOUD-CONTROLLER-MISSING'];
const release = (chart: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme-other, namespace: tenant-acme}
spec:
  interval: 1h
  chart: {spec: {chart: ${chart}, version: 1.0.0, sourceRef: {kind: HelmRepository, name: other}}}
  kubeConfig: {secretRef: {name: acme-admin-kubeconfig}}
`;

test.each<[what: string, more: string, isFound: boolean]>([
  ['a chart that is known', release('coredns'), true],
  ['its chart', release('hcloud-cloud-controller-manager'), false],
  ['a chart that is not known', release('platform'), false],
  ['a folder that is not read', `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: acme-addons, namespace: tenant-acme}
spec: {interval: 1h, prune: true, path: ./addons, sourceRef: {kind: GitRepository, name: a}, kubeConfig: {secretRef: {name: acme-admin-kubeconfig}}}
`, false],
  ['one beside the control plane', `apiVersion: apps/v1
kind: Deployment
metadata: {name: acme-ccm, namespace: tenant-acme}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: "quay.io/acme/acme-cloud-controller-manager:v1"}]}}}
`, false],
])('beside the pod network, there is %s', (_, more, isFound) => {
  expect(found(more)).toEqual(isFound ? IS_FOUND : []);
});

test('without a delivery to the cluster, nothing is known', () => {
  expect(found('', example.failing.replaceAll('HelmRelease', 'HelmReleas'))).toEqual([]);
  expect(found('', example.failing.replace('joinConfiguration:', 'preKubeadmCommands: [kubectl apply -f ccm.yaml]\n      joinConfiguration:'))).toEqual([]);
});

test.each<[what: string, text: string, isFound: boolean]>([
  ['neither waits nor knows its identifier', CLOUD_PROVIDER_RULES[1].example.failing, true],
  ['knows its identifier', CLOUD_PROVIDER_RULES[1].example.failing.replace('preKubeadmCommands: ["true"]', 'joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: provider-id, value: "acme://1"}]}}'), false],
  ['is of another cluster', CLOUD_PROVIDER_RULES[1].example.failing.replace('clusterName: acme\n  replicas', 'clusterName: beta\n  replicas'), false],
])('beside a cloud controller manager, a kubelet that %s', (_, text, isFound) => {
  expect(detailsIn(CLOUD_PROVIDER_RULES, text).map(({ id }) => id)).toEqual(isFound ? ['TC-TRAP-CLOUD-CONTROLLER-IDLE'] : []);
});

describe('a cloud controller manager whose chart is not delivered any more', () => {
  const [{ example: { before, failing } }] = CLOUD_PROVIDER_CHANGES;
  const IS_GONE = ['TC-CHANGE-CLOUD-CONTROLLER-CHART'];
  const gone = (now: string): string[] => {
    const [old, after] = [before, now].map(objectsIn);
    const index = { old: new ManifestIndex(old), now: new ManifestIndex(after) };
    const removed = old.filter((object) => !after.some((other) => JSON.stringify(other.metadata) === JSON.stringify(object.metadata)));
    return removed.flatMap((object) => CLOUD_PROVIDER_CHANGES.flatMap((rule) => rule.check({ before: object, ...index }).map(() => rule.id)));
  };

  test.each<[what: string, now: string, isFound: boolean]>([
    ['leaves nodes that wait', failing, true],
    ['is replaced by another chart', documents(failing, release('hcloud-cloud-controller-manager')), false],
    ['is replaced by a folder of that name', documents(failing, `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: acme-cloud-controller, namespace: tenant-acme}
spec: {interval: 1h, prune: true, path: ./ccm, sourceRef: {kind: GitRepository, name: a}, kubeConfig: {secretRef: {name: acme-admin-kubeconfig}}}
`), false],
    ['leaves nodes that do not wait', failing.replace('{name: cloud-provider, value: external}', '{name: v, value: "2"}'), false],
  ])('%s', (_, now, isFound) => {
    expect(gone(now)).toEqual(isFound ? IS_GONE : []);
  });
});
