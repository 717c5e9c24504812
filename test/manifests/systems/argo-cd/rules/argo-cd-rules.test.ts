import { ARGO_CD_MANIFEST_RULES } from '../../../../../src/manifests/systems/argo-cd/rules/argo-cd-rules';
import { findingsIn, testRules } from '../../../rules/rules-under-test';

testRules(ARGO_CD_MANIFEST_RULES);

function found(...sources: object[]): string[] {
  const spec = sources.length === 1 ? { source: sources[0] } : { sources };
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'a', namespace: 'argocd' }, spec };
  return findingsIn(ARGO_CD_MANIFEST_RULES, [object]).map((finding) => finding.split(':')[0]);
}

const stack = (helm?: object) => ({ repoURL: 'https://charts.example.com', chart: 'kube-prometheus-stack', targetRevision: '88.5.3', helm });
const grafana = (values: object) => stack({ valuesObject: { grafana: values } });

test.each<[string, object, string]>([
  ['no values', stack(), 'spec.source.helm.valuesObject.grafana.admin.existingSecret'],
  ['other values', grafana({ enabled: true }), 'spec.source.helm.valuesObject.grafana.admin.existingSecret'],
  ['Grafana alone', { ...stack(), chart: 'grafana' }, 'spec.source.helm.valuesObject.admin.existingSecret'],
])('a random password: %s', (_, source, path) => {
  expect(found(source)).toEqual([`TC-TRAP-ARGO-CD-GRAFANA-PASSWORD ${path}`]);
});

test('the source that is wrong is told from others', () => {
  expect(found({ ...stack(), chart: 'podinfo' }, stack())).toEqual(['TC-TRAP-ARGO-CD-GRAFANA-PASSWORD spec.sources.1.helm.valuesObject.grafana.admin.existingSecret']);
});

test.each<[string, object]>([
  ['from a Secret', grafana({ admin: { existingSecret: 'grafana' } })],
  ['from a file', grafana({ env: { GF_SECURITY_ADMIN_PASSWORD__FILE: '/etc/password' } })],
  ['no Grafana', grafana({ enabled: false })],
  ['values that are not in the object', stack({ valueFiles: ['$values/a.yaml'] })],
  ['values as text', stack({ values: 'grafana: {}' })],
  ['another chart', { ...stack(), chart: 'podinfo' }],
  ['a folder', { repoURL: 'https://git.example.com/a', path: 'grafana' }],
])('a password of its own: %s', (_, source) => {
  expect(found(source)).toEqual([]);
});

test.each<[string, object, string]>([
  ['in the values', grafana({ adminPassword: 'x' }), 'valuesObject.grafana.adminPassword'],
  ['in values as text', stack({ values: 'grafana: {adminPassword: x}' }), 'values'],
  ['in a parameter', stack({ parameters: [{ name: 'grafana.enabled', value: 'true' }, { name: 'grafana.adminPassword', value: 'x' }] }), 'parameters.1.adminPassword'],
])('a password that everybody can read: %s', (_, source, path) => {
  expect(found(source)).toEqual([`TC-TRAP-ARGO-CD-VALUES-SECRET spec.source.helm.${path}`]);
});

test.each([
  ['Application', { path: 'a' }, ['Replace=true'], true],
  ['Application', { path: 'a' }, ['Replace=false'], false],
  ['Application', { chart: 'a' }, ['Replace=true'], false],
  ['ApplicationSet', { path: 'a' }, ['Replace=true'], true],
  ['Application', [{ chart: 'a' }, { ref: 'values' }], ['Replace=true'], false],
  ['Application', [{ chart: 'a' }, { path: 'a' }], ['Replace=true'], true],
  ['ApplicationSet', [{ chart: 'a' }], ['Replace=true'], false],
  ['Application', { path: 'a', kustomize: { commonAnnotations: { 'argocd.argoproj.io/sync-options': 'Prune=false, Replace=true' } } }, [], true],
  ['Application', { path: 'a', kustomize: { commonAnnotations: { 'argocd.argoproj.io/sync-options': 'Force=true' } } }, [], true],
  ['Application', { path: 'a', kustomize: { commonAnnotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } } }, [], false],
])('an %s of %j with %j', (kind, source, syncOptions, isFound) => {
  const spec = { ...(Array.isArray(source) ? { sources: source } : { source }), syncPolicy: { syncOptions } };
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name: 'a', namespace: 'argocd' }, spec: kind === 'Application' ? spec : { template: { spec } } };

  expect(findingsIn(ARGO_CD_MANIFEST_RULES, [object]).map((line) => line.split(' ')[0])).toEqual(isFound ? ['TC-TRAP-ARGO-CD-REPLACE'] : []);
});

test.each([
  ['v1', 'PersistentVolumeClaim', 'Replace=true', true],
  ['cluster.x-k8s.io/v1beta2', 'MachineDeployment', 'Prune=confirm, Force=true', true],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'Replace=true', false],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'Force=true', true],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'Force=true,Replace=true', false],
  ['v1', 'Namespace', 'Force=true,Replace=true', false],
  ['batch/v1', 'Job', 'Force=true,Replace=true', false],
])('%s %s with %s', (apiVersion, kind, options, isFound) => {
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'a', annotations: { 'argocd.argoproj.io/sync-options': options } } };

  expect(findingsIn(ARGO_CD_MANIFEST_RULES, [object]).map((line) => line.split(' ')[0])).toEqual(isFound ? ['TC-TRAP-ARGO-CD-REPLACE-OBJECT'] : []);
});

test('Force of an Application does nothing, and is told', () => {
  const object = {
    apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'a', namespace: 'argocd' }, spec: { source: { path: 'a' }, syncPolicy: { syncOptions: ['Force=true'] } },
  };
  expect(findingsIn(ARGO_CD_MANIFEST_RULES, [object]).map((line) => line.split(' ')[0])).toEqual(['TC-TRAP-ARGO-CD-SYNC-OPTION']);
});

test.each<[what: string, goTemplate: boolean, spec: object, found: boolean]>([
  ['a parameter without a dot', true, { project: '{{name}}' }, true],
  ['a parameter with a dot', true, { project: '{{.name}}' }, false],
  ['a parameter without a dot in values', true, { source: { helm: { values: 'a: "{{name}}"' } } }, true],
  ['text with a template of another program', true, { source: { helm: { values: 'legend: "{{`{{pod}}`}}"' } } }, false],
  ['text in quotes with a template of another program', true, { source: { helm: { values: 'legend: {{ "{{pod}}" }}' } } }, false],
  ['a parameter with a dot', false, { project: '{{.name}}' }, true],
  ['a parameter with a dot in values, which have templates', false, { source: { helm: { values: '{{.name}}' } } }, false],
  ['a parameter with a dot in a patch, which may have templates', false, { source: { kustomize: { patches: [{ patch: '{{ .Labels.pod }}' }] } } }, false],
])('templates of an ApplicationSet: %s, goTemplate: %s', (_, goTemplate, spec, isFound) => {
  const template = { metadata: { name: 'a' }, spec };
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'a', namespace: 'argocd' }, spec: { goTemplate, template } };
  expect(findingsIn(ARGO_CD_MANIFEST_RULES, [object]).some((finding) => finding.startsWith('TC-TRAP-ARGO-CD-SET-TEMPLATE'))).toBe(isFound);
});
