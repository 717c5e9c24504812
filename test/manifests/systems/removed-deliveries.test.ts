import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { ARGO_CD } from '../../../src/manifests/systems/argo-cd/provider';
import { FLUX } from '../../../src/manifests/systems/flux/provider';
import { findings, objectsIn } from '../rules/rules-under-test';

const CLUSTER = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: t}\nspec: {}\n';
const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: t}\n';
const kustomization = (spec = '', name = 'acme') => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, path: ./tenants/acme, prune: true, sourceRef: {kind: GitRepository, name: fleet}, ${spec}}
`;
const application = (metadata = 'finalizers: [resources-finalizer.argocd.argoproj.io]', name = 'acme', spec = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd, ${metadata}}
spec: {project: default, destination: {server: "https://kubernetes.default.svc"}, source: {repoURL: "https://git.example.com/fleet.git", path: tenants/acme}, ${spec}}
`;

/** The rules that the removal of the first object breaks. */
function removed(text: string, kept: readonly string[], now = kept): string[] {
  const [before, ...others] = objectsIn([text, ...kept].join('---\n'));
  const later = new ManifestIndex(now.length === 0 ? [] : objectsIn(now.join('---\n')));
  const old = new ManifestIndex([before, ...others]);
  return [...FLUX.changes ?? [], ...ARGO_CD.changes ?? []].filter(({ kinds }) => kinds.includes(`${String(before.apiVersion).split('/')[0]}/${String(before.kind)}`))
    .flatMap((rule) => rule.check({ before, old, now: later }).map(() => rule.id));
}

test.each([
  ['it prunes', kustomization(), ['TC-CHANGE-FLUX-REMOVED']],
  ['it deletes', kustomization('deletionPolicy: Delete').replace('prune: true', 'prune: false'), ['TC-CHANGE-FLUX-REMOVED']],
  ['it does not prune', kustomization().replace('prune: true', 'prune: false'), []],
  ['it leaves what it applied', kustomization('deletionPolicy: Orphan'), []],
  ['it is suspended', kustomization('suspend: true'), []],
  ['it is for another cluster', kustomization('kubeConfig: {secretRef: {name: a}}'), []],
  ['it deletes', application(), ['TC-CHANGE-ARGO-CD-REMOVED']],
  ['it has no finalizer', application(''), []],
  ['it is for another cluster', application().replace('server: "https://kubernetes.default.svc"', 'name: acme'), []],
])('A delivery that goes, and its manifests do not: %s', (_, text, expected) => {
  expect(removed(text, [CLUSTER, MAP])).toEqual(expected);
});

test('A delivery may go with its manifests, if it has no machines, or if another one has its folder.', () => {
  expect(removed(kustomization(), [CLUSTER, MAP], [CLUSTER])).toEqual([]);
  expect(removed(kustomization(), [MAP])).toEqual([]);
  expect(removed(kustomization(), [CLUSTER, kustomization('', 'all')])).toEqual([]);
  expect(removed(application(), [CLUSTER, MAP], [MAP])).toEqual([]);
  expect(removed(application(), [CLUSTER, application(undefined, 'all')])).toEqual([]);
});

const ids = (text: string) => findings(ARGO_CD.rules ?? [], text).map((line) => line.split(' ')[0]);

test.each([
  ['automated: {prune: true, allowEmpty: true}', ['TC-TRAP-ARGO-CD-ALLOW-EMPTY']],
  ['automated: {prune: true, allowEmpty: true, enabled: false}', []],
  ['automated: {allowEmpty: true}', []],
  ['syncOptions: [CreateNamespace=true, PrunePropagationPolicy=foreground, Prune=confirm]', []],
  ['syncOptions: ["CreateNamespace: true"]', ['TC-TRAP-ARGO-CD-SYNC-OPTION']],
  ['syncOptions: [ServerSideApply]', ['TC-TRAP-ARGO-CD-SYNC-OPTION']],
  ['syncOptions: [PruneLast=yes]', ['TC-TRAP-ARGO-CD-SYNC-OPTION']],
])('The policy %s', (policy, expected) => {
  expect(ids(application('', 'acme', `syncPolicy: {${policy}}`) + `---\n${CLUSTER}`)).toEqual(expected);
});

test.each([
  ['stringData: {name: a, server: "https://a", config: "{}"}', 0], ['data: {name: YQ==, server: YQ==, config: YQ==}', 0], ['', 0],
  ['stringData: {name: a, server: "https://a", config: "${CONFIG}"}', 0],
  ['stringData: {value: kubeconfig}', 2], ['stringData: {name: a, server: "https://a", config: "bearerToken: a"}', 1],
])('a Secret of a cluster: %s', (content, count) => {
  const secret = (type: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: argocd, labels: {argocd.argoproj.io/secret-type: ${type}}}\n${content}\n`;

  expect(ids(secret('cluster'))).toHaveLength(count);
  expect(ids(secret('repository'))).toEqual([]);
});
