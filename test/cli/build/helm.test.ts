import * as path from 'node:path';
import { findProgram } from '../../../src/cli/build/programs';
import { Workplace } from '../run';

const REAL = findProgram('helm', process.env, []);
const describeReal = REAL === undefined ? describe.skip : describe;

const CHART = {
  'charts/cluster/Chart.yaml': 'apiVersion: v2\nname: cluster\nversion: 1.0.0\ndependencies: [{name: common, version: 1.0.0, repository: "file://../common"}]\n',
  'charts/cluster/values.yaml': 'replicas: 3\nversion: v1.34.1\n',
  'charts/cluster/templates/pool.yaml': `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: {{ .Release.Name }}-general
  namespace: {{ .Release.Namespace }}
spec:
  clusterName: {{ .Release.Name }}
  replicas: {{ .Values.replicas }}
  template: {spec: {clusterName: {{ .Release.Name }}, version: {{ include "common.version" . }}}}
`,
  'charts/common/Chart.yaml': 'apiVersion: v2\nname: common\nversion: 1.0.0\n',
  'charts/common/templates/_helpers.tpl': '{{ define "common.version" }}{{ .Values.version }}{{ end }}\n',
};

const RELEASE = (more: string) => `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme, namespace: tenant-acme}
spec:
  interval: 1h
  chart: {spec: {chart: ./charts/cluster, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
${more}`;

/** The chart with another version. */
const NEWER = { 'charts/cluster/Chart.yaml': CHART['charts/cluster/Chart.yaml'].replace('version: 1.0.0\n', 'version: 1.0.1\n') };
const OTHER_VALUES = { 'charts/cluster/values.yaml': 'replicas: 2\nversion: v1.34.1\n' };
const AT_REVISION = RELEASE('').replace('chart: ./charts/cluster,', 'chart: ./charts/cluster, reconcileStrategy: Revision,');

const PASSWORD = {
  'charts/cluster/templates/password.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: {{ randAlphaNum 16 | quote }}\n  b: |\n    {{ randAlphaNum 16 }}\n',
};

