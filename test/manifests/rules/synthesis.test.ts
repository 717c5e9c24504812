import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { ClusterResourceSetDelivery } from '../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { GitOpsApp, GitOpsAppProps } from '../../../src/constructs/repository/gitops-app';
import { exampleCluster } from '../../support/clusters';
import { problemsOf } from '../../support/problems';

const TYPE = 'TC-ADMIT-FIELD-TYPE';

const folders: string[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  folders.splice(0).forEach((folder) => fs.rmSync(folder, { recursive: true }));
});

/** An app as users have it, which writes to a folder of its own. */
function gitOpsApp(props: GitOpsAppProps = {}): GitOpsApp {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'synthesis-'));
  folders.push(outdir);
  return new GitOpsApp({ outdir, quiet: true, ...props });
}

/** A VolumeSnapshot whose class is a number; no rules but those of fields look at its kind. */
function brokenSnapshot(scope: Chart, name = 'acme', annotations: Record<string, string> = {}): ApiObject {
  return new ApiObject(scope, `snapshot-${name}`, brokenFields(name, annotations));
}

function brokenFields(name: string, annotations: Record<string, string> = {}) {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name, namespace: 'a', annotations },
    spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 5 },
  };
}

/** Warnings that synthesis prints, as `id: text`. */
function warningsOf(app: App): string[] {
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  expect(problemsOf(app)).toEqual([]);
  return warn.mock.calls.map(([text]) => `${String(text)}`);
}

test('a namespace of the system is reported once: refused for a tenant cluster, warned of for another Cluster', () => {
  const warned = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  const warnings = () => warned.mock.calls.filter((call) => JSON.stringify(call).includes('TC-TRAP-CLUSTER-NAMESPACE'));
  const tenant = gitOpsApp();
  exampleCluster(tenant, { namespace: 'kube-system' });

  expect(problemsOf(tenant).map(({ id }) => id)).toEqual(['TC-CLUSTER-SYSTEM-NAMESPACE']);
  expect(warnings()).toEqual([]);

  const other = gitOpsApp();
  new ApiObject(new Chart(other, 'other'), 'cluster', {
    apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace: 'kube-system' }, spec: { topology: { classRef: { name: 'small' }, version: 'v1.35.4' } },
  });
  problemsOf(other);
  expect(warnings()).toHaveLength(1);
});

describe('a GitOpsApp', () => {
  test('writes nothing as long as an object breaks a rule', () => {
    const app = gitOpsApp();
    brokenSnapshot(new Chart(app, 'chart'));
    expect(() => app.synth()).toThrow(/^  TC-ADMIT-FIELD-TYPE spec\.volumeSnapshotClassName of chart\/snapshot-acme: 5 is /m);
    expect(fs.readdirSync(app.outdir)).toEqual([]);
  });

  test('refuses what goes to tenants, however it gets there', () => {
    const app = gitOpsApp();
    brokenSnapshot(exampleCluster(app, { delivery: new ClusterResourceSetDelivery() }).workloads);
    // Once, and not once more in the ConfigMap that carries it.
    expect(problemsOf(app).map(({ id, text }) => [id, text.split(':')[0]])).toEqual([[TYPE, 'spec.volumeSnapshotClassName of acme/workloads/snapshot-acme']]);
  });

  test('takes silences with their reasons', () => {
    const app = gitOpsApp({ validation: ManifestValidation.of({ silences: [{ rule: TYPE, reason: 'we test the server' }] }) });
    brokenSnapshot(new Chart(app, 'chart'));
    expect(warningsOf(app)).toEqual([]);
  });

  test('can be strict', () => {
    const app = gitOpsApp({ validation: ManifestValidation.of({ strict: true }) });
    new ApiObject(new Chart(app, 'chart'), 'widget', { apiVersion: 'example.com/v1', kind: 'Widget' });
    expect(problemsOf(app).map(({ id }) => id)).toEqual(['TC-VALIDATE-KIND']);
  });

  test('is validated by nobody if that has a reason', () => {
    const app = gitOpsApp({ validation: ManifestValidation.none('a check in the pipeline does it') });
    brokenSnapshot(new Chart(app, 'chart'));
    expect(problemsOf(app)).toEqual([]);
  });

  test.each(['', '  '])('is not left alone for the reason "%s"', (reason) => {
    expect(problemsOf(gitOpsApp({ validation: ManifestValidation.none(reason) })).map(({ path: at, id, text }) => [at, id, text.split(':')[0]]))
      .toEqual([['', 'TC-SILENCE-REASON', 'validation']]);
  });

  test('is validated once, as it was said last', () => {
    const app = gitOpsApp();
    brokenSnapshot(new Chart(app, 'chart'));
    ManifestValidation.attach(app, { silences: [{ rule: TYPE, reason: 'we test the server' }] });
    expect(warningsOf(app)).toEqual([]);
  });

  test('only warns of what may come from somewhere else', () => {
    const app = gitOpsApp();
    const chart = new Chart(app, 'chart');
    const release = (name: string, spec: object) => new ApiObject(chart, name, {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name, namespace: 'flux-system' },
      spec: { interval: '10m', chartRef: { kind: 'OCIRepository', name: 'charts' }, ...spec },
    });
    release('first', {});
    release('second', { dependsOn: [{ name: 'of-another-app' }] });
    expect(warningsOf(app)).toEqual([expect.stringMatching(/^TC-TRAP-REF-FLUX .*of chart\/second: .*there is no HelmRelease "of-another-app"/)]);
    // Whoever looks at everything hears of it as what it is.
    expect(ManifestValidation.check(Testing.synth(chart)).refused.map(({ rule }) => rule)).toEqual(['TC-TRAP-REF-FLUX']);
  });
});

