import { ApiObject, App, Chart, JsonPatch, Testing, YamlOutputType } from 'cdk8s';
import { Cluster } from '../../../../imports/cluster.x-k8s.io';
import { Problems, strategyScope } from '../../../../src/constructs/app/problems/problems';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { FieldSources } from '../../../../src/constructs/app/synth/field-sources';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { Operator } from '../../../../src/constructs/operators/controller/operator';
import { GitOpsApp } from '../../../../src/constructs/repository/gitops-app';
import { ManifestSeverity } from '../../../../src/manifests/validation/reported-finding';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

/** A VolumeSnapshot whose class is a number; no rules but those of fields look at its kind. */
function brokenSnapshot(name = 'acme', annotations: Record<string, string> = {}) {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name, namespace: 'a', annotations },
    spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 5 },
  };
}

describe('check', () => {
  test('reports what is wrong where, and what to do', () => {
    const report = ManifestValidation.check([brokenSnapshot()]);
    const [finding, ...others] = report.refused;

    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'TC-ADMIT-FIELD-TYPE', severity: ManifestSeverity.ERROR, kind: 'VolumeSnapshot', namespace: 'a', name: 'acme', field: 'spec.volumeSnapshotClassName',
    });
    expect(report.warnings).toEqual([]);
    expect(`${report}`).toMatch(/^error TC-ADMIT-FIELD-TYPE VolumeSnapshot a\/acme spec\.volumeSnapshotClassName: 5 is .*\. Fix: .*\.\n$/);
  });

  test('is content with what a chart writes', () => {
    const chart = Testing.chart();
    new ApiObject(chart, 'ok', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    const report = ManifestValidation.check(Testing.synth(chart));

    expect(report.refused).toEqual([]);
    expect(`${report}`).toBe('');
    expect(report.objectCount).toBe(1);
  });

  test('takes silences of the run and of objects, and keeps what they silence', () => {
    const objects = [brokenSnapshot('a'), brokenSnapshot('b', { 'cdk8s-cluster-api/silence': 'TC-ADMIT-FIELD-TYPE: we test the server' })];

    expect(ManifestValidation.check(objects).refused.map(({ name }) => name)).toEqual(['a']);
    const report = ManifestValidation.check(objects, { silences: [{ rule: 'TC-ADMIT-FIELD-TYPE', reason: 'known' }] });
    expect(report.findings).toEqual([]);
    expect(report.silenced.map(({ name, silencedBecause }) => [name, silencedBecause])).toEqual([['a', 'known'], ['b', 'we test the server']]);
  });

  test('names kinds that it does not know, and refuses them in strict mode', () => {
    const widgets = ['a', 'b'].map((name) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } }));

    expect(ManifestValidation.check(widgets)).toMatchObject({ refused: [], unknownKinds: ['example.com/v1 Widget'] });
    expect(ManifestValidation.check(widgets, { strict: true }).refused.map(({ rule }) => rule)).toEqual(['TC-VALIDATE-KIND', 'TC-VALIDATE-KIND']);
  });

  test('looks into lists', () => {
    const { refused, objectCount } = ManifestValidation.check([{ apiVersion: 'v1', kind: 'List', items: [brokenSnapshot('a'), brokenSnapshot('b')] }]);
    expect(refused.map(({ name, field }) => [name, field])).toEqual([['a', 'spec.volumeSnapshotClassName'], ['b', 'spec.volumeSnapshotClassName']]);
    expect(objectCount).toBe(2);
  });

  test('survives whatever it is given', () => {
    expect(ManifestValidation.check([null, 1, 'a', [], {}, { kind: 1 }]).refused).toHaveLength(6);
  });
});

