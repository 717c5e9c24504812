import { planText } from '../../../src/manifests/plan/plan-text';
import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects } from '../plan/foreign-objects';

const ACME = [CLUSTER, controlPlane(), newPool()];
const PROD = { clusterSelector: { matchLabels: { env: 'prod' } } };

function fleetObject(kind: string, spec: Fields, namespace = 'fleet-local'): Fields {
  return { apiVersion: 'fleet.cattle.io/v1alpha1', kind, metadata: { name: 'all', namespace }, spec };
}

const gitRepo = (spec: Fields = {}, namespace?: string) => (
  fleetObject('GitRepo', { repo: 'https://git.example.com/all.git', branch: 'main', paths: ['acme', 'net'], ...spec }, namespace));

const OPTIONS = { defaultNamespace: 'web', helm: { chart: 'web', repo: 'https://charts.example.com', version: '1.0.0', values: { size: 1 }, valuesFiles: ['more.yaml'] } };
const withHelm = (helm: Fields) => ({ ...OPTIONS, helm: { ...OPTIONS.helm, ...helm } });

/** A repository with a cluster, and options of a bundle. */
function files(repository: Fields | undefined, options: Fields = OPTIONS, more: ObjectFiles = {}): ObjectFiles {
  return { 'acme/acme.yaml': ACME, 'net/fleet.yaml': [options], 'net/more.yaml': [{ a: 1 }], ...repository && { 'repository.yaml': [repository] }, ...more };
}

function textOf(before: ObjectFiles, after: ObjectFiles): string {
  return planText(plannedObjects(before, after), { colors: false, objects: false });
}

test.each<[what: string, before: ObjectFiles, after: ObjectFiles, ...lines: string[]]>([
  ['a version of a chart', files(gitRepo()), files(gitRepo(), withHelm({ version: '1.1.0' })), 'addon all-net  upgraded: version 1.0.0 -> 1.1.0'],
  ['values', files(gitRepo()), files(gitRepo(), withHelm({ values: { size: 2 } })), 'addon all-net  upgraded: values.size 1 -> 2'],
  ['a file of values', files(gitRepo()), files(gitRepo(), OPTIONS, { 'net/more.yaml': [{ a: 2 }] }), 'addon all-net  upgraded: helm.valuesFiles["more.yaml"].a 1 -> 2'],
  ['a time limit', files(gitRepo()), files(gitRepo(), withHelm({ timeoutSeconds: 60 })), 'addon all-net  changed in place: spec.helm.timeoutSeconds 60 added'],
  ['a release name', files(gitRepo()), files(gitRepo(), withHelm({ releaseName: 'b' })), 'deleted: uninstalled after it is installed anew: release name b added'],
  ['a namespace', files(gitRepo()), files(gitRepo(), { ...OPTIONS, defaultNamespace: 'b' }), 'deleted: uninstalled after it is installed anew: namespace web -> b'],
  ['options for some clusters', files(gitRepo(), { ...OPTIONS, targetCustomizations: [{ name: 'a', helm: { values: { b: 1 } } }] }), files(gitRepo(), { ...OPTIONS, targetCustomizations: [{ name: 'a', helm: { values: { b: 2 } } }] }), 'upgraded: customization.a.helm.values.b 1 -> 2'],
  ['a bundle that is gone', files(gitRepo({ paths: ['*'] })), { 'acme/acme.yaml': ACME, 'repository.yaml': [gitRepo({ paths: ['*'] })] }, 'addon all-net  deleted: Bundle all-net'],
  ['a path that is gone', files(gitRepo()), files(gitRepo({ paths: ['net'] })), 'DESTROYS', 'default/acme: removed', 'GitRepo all applies it no longer'],
  ['a path that is gone, though it keeps', files(gitRepo({ keepResources: true })), files(gitRepo({ keepResources: true, paths: ['net'] })), 'SAFE', 'stays in the cluster: Cluster'],
  ['a path that is a pattern', files(gitRepo({ paths: ['*'] })), files(gitRepo({ paths: ['*'] }), withHelm({ version: '1.1.0' })), 'addon all-net  upgraded: version 1.0.0 -> 1.1.0'],
  ['a GitRepo that is removed', files(gitRepo()), files(undefined), 'DESTROYS', 'GitRepo all, which applied it, is removed', 'addon all-net  deleted: Bundle all-net'],
  ['a GitRepo that is removed, though it keeps', files(gitRepo({ keepResources: true })), files(undefined), 'SAFE', 'stays in the cluster: Cluster'],
  ['a paused one', files(gitRepo({ paused: true })), files(gitRepo({ paused: true }), OPTIONS, { 'acme/acme.yaml': [CLUSTER, controlPlane(), newPool({}, { replicas: 1 })] }), 'GitRepo all is suspended: it applies this once it is resumed'],
  ['another branch', files(gitRepo()), files(gitRepo({ branch: 'next' })), 'effect unknown: other content is applied, which is not read'],
  ['an interval', files(gitRepo()), files(gitRepo({ pollingInterval: '1m' })), 'SAFE', 'changed in place: spec.pollingInterval 1m added'],
  ['other targets', files(gitRepo({ targets: [PROD] }, 'default')), files(gitRepo({ targets: [{ clusterName: 'other' }] }, 'default')), 'effect unknown: it is for other clusters'],
  ['a chart of a HelmOp', { 'a.yaml': [fleetObject('HelmOp', OPTIONS)] }, { 'a.yaml': [fleetObject('HelmOp', withHelm({ version: '1.1.0' }))] }, 'addon all  upgraded: version 1.0.0 -> 1.1.0'],
  ['a HelmOp that is removed', { 'a.yaml': [fleetObject('HelmOp', OPTIONS)] }, { 'a.yaml': [] }, 'addon all  deleted: HelmOp all'],
  ['a HelmOp that is removed, though it keeps', { 'a.yaml': [fleetObject('HelmOp', { ...OPTIONS, keepResources: true })] }, { 'a.yaml': [] }, 'SAFE'],
])('Fleet: %s', (_, before, after, ...lines) => {
  for (const line of lines) expect(textOf(before, after)).toContain(line);
});

test('Fleet withdraws what it deployed from clusters that no target is for any more', () => {
  const cluster = { ...CLUSTER, metadata: { ...(CLUSTER as Fields).metadata as Fields, labels: { env: 'prod' } } };
  const all = (target: Fields): ObjectFiles => ({ 'acme.yaml': [cluster, ...ACME.slice(1)], 'op.yaml': [fleetObject('HelmOp', { ...OPTIONS, targets: [target] }, 'default')] });
  expect(textOf(all(PROD), all({ clusterName: 'other' }))).toContain('deleted: withdrawn from acme, which it is for no longer');
  expect(textOf(all({ clusterName: 'other' }), all(PROD))).toContain('upgraded: deployed in acme, which it is for from now on');
  expect(textOf(all(PROD), all({ clusterName: 'acme' }))).toContain('changed in place: other targets of the same clusters');
  expect(textOf(all(PROD), all({ clusterGroup: 'some' }))).toContain('effect unknown');
});

test('options of bundles that no GitRepo reads are not read', () => {
  expect(textOf(files(undefined), files(undefined, withHelm({ version: '1.1.0' })))).toContain('changed, not read: net/fleet.yaml: options of a bundle of Fleet: helm.version 1.0.0 -> 1.1.0');
  const elsewhere = gitRepo({ paths: [] });
  expect(textOf(files(elsewhere), files(elsewhere, withHelm({ version: '1.1.0' })))).toContain('changed, not read: net/fleet.yaml');
});
