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

/** A ConfigMap with manifests for tenants. */
function policies(...manifests: readonly string[]): string {
  return `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: policies, namespace: sveltos}\ndata:\n  all: |\n${
    manifests.join('---\n').replace(/^/gm, '    ')}\n`;
}

const WEB = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: web}
spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "${image}"}]}}}
`;
const DENY = 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: deny, namespace: web}\nspec: {podSelector: {}}\n';

test.each([
  ['values of a chart', CHART('1.0.0').replace('releaseName', 'valuesFrom: [{kind: ConfigMap, name: policies, namespace: sveltos}], releaseName')],
  ['manifests that are templates', POLICY],
])('content that a profile takes from another namespace: %s', (what, spec) => {
  const all = `${SHOP}---\n${profile(`${PROD}, ${spec}`)}`;
  const config = (value: string) => policies(WEB(value)).replace('sveltos}', `sveltos${what.includes('template') ? ', annotations: {projectsveltos.io/template: "ok"}' : ''}}`);
  expect(planned(all + config('web:1'), all + config('web:2'))).toContain('upgraded: values of ClusterProfile net');
});

// projectsveltos/addon-controller controllers/handlers_utils.go (collectContent, undeployStaleResources).
test.each([
  ['an image', POLICY, policies(WEB('web:1')), policies(WEB('web:2')), 'pods are replaced: container.web.image web:1 -> web:2'],
  ['an image, once', `${POLICY}, syncMode: OneTime`, policies(WEB('web:1')), policies(WEB('web:2')), 'affects only what is created later: ClusterProfile net applies it once'],
  ['an object that is gone', POLICY, policies(WEB('web:1'), DENY), policies(WEB('web:1')), 'workloads  deleted: NetworkPolicy deny'],
  ['an object that is gone, once', `${POLICY}, syncMode: OneTime`, policies(WEB('web:1'), DENY), policies(WEB('web:1')), 'stays in the cluster: NetworkPolicy deny'],
  ['an object that is gone, though it leaves policies', `${POLICY}, stopMatchingBehavior: LeavePolicies`, policies(WEB('web:1'), DENY), policies(WEB('web:1')), 'workloads  deleted: NetworkPolicy deny'],
])('manifests that a profile delivers, with %s', (_, spec, before, after, effect) => {
  const all = `${SHOP}---\n${profile(`${PROD}, ${spec}`)}`;
  expect(planned(all + before, all + after)).toContain(effect);
});

test.each([
  ['of the namespace of each cluster', POLICY.replace(', namespace: sveltos', ''), 'upgraded: values of ClusterProfile net'],
  ['whose name is a template', POLICY.replace('policies', '"{{ .Cluster.metadata.name }}cies"'), 'changed in place: data.all'],
  ['whose name is a template that may give this one', POLICY.replace('policies', '"po{{ .Cluster.metadata.name }}"'), 'upgraded: values of ClusterProfile net'],
  ['in a dry run', `${POLICY}, syncMode: DryRun`, 'changed in place: data.all'],
])('content %s', (what, spec, effect) => {
  const all = `${SHOP}---\n${profile(`${PROD}, ${spec}`)}`;
  const name = what === 'whose name is a template' ? 'other' : 'policies';
  const [before, after] = ['web:1', 'web:2'].map((image) => policies(WEB(image)).replace('name: policies', `name: ${name}`));
  expect(planned(all + before, all + after)).toContain(effect);
});

test.each([
  ['', 'deleted: Deployment web'],
  [', stopMatchingBehavior: LeavePolicies', 'stays in the cluster: Deployment web'],
])('a profile that is removed with%s manifests', (mode, effect) => {
  const all = `${SHOP}${policies(WEB('web:1'))}`;
  expect(planned(`${all}---\n${profile(`${PROD}, ${POLICY}${mode}`)}`, all)).toContain(effect);
});

test('manifests for a cluster that a profile names', () => {
  const all = `${SHOP}---\n${profile(`clusterRefs: [{kind: Cluster, name: shop, namespace: team-shop}], ${POLICY}`)}`;
  expect(planned(all + policies(WEB('web:1')), all + policies(WEB('web:2')))).toMatch(/team-shop\/shop: changed\n.*pods are replaced/);
});

test('manifests for the management cluster are none of a tenant', () => {
  const all = `${SHOP}---\n${profile(`${PROD}, ${POLICY.replace('}', ', deploymentType: Local}')}`)}`;
  expect(planned(all + policies(WEB('web:1')), all + policies(WEB('web:2')))).not.toContain('workloads');
});

test.each([
  ['', 'deleted: ClusterProfile net is withdrawn from shop: release web/web'],
  [', maxReplicas: 1', 'effect unknown: profiles come to other clusters: net'],
])('a set that selects other clusters%s', (more, effect) => {
  const set = (env: string) => `---\napiVersion: lib.projectsveltos.io/v1beta1\nkind: ClusterSet\nmetadata: {name: all}\nspec: {clusterSelector: {matchLabels: {env: ${env}}}${more}}\n`;
  const all = `${SHOP}---\n${profile(`setRefs: [all], ${CHART('1.0.0')}`)}`;
  expect(planned(all + set('prod'), all + set('dev'))).toContain(effect);
});