describe('checkChange', () => {
  const storageClass = (provisioner: string, annotations = {}) => ({
    apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast', annotations }, provisioner,
  });
  const rulesOf = (before: unknown[], after: unknown[]) => ManifestValidation.checkChange(before, after).findings.map(({ rule }) => rule);

  test('reports what a server would not change, and what is gone', () => {
    expect(ManifestValidation.checkChange([storageClass('a')], [storageClass('b')]).refused).toMatchObject([{
      rule: 'TC-CHANGE-STORAGE-CLASS', severity: ManifestSeverity.ERROR, kind: 'StorageClass', name: 'fast', field: 'provisioner', message: 'it was "a", and is "b" now',
    }]);
    expect(ManifestValidation.checkChange([storageClass('a')], []).refused).toMatchObject([{
      rule: 'TC-CHANGE-STORAGE-CLASS-REMOVED', severity: ManifestSeverity.TRAP, kind: 'StorageClass', name: 'fast', field: '',
    }]);
  });

  test('reports what is wrong with the objects of now, and nothing of those before', () => {
    expect(rulesOf([], [brokenSnapshot()])).toEqual(['TC-ADMIT-FIELD-TYPE']);
    expect(rulesOf([brokenSnapshot(), null], [])).toEqual([]);
    expect(ManifestValidation.checkChange([brokenSnapshot(), storageClass('a')], [storageClass('a')]).objectCount).toBe(1);
  });

  test('looks into lists', () => {
    const list = (...items: object[]) => [{ apiVersion: 'v1', kind: 'List', items }];
    expect(rulesOf(list(storageClass('a')), list(storageClass('b')))).toEqual(['TC-CHANGE-STORAGE-CLASS']);
  });

  test('takes silences', () => {
    const silences = [{ rule: 'TC-CHANGE-STORAGE-CLASS', reason: 'planned' }];
    const report = ManifestValidation.checkChange([storageClass('a')], [storageClass('b')], { silences });
    expect(report).toMatchObject({ findings: [], silenced: [{ silencedBecause: 'planned' }] });
    const annotated = storageClass('b', { 'cdk8s-cluster-api/silence': 'TC-CHANGE-STORAGE-CLASS: planned' });
    expect(rulesOf([storageClass('a')], [annotated])).toEqual([]);
    expect(ManifestValidation.check([annotated]).findings).toEqual([]);
  });
});

/** An app with a chart, and a snapshot in it that is wrong. */
function brokenApp(props = {}): { app: App; chart: Chart; object: ApiObject } {
  const app = Testing.app(props);
  const chart = new Chart(app, 'chart');
  return { app, chart, object: new ApiObject(chart, 'snapshot', brokenSnapshot()) };
}

/** A Flux object in the tenant that is wrong. */
function brokenRelease(chart: Chart): ApiObject {
  return new ApiObject(chart, 'broken', {
    apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata: { name: 'x', namespace: 'y' }, spec: { url: 'https://charts.example.com', interval: 'often' },
  });
}

describe('checkConstructs', () => {
  test('says which construct writes the object', () => {
    expect(ManifestValidation.checkConstructs(brokenApp().app).refused).toMatchObject([{ rule: 'TC-ADMIT-FIELD-TYPE', constructPath: 'chart/snapshot' }]);
  });

  test('looks at patched objects', () => {
    const { app, object } = brokenApp();
    object.addJsonPatch(JsonPatch.replace('/spec/volumeSnapshotClassName', 'fast'));
    expect(ManifestValidation.checkConstructs(app).refused).toEqual([]);
  });

  test('looks at what is delivered to tenants, however it gets there', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    brokenRelease(cluster.workloads);
    expect(ManifestValidation.checkConstructs(app).refused.map(({ constructPath, field }) => [constructPath, field]))
      .toContainEqual(['acme/workloads/broken', 'spec.interval']);
  });

  test('throws what synthesis would', () => {
    const app = Testing.app();
    exampleCluster(app, { kubernetesVersion: 'new' });
    expect(() => ManifestValidation.checkConstructs(app)).toThrow(/^Validation failed with the following errors:\n {2}\[acme\] TC-/);
  });
});

