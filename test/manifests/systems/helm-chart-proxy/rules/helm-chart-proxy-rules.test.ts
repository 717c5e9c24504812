import { valuesTemplate } from '../../../../../src/constructs/deliveries/helm-chart-proxy/values-template';
import { ManifestIndex } from '../../../../../src/manifests/rules/manifest-index';
import { HELM_CHART_PROXY_MANIFEST_RULES } from '../../../../../src/manifests/systems/helm-chart-proxy/rules/helm-chart-proxy-rules';
import { findingsIn, testRules } from '../../../rules/rules-under-test';

testRules(HELM_CHART_PROXY_MANIFEST_RULES);

const RIGHT = { chartName: 'a', repoURL: 'https://charts.example.com', version: '1.0.0', clusterSelector: { matchLabels: { a: 'b' } } };

function found(spec: object): string[] {
  const object = { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: { name: 'a' }, spec: { ...RIGHT, ...spec } };
  return findingsIn(HELM_CHART_PROXY_MANIFEST_RULES, [object]).map((finding) => finding.split(':')[0]);
}

test.each(['https://charts.example.com', 'HTTPS://charts.example.com/a', 'https://charts.example.com:8443/a', 'oci://registry.example.com/charts'])('%s is a repository', (repoURL) => {
  expect(found({ repoURL })).toEqual([]);
});

test.each(['http://charts.example.com', 'OCI://registry.example.com', 'oci://', 'https:///charts', 'charts.example.com', './charts'])('%s is none', (repoURL) => {
  expect(found({ repoURL })).toEqual(['TC-ADMIT-HELMCHART-REPOSITORY spec.repoURL']);
});

test.each(['a: {{ .Cluster.metadata.name }}', 'a: {{ "}" }}', 'a: {{ "{{" }}', 'a: {{/* {{ }} */}}', 'a: {{- /* } */ -}}', 'a: {{ `}` }}', 'a: }}', 'a: {b: {c: d}}', ''])('%s is a template', (template) => {
  expect(found({ valuesTemplate: template })).toEqual([]);
});

test.each(['a: {{ .Cluster }', 'a: {{ "}}" }', 'a: {{/* }}', 'a: {{ .A }}\nb: {{ .B'])('%s is none', (template) => {
  expect(found({ valuesTemplate: template })).toEqual(['TC-TRAP-HELMCHART-TEMPLATE spec.valuesTemplate']);
});

test('the line of an action that is not closed is said', () => {
  const object = { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', spec: { ...RIGHT, valuesTemplate: 'a: {{ .A }}\nb: {{ .B' } };

  expect(HELM_CHART_PROXY_MANIFEST_RULES.flatMap((rule) => rule.check(object, new ManifestIndex([object])))[0].message).toContain('line 2');
});

test('values with braces, as the delivery writes them, are templates', () => {
  expect(found({ valuesTemplate: valuesTemplate({ a: '{{ .Values.b }', c: '{{', d: '{{{{ }}' }) })).toEqual([]);
});

test.each(['10m', '1h30m', '300ms', '0'])('%s is a timeout', (timeout) => {
  expect(found({ options: { timeout } })).toEqual([]);
});

test.each(['10', '1d', '10 m', 'soon'])('%s is none', (timeout) => {
  expect(found({ options: { timeout } })).toEqual(['TC-ADMIT-HELMCHART-TIMEOUT spec.options.timeout']);
});