describe('manifests that objects carry as text', () => {
  const text = JSON.stringify(brokenFields('packed'));

  function carried(scope: App): void {
    const chart = new Chart(scope, 'chart', { namespace: 'a' });
    new ApiObject(chart, 'set', {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name: 's' },
      spec: { clusterSelector: { matchLabels: { a: 'b' } }, resources: [{ kind: 'ConfigMap', name: 'p' }] },
    });
    new ApiObject(chart, 'pack', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p' }, data: { 'm.yaml': text } });
  }

  test('are looked at, as the command line does', () => {
    const app = gitOpsApp();
    carried(app);
    expect(problemsOf(app).map(({ id, text: said }) => [id, said.split(': ')[0]]))
      .toEqual([[TYPE, 'spec.volumeSnapshotClassName of chart/pack (ConfigMap a/p, data "m.yaml")']]);
  });

  test('are silenced with the construct that carries them', () => {
    const app = gitOpsApp();
    carried(app);
    ManifestValidation.silence(app.node.findChild('chart'), [{ rule: TYPE, reason: 'we test the server' }]);
    expect(warningsOf(app)).toEqual([]);
  });
});

describe('a construct silences', () => {
  test('what is below it, and nothing else', () => {
    const app = gitOpsApp();
    const [one, other] = ['one', 'other'].map((id) => new Chart(app, id));
    brokenSnapshot(one, 'a');
    brokenSnapshot(other, 'b');
    ManifestValidation.silence(one, [{ rule: TYPE, reason: 'we test the server' }]);
    expect(problemsOf(app).map(({ text }) => text.split(':')[0])).toEqual(['spec.volumeSnapshotClassName of other/snapshot-b']);
  });

  test.each(['cluster', 'workloads'])('what goes to a tenant, said at its %s', (where) => {
    const app = gitOpsApp();
    const cluster = exampleCluster(app, { delivery: new ClusterResourceSetDelivery() });
    brokenSnapshot(cluster.workloads);
    ManifestValidation.silence(where === 'cluster' ? cluster : cluster.workloads, [{ rule: TYPE, reason: 'we test the server' }]);
    expect(warningsOf(app)).toEqual([]);
  });

  test('with the reason that stands nearest: of the object, of the innermost construct, of the app', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'chart');
    const inner = new Chart(chart, 'inner');
    brokenSnapshot(inner, 'a', { 'cdk8s-cluster-api/silence': `${TYPE}: mine` });
    brokenSnapshot(inner, 'b');
    brokenSnapshot(chart, 'c');
    brokenSnapshot(new Chart(app, 'other'), 'd');
    ManifestValidation.silence(chart, [{ rule: TYPE, reason: 'outer' }]);
    ManifestValidation.silence(inner, [{ rule: TYPE, reason: 'inner' }]);
    const { silenced, findings } = ManifestValidation.checkConstructs(app, { silences: [{ rule: TYPE, reason: 'all' }] });
    expect(findings).toEqual([]);
    expect(Object.fromEntries(silenced.map(({ name, silencedBecause }) => [name, silencedBecause]))).toEqual({ a: 'mine', b: 'inner', c: 'outer', d: 'all' });
  });

  test('and hears of what silences nothing, has no reason, or is no rule', () => {
    const app = gitOpsApp();
    const chart = new Chart(app, 'chart');
    ManifestValidation.silence(chart, [{ rule: TYPE, reason: 'we test the server' }]);
    expect(warningsOf(app)).toEqual([expect.stringContaining(`TC-SILENCE-UNUSED silences: ${TYPE} is silenced, and does not find anything in chart wrong`)]);

    brokenSnapshot(chart);
    ManifestValidation.silence(chart, [{ rule: TYPE, reason: '' }, { rule: 'TC-X', reason: 'x' }]);
    expect(problemsOf(app).map(({ id }) => id)).toEqual(['TC-SILENCE-REASON', 'TC-SILENCE-RULE']);
  });
});
