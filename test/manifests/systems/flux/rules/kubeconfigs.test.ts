import { MISSING_DELIVERIES } from '../../../../../src/manifests/systems/flux/rules/missing-deliveries';
import { detailsIn } from '../../../rules/rules-under-test';

const CLUSTER = '---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: tenant-acme}\nspec: {}\n';
const secret = (name: string) => `---\napiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: tenant-acme}\nstringData: {value: a}\n`;

/** Field and message of what is found in a Kustomization with this reference. */
function found(secretRef: string, beside = CLUSTER, namespace = 'tenant-acme'): string[] {
  return detailsIn(MISSING_DELIVERIES, `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: ${namespace}}
spec: {interval: 10m, prune: true, path: ./web, sourceRef: {kind: GitRepository, name: fleet}, kubeConfig: {secretRef: ${secretRef}}}
${beside}`).map(({ id, path, message }) => `${id} ${path.slice(3).join('.')}: ${message}`);
}

const NO_KEY = 'TC-TRAP-REF-FLUX-KUBECONFIG key: Flux reads the key value or value.yaml, and a Secret that a hosted control plane makes has none of this name';

test.each<[secretRef: string, found: string[]]>([
  ['{name: acme-kubeconfig}', []],
  ['{name: acme-kubeconfig, key: value}', []],
  ['{name: acme-admin-kubeconfig, key: super-admin.svc}', []],
  ['{name: access-to-acme}', []],
  ['{name: acme-admin-kubeconfig}', [NO_KEY]],
  ['{name: acme-admin-kubeconfig, key: value}', [NO_KEY.replace('value or value.yaml', 'value')]],
  ['{name: acm-kubeconfig}', ['TC-TRAP-REF-FLUX-KUBECONFIG name: among the manifests that were read, there is no Cluster "acm" in the namespace "tenant-acme"']],
])('a kubeconfig from %s', (secretRef, expected) => {
  expect(found(secretRef)).toEqual(expected);
});

test('what is not among the manifests is not known', () => {
  expect(found('{name: acm-kubeconfig}', '')).toEqual([]);
  expect(found('{name: acm-kubeconfig}', CLUSTER, 'other')).toEqual([]);
  expect(found('{name: acm-kubeconfig}', CLUSTER + secret('acm-kubeconfig'))).toEqual([]);
  expect(found('{name: acme-admin-kubeconfig}', CLUSTER + secret('acme-admin-kubeconfig'))).toEqual([]);
});