describe('attached validation', () => {
  test('is not there unless somebody asks for it', () => {
    expect(problemsOf(brokenApp().app)).toEqual([]);
  });

  test('refuses at synthesis, with the field and the construct', () => {
    const { app } = brokenApp();
    ManifestValidation.attach(app);
    expect(problemsOf(app)).toEqual([{ path: '', id: 'TC-ADMIT-FIELD-TYPE', text: expect.stringMatching(/^spec\.volumeSnapshotClassName of chart\/snapshot: 5 is /) }]);
  });

  test('reports under what it is attached to, and looks at nothing else', () => {
    const { app, chart } = brokenApp();
    new ApiObject(new Chart(app, 'other'), 'snapshot', brokenSnapshot('other'));
    ManifestValidation.attach(chart);
    expect(problemsOf(app).map(({ path, text }) => [path, text.split(':')[0]])).toEqual([['chart', 'spec.volumeSnapshotClassName of chart/snapshot']]);
  });

  test('looks into lists', () => {
    const { app, chart } = brokenApp();
    new ApiObject(chart, 'list', { apiVersion: 'v1', kind: 'List', items: [brokenSnapshot('b'), 'c'] } as never);
    ManifestValidation.attach(app);
    expect(problemsOf(app).map(({ text }) => text.split(':')[0]))
      .toEqual(['spec.volumeSnapshotClassName of chart/snapshot', 'spec.volumeSnapshotClassName of chart/list', 'chart/list']);
  });

  test('is as content as the objects are', () => {
    const { app, object } = brokenApp();
    ManifestValidation.attach(app);
    object.addJsonPatch(JsonPatch.remove('/spec/volumeSnapshotClassName'));
    expect(problemsOf(app)).toEqual([]);
  });

  test('sees objects that come later, those of deliveries among them, before the first file is written', () => {
    const app = Testing.app({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
    ManifestValidation.attach(app);
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    brokenRelease(cluster.workloads);
    expect(() => app.synth()).toThrow(/TC-ADMIT-FIELD-VALUE spec\.interval of acme\/workloads\/broken/);
  });

  test('and the files of a GitOpsApp come from one manifest of each object', () => {
    const app = new GitOpsApp({ outdir: Testing.app().outdir, quiet: true });
    const objects = Array.from({ length: 5 }, (_, index) => (
      new ApiObject(new Chart(app, `c${index}`), 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `n${index}` } })));
    const spies = objects.map((object) => jest.spyOn(object, 'toJson'));
    app.synth();
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1, 1]);
  });

  test('leaves it to constructs to report what they know themselves', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { kubernetesVersion: 'new' });
    new ApiObject(cluster, 'wrong', brokenSnapshot());
    ManifestValidation.attach(app);
    const problems = problemsOf(app);
    expect(problems).not.toEqual([]);
    expect(problems.filter(({ id }) => id.startsWith('TC-ADMIT'))).toEqual([]);
  });

  test('reports objects that cannot be written, with everything else', () => {
    const { app } = brokenApp();
    new ApiObject(new Chart(app, 'other'), 'map', { apiVersion: 'v1', kind: 'ConfigMap', data: new Map() } as never);
    ManifestValidation.attach(app);
    expect(problemsOf(app).map(({ id }) => id)).toEqual(['TC-OBJECT-VALUE', 'TC-ADMIT-FIELD-TYPE']);
  });

  test('takes silences, and only warns of what is only to be warned of', () => {
    const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
    const { app } = brokenApp();
    ManifestValidation.attach(app, { silences: [{ rule: 'TC-ADMIT-FIELD-TYPE', reason: 'known' }, { rule: 'TC-ADMIT-FIELD-VALUE', reason: 'old' }] });
    expect(problemsOf(app)).toEqual([]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/TC-SILENCE-UNUSED silences: TC-ADMIT-FIELD-VALUE is silenced/), { code: 'TC-SILENCE-UNUSED' }]]);
    warn.mockRestore();
  });

  describe('of a field whose property is recorded', () => {
    const RULE = { id: 'ACME-RULE', title: 'An example.' };

    function recorded(): { app: App; chart: Chart } {
      const { app, chart, object } = brokenApp();
      FieldSources.record(object, chart, { 'spec.volumeSnapshotClassName': 'storage.snapshotClass' });
      ManifestValidation.attach(app);
      return { app, chart };
    }

    test('reports the property of the construct', () => {
      expect(problemsOf(recorded().app)).toEqual([{ path: 'chart', id: 'TC-ADMIT-FIELD-TYPE', text: expect.stringMatching(/^storage\.snapshotClass: 5 is /) }]);
    });

    test('reports it again, and no more, in a second synthesis', () => {
      const { app } = recorded();
      const first = problemsOf(app);
      expect(problemsOf(app)).toEqual(first);
    });

    test.each(['storage', 'storage.snapshotClass', 'storage.snapshotClass.name'])('reports nothing that follows from %s, which is refused', (property) => {
      const { app, chart } = recorded();
      Problems.of(chart).add({ rule: RULE, property, message: 'wrong', fix: 'correct it' });
      expect(problemsOf(app).map(({ id }) => id)).toEqual(['ACME-RULE']);
    });

    test('reports it beside other refused properties', () => {
      const { app, chart } = recorded();
      Problems.of(chart).add({ rule: RULE, property: 'storageClass', message: 'wrong', fix: 'correct it' });
      expect(problemsOf(app).map(({ id }) => id)).toEqual(['ACME-RULE', 'TC-ADMIT-FIELD-TYPE']);
    });

    test('names a property of a strategy below the one that the strategy was given in', () => {
      const { app, chart, object } = brokenApp();
      FieldSources.record(object, strategyScope(chart, 'Strategy', 'storage'), { 'spec.volumeSnapshotClassName': 'snapshotClass' });
      ManifestValidation.attach(app);
      expect(problemsOf(app)).toMatchObject([{ path: 'chart', text: expect.stringMatching(/^storage\.snapshotClass: /) }]);
    });
  });

  test('looks at operators in what goes to a tenant, and names the property', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    new Operator(cluster.workloads, 'op', { image: 'registry.example.com/op:v1', namespace: 'op', permissions: [], replicas: -1 });
    expect(problemsOf(app)).toContainEqual({ path: '', id: 'TC-ADMIT-KUBERNETES-REPLICAS', text: expect.stringMatching(/^replicas of acme\/workloads\/op: /) });
  });

  test('reports numbers that no manifest can hold, with everything else', () => {
    const app = Testing.app();
    exampleCluster(app, { delivery: new FluxDelivery() });
    new ApiObject(new Chart(app, 'snapshots'), 'wrong', brokenSnapshot());
    new Cluster(new Chart(app, 'other'), 'cluster', { metadata: { name: 'b' }, spec: { clusterNetwork: { apiServerPort: NaN } } } as never);
    expect(problemsOf(app).map(({ id }) => id)).toEqual(expect.arrayContaining(['TC-OBJECT-VALUE', 'TC-ADMIT-FIELD-TYPE']));
  });

  test('is on in an App of cdk8s that holds a cluster, once for all of its charts, as are the checks of its constructs', () => {
    const app = Testing.app();
    for (const id of ['a', 'b', 'c']) exampleCluster(app, { namespace: `tenant-${id}`, delivery: new FluxDelivery() }, id);
    const check = jest.spyOn(ManifestValidator.prototype, 'validate');
    const own = jest.fn(() => []);
    Problems.of(app)._addCheck(own);
    app.synth();
    expect([check, own].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    app.synth();
    expect(own).toHaveBeenCalledTimes(2);
    check.mockRestore();
  });

  test('can be skipped, with a reason', () => {
    const [silent, reasoned] = ['', 'the objects are fragments'].map((reason) => {
      const app = Testing.app();
      const cluster = exampleCluster(app);
      cluster.cluster.addJsonPatch(JsonPatch.add('/spec/unknown', 1));
      ManifestValidation.skip(app, reason);
      return problemsOf(app).map(({ id }) => id);
    });
    expect(silent).toEqual(['TC-SILENCE-REASON']);
    expect(reasoned).toEqual([]);
  });
});
