import { CLUSTER, controlPlane, newPool } from './foreign-objects';
import { Workplace } from '../../cli/run';

let workplace: Workplace;

beforeEach(() => {
  workplace = new Workplace();
});

afterEach(() => workplace.remove());

/** Files with their texts. */
type Files = { readonly [file: string]: string };

const ACME = [CLUSTER, controlPlane(), newPool()].map((object) => JSON.stringify(object)).join('\n---\n');

function chart(version: string, { own = '0.1.0', repository = 'https://charts.example.com', more = '' } = {}): string {
  return `apiVersion: v2\nname: edge\nversion: ${own}\ndependencies:\n- {name: proxy, version: ${version}, repository: "${repository}"}\n${more}`;
}

const VALUES = (size: number, own = 1) => `proxy: {size: ${size}}\nown: ${own}\n`;
const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: edge, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://git.example.com/all.git", path: charts/edge, targetRevision: main, helm: {valueFiles: [values.yaml, prod.yaml]}}
  destination: {server: "https://kubernetes.default.svc", namespace: edge}
  syncPolicy: {automated: {}}
`;
const RELEASE = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: all, namespace: flux-system}
spec: {interval: 5m, url: "https://git.example.com/all.git"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: edge, namespace: flux-system}
spec: {interval: 5m, chart: {spec: {chart: charts/edge, sourceRef: {kind: GitRepository, name: all}}}}
`;

function files(more: Files = {}): Files {
  return {
    'acme.yaml': ACME, 'edge.yaml': APPLICATION, 'charts/edge/Chart.yaml': chart('1.0.0'), 'charts/edge/values.yaml': VALUES(1), 'charts/edge/prod.yaml': VALUES(1), ...more,
  };
}

async function planned(before: Files, after: Files): Promise<string> {
  for (const [folder, all] of [['old', before], ['new', after]] as const) {
    workplace.write(Object.fromEntries(Object.entries(all).map(([file, content]) => [`${folder}/${file}`, content])));
  }
  return (await workplace.run(['plan', '--no-build', 'old', 'new'])).out;
}

test.each<[what: string, before: Files, after: Files, effect: string]>([
  ['a version of another chart', {}, { 'charts/edge/Chart.yaml': chart('1.1.0') }, 'delivery edge  upgraded: chart proxy 1.0.0 -> 1.1.0\n'],
  [
    'a version, with the lock', { 'charts/edge/Chart.lock': 'a' }, { 'charts/edge/Chart.yaml': chart('1.1.0', { own: '0.2.0' }), 'charts/edge/Chart.lock': 'b' },
    'delivery edge  upgraded: version 0.1.0 -> 0.2.0, chart proxy 1.0.0 -> 1.1.0\n',
  ],
  ['a chart that is gone', { 'charts/edge/Chart.yaml': chart('1.0.0', { more: '- {name: dns, version: 2.0.0, repository: "oci://charts.example.com"}\n' }) }, {}, 'upgraded: chart dns 2.0.0 removed'],
  ['values', {}, { 'charts/edge/values.yaml': VALUES(2) }, 'delivery edge  upgraded: values proxy.size\n'],
  ['another file of values', {}, { 'charts/edge/prod.yaml': VALUES(2) }, 'delivery edge  upgraded: values proxy.size\n'],
  ['a chart of a HelmRelease', { 'edge.yaml': RELEASE }, { 'edge.yaml': RELEASE, 'charts/edge/Chart.yaml': chart('1.1.0', { own: '0.2.0' }) }, 'addon edge  upgraded: version 0.1.0 -> 0.2.0, chart proxy 1.0.0 -> 1.1.0\n'],
  [
    'a chart that Flux packs anew with its version only', { 'edge.yaml': RELEASE }, { 'edge.yaml': RELEASE, 'charts/edge/values.yaml': VALUES(2) },
    'affects only what is created later: it keeps the chart that it has until the version in Chart.yaml changes, values proxy.size',
  ],
])('a chart that installs others, with %s', async (_, before, after, effect) => {
  const out = await planned(files(before), files(after));
  expect(out).toContain(effect);
  expect(out).not.toContain('not read');
});

test.each<[what: string, before: Files, after: Files, line: string]>([
  ['values of its own', {}, { 'charts/edge/values.yaml': VALUES(1, 2) }, 'changed, not read: charts/edge/values.yaml: values of a chart, read by Application edge: own'],
  [
    'values that its templates read, too', { 'charts/edge/templates/a.yaml': 'a: {{ .Values.proxy.size }}' },
    { 'charts/edge/templates/a.yaml': 'a: {{ .Values.proxy.size }}', 'charts/edge/values.yaml': VALUES(2) }, 'changed, not read: charts/edge/values.yaml',
  ],
  ['a template', { 'charts/edge/templates/a.yaml': 'a: {{ .a }}' }, { 'charts/edge/templates/a.yaml': 'a: {{ .b }}' }, 'changed, not read: charts/edge/templates/a.yaml'],
  [
    'a chart of the repository', { 'charts/edge/Chart.yaml': chart('1.0.0', { repository: 'file://../proxy' }) },
    { 'charts/edge/Chart.yaml': chart('1.1.0', { repository: 'file://../proxy' }) }, 'changed, not read: charts/edge/Chart.yaml',
  ],
  ['a chart that nothing delivers', { 'edge.yaml': '' }, { 'edge.yaml': '', 'charts/edge/Chart.yaml': chart('1.1.0') }, 'changed, not read: charts/edge/Chart.yaml: chart: dependencies.proxy.version 1.0.0 -> 1.1.0'],
])('a chart is not read: %s', async (_, before, after, line) => {
  expect(await planned(files(before), files(after))).toContain(line);
});