const APPLICATION = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  destination: {name: in-cluster, namespace: tenant-acme}
  source: {repoURL: https://example.com/x, path: charts/cluster, helm: {valueFiles: [../../values/acme.yaml], parameters: [{name: replicas, value: "5"}]}}
`;

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

async function plan(old: { readonly [name: string]: string }, now: { readonly [name: string]: string }, bin: string) {
  for (const [folder, files] of [['old', old], ['new', now]] as const) {
    workplace.write(Object.fromEntries(Object.entries({ ...CHART, ...files }).map(([name, content]) => [`${folder}/${name}`, content])));
  }
  return workplace.run(['plan', '--exit-code', 'old', 'new'], '', { PATH: bin });
}

test('without Helm, the files of a chart are not read, and a release with other values has an unknown effect', async () => {
  const changed = await plan({ 'apps/acme.yaml': RELEASE('') }, { 'apps/acme.yaml': RELEASE(''), 'charts/cluster/values.yaml': 'replicas: 1\n' }, '');
  expect(changed.out).toContain('\n  changed, not read: charts/cluster/values.yaml: values of a chart, read by HelmRelease acme, not built: helm is not installed: replicas, version v1.34.1 -> none\n');
  workplace.write({ 'new/charts/cluster/values.yaml': CHART['charts/cluster/values.yaml'] });
  const { code, out } = await plan({ 'apps/acme.yaml': RELEASE('') }, { 'apps/acme.yaml': RELEASE('  values: {replicas: 1}') }, '');
  expect([code, out]).toEqual([2, expect.stringContaining('\n  changed, not read: charts/cluster/Chart.yaml (HelmRelease acme): chart, read by HelmRelease acme, not built: helm is not installed\n')]);
  expect(out).toContain('1 effect unknown');
});

test.each<[what: string, more: string, reason: string]>([
  ['values of a Secret', '  valuesFrom: [{kind: Secret, name: x}]', 'its values of Secret x are not known'],
  ['values that are missing', '  valuesFrom: [{kind: ConfigMap, name: x}]', 'its values of ConfigMap x are not among the manifests'],
  ['post-renderers', '  postRenderers: [{kustomize: {}}]', 'its postRenderers are not run'],
])('a release with %s is not rendered', async (_, more, reason) => {
  expect((await plan({ 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE(more) }, '/nowhere')).out).toContain(`chart, read by HelmRelease acme, not built: ${reason}`);
});

describeReal(REAL === undefined ? 'skipped, since helm is not installed' : 'with helm', () => {
  test.each<[what: string, old: Record<string, string>, now: Record<string, string>, said: RegExp]>([
    ['values of a release', { 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE('  values: {replicas: 1}') }, /2 machines are deleted: replicas 3 -> 1/],
    ['values of a chart with another version', { 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE(''), ...NEWER, ...OTHER_VALUES }, /1 machine is deleted: replicas 3 -> 2/],
    ['values of a chart at each revision', { 'a.yaml': AT_REVISION }, { 'a.yaml': AT_REVISION, ...OTHER_VALUES }, /1 machine is deleted: replicas 3 -> 2/],
    ['values of a release, and not those of its chart', { 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE('  values: {replicas: 1}'), ...OTHER_VALUES, 'charts/common/templates/_helpers.tpl': '{{ define "common.version" }}v1.35.0{{ end }}\n' },
      /2 machines are deleted: replicas 3 -> 1/],
    ['values in a ConfigMap', ...[3, 2].map((count) => ({
      'a.yaml': RELEASE('  valuesFrom: [{kind: ConfigMap, name: x}]'), 'x.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: tenant-acme}\ndata: {values.yaml: "replicas: ${count}"}\n`,
    })) as unknown as [Record<string, string>, Record<string, string>], /1 machine is deleted: replicas 3 -> 2/],
    ['a chart that it depends on', { 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE(''), ...NEWER, 'charts/common/templates/_helpers.tpl': '{{ define "common.version" }}v1.35.0{{ end }}\n' },
      /3 machines are replaced.*version v1\.34\.1 -> v1\.35\.0/],
    ['a release that goes', { 'a.yaml': RELEASE('') }, { 'a.yaml': '' }, /3 machines are deleted/],
    ['a file of values of an Application', { 'a.yaml': APPLICATION, 'values/acme.yaml': 'version: v1.34.1' }, { 'a.yaml': APPLICATION, 'values/acme.yaml': 'version: v1.34.2' },
      /5 machines are replaced.*version v1\.34\.1 -> v1\.34\.2/],
    ['no password that is made at each rendering', { 'a.yaml': RELEASE(''), ...PASSWORD }, { 'a.yaml': RELEASE('  values: {replicas: 1}'), ...PASSWORD },
      /1 of 1 cluster differs \(1 changed\); 2 objects; .* 2 machines deleted\.\n/],
    ['nothing', { 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE(''), 'charts/common/Chart.yaml': 'apiVersion: v2\nname: common\nversion: 1.0.0\ndescription: Ours.\n' }, /^Nothing changes\.\n$/],
  ])('%s is what changes', async (_, old, now, said) => {
    const { out } = await plan(old, now, path.dirname(REAL!));
    expect(out).toMatch(said);
    expect(out).not.toContain('not read');
  });

  test('an error that a template makes of a password does not show it', async () => {
    const fails = { 'charts/cluster/templates/check.yaml': '{{ fail (printf "no user for %s" .Values.auth.password) }}' };
    const { out, err } = await plan({ 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE('  values: {auth: {password: hunter2}}'), ...NEWER, ...fails }, path.dirname(REAL!));
    expect(out).toMatch(/cannot be built .*no user for \(hidden\)/);
    expect(out + err).not.toContain('hunter2');
  });

  test('a release keeps its chart as long as the version of the chart is the same', async () => {
    const { code, out, err } = await plan({ 'a.yaml': RELEASE('') }, { 'a.yaml': RELEASE(''), ...OTHER_VALUES }, path.dirname(REAL!));
    const note = 'charts/cluster differs, and has the same version: HelmRelease acme keeps the chart that it has until the version in Chart.yaml changes';
    expect([code, out, err]).toEqual([0, 'Nothing changes.\n', `note: ${note}\n`]);
  });
});
