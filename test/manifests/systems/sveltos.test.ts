import { CLUSTER, planned } from '../plan/texts-of-plans';

const SHOP = CLUSTER.replace('name: shop, namespace: team-shop}', 'name: shop, namespace: team-shop, labels: {env: prod}}');

function profile(spec: string, kind = 'ClusterProfile', namespace = ''): string {
  return `apiVersion: config.projectsveltos.io/v1beta1\nkind: ${kind}\nmetadata: {name: net${namespace}}\nspec: {${spec}}\n`;
}

const PROD = 'clusterSelector: {matchLabels: {env: prod}}';
const CHART = (version: string) => `helmCharts: [{repositoryURL: "https://charts.example.com", chartName: c/web, chartVersion: ${version}, releaseName: web, releaseNamespace: web}]`;
const POLICY = 'policyRefs: [{kind: ConfigMap, name: policies, namespace: sveltos}]';

// projectsveltos/addon-controller api/v1beta1/spec.go.
test.each([
  ['a version of a chart', `${PROD}, ${CHART('1.0.0')}`, `${PROD}, ${CHART('1.1.0')}`, 'upgraded: release web/web 1.0.0 -> 1.1.0 in shop'],
  ['a chart that is in it no longer', `${PROD}, ${CHART('1.0.0')}`, PROD, 'deleted: release web/web is withdrawn from shop'],
  ['content that is in it no longer', `${PROD}, ${POLICY}`, PROD, 'deleted: content of ConfigMap sveltos/policies is withdrawn from shop'],
  ['content that is in it no longer, though it leaves policies', `${PROD}, ${POLICY}, stopMatchingBehavior: LeavePolicies`, `${PROD}, stopMatchingBehavior: LeavePolicies`, 'deleted: content of ConfigMap sveltos/policies is withdrawn from shop'],
  ['clusters in which it leaves policies', `${PROD}, ${POLICY}, stopMatchingBehavior: LeavePolicies`, `clusterSelector: {matchLabels: {env: dev}}, ${POLICY}, stopMatchingBehavior: LeavePolicies`, 'changed in place: stays, without updates, in shop'],
  ['clusters that it selects no longer', `${PROD}, ${CHART('1.0.0')}`, `clusterSelector: {matchLabels: {env: dev}}, ${CHART('1.0.0')}`, 'deleted: withdrawn from shop, which it selects no longer: release web/web'],
  ['clusters that it selects from now on', `clusterSelector: {matchLabels: {env: dev}}, ${CHART('1.0.0')}`, `${PROD}, ${CHART('1.0.0')}`, 'upgraded: deployed in shop, which it selects from now on: release web/web'],
  ['a cluster that it names', CHART('1.0.0'), `clusterRefs: [{kind: Cluster, name: shop, namespace: team-shop}], ${CHART('1.0.0')}`, 'upgraded: deployed in shop'],
  ['a chart in a dry run', `${PROD}, syncMode: DryRun, ${CHART('1.0.0')}`, `${PROD}, syncMode: DryRun, ${CHART('1.1.0')}`, 'changed in place: a dry run, which deploys nothing'],
  ['a chart that is deployed once', `${PROD}, syncMode: OneTime, ${CHART('1.0.0')}`, `${PROD}, syncMode: OneTime, ${CHART('1.1.0')}`, 'affects only what is created later: what it deploys once changes'],
])('a profile with %s', (_, before, after, effect) => {
  expect(planned(`${SHOP}---\n${profile(before)}`, `${SHOP}---\n${profile(after)}`)).toContain(effect);
});

test('a profile of one namespace selects no cluster of another one', () => {
  const other = (version: string) => profile(`${PROD}, ${CHART(version)}`, 'Profile', ', namespace: team-other');
  expect(planned(`${SHOP}---\n${other('1.0.0')}`, `${SHOP}---\n${other('1.1.0')}`)).toContain('upgraded: release web/web 1.0.0 -> 1.1.0\n');
});

test('a label of a Cluster that a profile selects by', () => {
  const all = `${SHOP}---\n${profile(`${PROD}, ${CHART('1.0.0')}`)}`;
  expect(planned(all, all.replace('labels: {env: prod}', 'labels: {env: dev}'))).toContain('ClusterProfile net selects it no longer');
});

test('a label of a Cluster that a profile names beside the label', () => {
  const all = `${SHOP}---\n${profile(`${PROD}, clusterRefs: [{kind: Cluster, name: shop, namespace: team-shop}], ${CHART('1.0.0')}`)}`;
  expect(planned(all, all.replace('labels: {env: prod}', 'labels: {env: dev}'))).not.toContain('selects it');
});

test('content that a profile takes from another namespace', () => {
  const config = (value: string) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: policies, namespace: sveltos}\ndata: {a: ${value}}\n`;
  const all = `${SHOP}---\n${profile(`${PROD}, ${POLICY}`)}`;
  expect(planned(all + config('b'), all + config('c'))).toContain('values of ClusterProfile net');
});
