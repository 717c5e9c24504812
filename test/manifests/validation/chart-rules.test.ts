import { KUBEVIRT } from '../../../src/manifests/systems/kubevirt/provider';
import { providers } from '../../../src/manifests/systems/providers';
import { chartRule } from '../../../src/manifests/validation/chart-rules';
import { detailsIn, testRules } from '../rules/rules-under-test';

const RULES = providers().flatMap(({ chartRules = [] }) => chartRules.map(chartRule));
const MACHINES = '---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: kubevirt, namespace: kubevirt}\nspec: {}\n';

testRules(RULES);

test('charts of KubeVirt\'s management cluster have rules', () => {
  expect(KUBEVIRT.chartRules).toHaveLength(1);
});

function places(text: string, machines = MACHINES): string[] {
  return detailsIn(RULES, `${text}${machines}`).map(({ id, path }) => `${id.replace('TC-TRAP-KUBEVIRT-', '')} ${path.join('.')}`);
}

const release = (spec: string) => `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cilium, namespace: kube-system}\nspec:\n  interval: 1h\n${spec}`;
const CHART = '  chart: {spec: {chart: cilium, version: 1.20.0, sourceRef: {kind: HelmRepository, name: cilium}}}\n';
const REPLACES = '  values: {kubeProxyReplacement: true}\n';
const application = (helm: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: cilium, namespace: argocd}
spec:
  project: default
  destination: {server: 'https://kubernetes.default.svc', namespace: kube-system}
  source: {repoURL: 'https://helm.cilium.io', targetRevision: 1.20.0, ${more === '' ? 'chart: cilium' : more}, helm: ${helm}}
`;
const configMap = (name: string, more = '') => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: kube-system}
data: {kube-proxy-replacement: "true"${more}}
`;

test.each<[what: string, text: string, places: string[]]>([
  ['a release of Flux', release(CHART + REPLACES), ['CILIUM-SOCKETS spec.values']],
  ['a chart of another object', `${release(`  chartRef: {kind: OCIRepository, name: cilium}\n${REPLACES}`)}---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: cilium, namespace: kube-system}
spec: {interval: 1h, url: 'oci://quay.io/cilium/charts/cilium', ref: {tag: 1.20.0}, layerSelector: {mediaType: application/vnd.cncf.helm.chart.content.v1.tar+gzip}}
`, ['CILIUM-SOCKETS spec.values']],
  ['an Application of Argo CD', application('{valuesObject: {kubeProxyReplacement: true}}'), ['CILIUM-SOCKETS spec.source.helm.valuesObject']],
  ['a folder of Git', application('{valuesObject: {kubeProxyReplacement: true}}', 'path: charts/cilium'), ['CILIUM-SOCKETS spec.source.helm.valuesObject']],
  ['its configuration', configMap('cilium-config'), ['CILIUM-SOCKETS data']],

  ['a release that leaves sockets of pods alone', release(`${CHART}  values: {kubeProxyReplacement: true, socketLB: {hostNamespaceOnly: true}}\n`), []],
  ['an Application that leaves them alone', application('{valuesObject: {kubeProxyReplacement: true, socketLB: {hostNamespaceOnly: true}}}'), []],
  ['a configuration that leaves them alone', configMap('cilium-config', ', bpf-lb-sock-hostns-only: "true"'), []],
  ['a release beside kube-proxy', release(CHART), []],
  ['another chart', release(CHART.replace('chart: cilium', 'chart: calico') + REPLACES), []],
  ['another ConfigMap', configMap('other'), []],
  // Unknown settings.
  ['values from elsewhere', release(`${CHART}${REPLACES}  valuesFrom: [{kind: ConfigMap, name: more}]\n`), []],
  ['values as text beside fields', application('{valuesObject: {kubeProxyReplacement: true}, parameters: [{name: a, value: b}]}'), []],
  ['a release in a tenant', release(`${CHART}${REPLACES}  kubeConfig: {secretRef: {name: acme-kubeconfig}}\n`), []],
])('Cilium in place of kube-proxy where virtual machines run, by %s', (_what, text, expected) => {
  expect(places(text)).toEqual(expected);
  expect(places(text, '')).toEqual([]);
});
