import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { ExampleAddon, exampleChart } from './example-addon';
import { RecordingDelivery } from './recording-delivery';
import { AddonSet } from '../../../src/constructs/addons/addon-set';
import { tenantChart } from '../../../src/constructs/addons/tenant-chart';
import { Problems } from '../../../src/constructs/app/problems/problems';
import { TypedApiObject } from '../../../src/constructs/app/synth/typed-api-object';
import { Addon, AddonConfig } from '../../../src/constructs/contracts/addon';
import { clusterContext } from '../../support/contexts';
import { problemsIn, ReportedProblem } from '../../support/problems';

function deliver(...addons: Addon[]): { delivery: RecordingDelivery; order: string[]; last: string[] } {
  const owner = new Chart(Testing.app(), 'acme');
  const delivery = new RecordingDelivery();
  const set = new AddonSet(owner, clusterContext(), { delivery, scope: owner });
  addons.forEach((addon) => set.add(addon));
  return { delivery, order: set.plan.deliveries.map(({ name }) => name), last: set.plan.last };
}

function problemsOf(...addons: Addon[]): ReportedProblem[] {
  return problemsIn((app) => {
    const scope = new Chart(app, 'acme');
    const set = new AddonSet(scope, clusterContext(), { scope });
    addons.forEach((addon) => set.add(addon));
  });
}

const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };

describe('deliveries', () => {
  test('an addon of one chart, of manifests, and of both', () => {
    const { delivery, last } = deliver(
      new ExampleAddon('chart', { charts: [exampleChart('chart')] }),
      new ExampleAddon('manifests', { configMaps: ['a'] }),
      new ExampleAddon('both', { configMaps: ['b'], charts: [exampleChart('both-crds'), exampleChart('both')] }),
      new ExampleAddon('nothing'),
    );

    expect(delivery.after).toEqual({
      'chart': [],
      'manifests': [],
      'both-manifests': [],
      'both-crds': ['both-manifests'],
      'both': ['both-crds'],
    });
    expect(last).toEqual(['both', 'chart', 'manifests']);
    expect(delivery.manifests.find(({ name }) => name === 'manifests')!.manifests.toJson()).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'a' } }]);
  });

  test('manifests after the charts that define their kinds, and others after these', () => {
    const classes = new ExampleAddon('classes', { provides: ['x'], configMaps: ['a'], charts: [exampleChart('classes')], chartsFirst: true });
    const { delivery, order, last } = deliver(classes, new ExampleAddon('user', { requires: ['x'], configMaps: ['b'] }));

    expect(order).toEqual(['classes', 'classes-manifests', 'user']);
    expect(delivery.after).toEqual({ 'classes': [], 'classes-manifests': ['classes'], 'user': ['classes-manifests'] });
    expect(last).toEqual(['user']);
  });

  test('a release of another name is told apart by the addon', () => {
    expect(deliver(new ExampleAddon('own', { charts: [exampleChart('theirs')] })).delivery.names).toEqual(['own-theirs']);
  });

  test('the first delivery of an addon comes after the last of those that it depends on, through those that deliver nothing', () => {
    const base = new ExampleAddon('base', { provides: ['x'], charts: [exampleChart('base-crds'), exampleChart('base')] });
    const empty = new ExampleAddon('empty', { requires: ['x'], provides: ['y'] });
    const { delivery, order, last } = deliver(new ExampleAddon('app', { requires: ['y'], charts: [exampleChart('app-crds'), exampleChart('app')] }), empty, base);

    expect(order).toEqual(['base-crds', 'base', 'app-crds', 'app']);
    expect(delivery.after).toEqual({ 'base-crds': [], 'base': ['base-crds'], 'app-crds': ['base'], 'app': ['app-crds'] });
    expect(last).toEqual(['app']);
  });

  test('namespaces that need labels come before the charts in them', () => {
    const { delivery } = deliver(
      new ExampleAddon('a', { charts: [exampleChart('a', { namespace: 'host', namespaceLabels: labels })] }),
      new ExampleAddon('b', { charts: [exampleChart('b', { namespace: 'host', namespaceLabels: { team: 'x' } })] }),
      new ExampleAddon('c', { charts: [exampleChart('c')] }),
    );

    expect(delivery.names).toEqual(['a', 'namespaces', 'b', 'c']);
    expect(delivery.after).toEqual({ namespaces: [], a: ['namespaces'], b: ['namespaces'], c: [] });
    expect(delivery.manifests[0].manifests.toJson()).toMatchObject([{
      kind: 'Namespace',
      metadata: { name: 'host', labels: { ...labels, team: 'x' }, annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
    }]);
  });

  test('an empty namespace gets no labels, and nothing waits for them', () => {
    const { delivery } = deliver(new ExampleAddon('a', { charts: [exampleChart('a', { namespace: '', namespaceLabels: labels })] }));

    expect(delivery.after).toEqual({ a: [] });
  });

  test('the context reaches the addon at once', () => {
    const bind = jest.fn().mockReturnValue({});
    const addon = new ExampleAddon('a');
    addon.bind = bind;
    const owner = new Chart(Testing.app(), 'acme');
    new AddonSet(owner, clusterContext(), { scope: owner }).add(addon);

    expect(bind).toHaveBeenCalledWith(expect.any(Chart), expect.objectContaining({ name: 'acme' }));
  });
});

describe('problems', () => {
  test('of the plan are reported under the construct that the user made', () => {
    expect(problemsOf(new ExampleAddon('a', { requires: ['x'] }))).toMatchObject([{ path: 'acme', id: 'TC-ADDON-REQUIREMENT' }]);
    expect(problemsOf(new ExampleAddon('a'))).toEqual([]);
  });

  test('of an addon are told with its name before the property, whoever wrote it', () => {
    const rule = { id: 'EX-TEST', title: 'A rule of a third party.' };
    class Strict extends ExampleAddon {
      public override bind(tenant: Chart): AddonConfig {
        Problems.of(tenant).add({ rule, property: 'size', message: 'it is 0', fix: 'raise it' });
        Problems.of(tenant).add({ rule, message: 'it is alone', fix: 'add another' });
        return {};
      }
    }
    expect(problemsOf(new Strict('theirs')).map(({ text }) => text)).toEqual(['theirs.size: it is 0. Fix: raise it.', 'theirs: it is alone. Fix: add another.']);
  });

  test('TC-ADDON-LATE: objects that come after bind, which nothing would deliver', () => {
    let tenant: Chart | undefined;
    class Late extends ExampleAddon {
      public override bind(chart: Chart): AddonConfig {
        tenant = chart;
        return {};
      }
    }
    const found = problemsIn((app) => {
      const scope = new Chart(app, 'acme');
      new AddonSet(scope, clusterContext(), { scope }).add(new Late('late'));
      new TypedApiObject(tenant!, 'a', { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name: 'a' } });
    });

    expect(found).toMatchObject([{ path: 'acme', id: 'TC-ADDON-LATE', text: expect.stringMatching(/^late: .*workloads\.$/) }]);
  });

  const chart = (name: string, ...release: Parameters<typeof exampleChart>): Addon => new ExampleAddon(name, { charts: [exampleChart(...release)] });

  test.each<[what: string, addons: Addon[], id: string, text: string]>([
    ['addons of one name, of which the second is not bound', [new ExampleAddon('a', { configMaps: ['x'] }), new ExampleAddon('a', { configMaps: ['y'] })],
      'TC-ADDON-NAME-TAKEN', 'two addons are called "a"'],
    ['deliveries of one name', [chart('a', 'a-b'), chart('a-b', 'a-b', { namespace: 'other' })],
      'TC-ADDON-NAME-TAKEN', 'two things that addons deliver are called "a-b"'],
    ['an addon with the name of the namespaces', [chart('namespaces', 'namespaces', { namespaceLabels: labels })], 'TC-ADDON-NAME-TAKEN', 'called "namespaces"'],
    ['releases of one name in one namespace', [chart('a', 'r'), chart('b', 'r')],
      'TC-ADDON-RELEASE-TAKEN', '"a-r" and "b-r" both install the Helm release "r" in namespace "example"'],
    ['labels of a namespace that contradict each other', [
      chart('a', 'a', { namespaceLabels: labels }), chart('b', 'b', { namespaceLabels: { 'pod-security.kubernetes.io/enforce': 'baseline' } }),
    ], 'TC-ADDON-NAMESPACE-LABELS', '"a" wants "privileged" on namespace "example", and "b" wants "baseline"'],
  ])('%s', (_, addons, id, text) => {
    expect(problemsOf(...addons)).toMatchObject([{ id, text: expect.stringContaining(text) }]);
  });
});

describe('the chart of a tenant', () => {
  test('is no part of the app, and passes its problems on to the owner once', () => {
    let app: App | undefined;
    const found = problemsIn((given) => {
      app = given;
      const chart = tenantChart(new Chart(given, 'acme'), 'x');
      new TypedApiObject(chart, 'a', { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name: 'a' } });
      Problems.of(chart).add({ rule: { id: 'TC-X', title: 'x' }, message: 'of the chart', fix: 'x' });
      const inner = new Construct(chart, 'inner');
      inner.node.addValidation({ validate: () => ['TC-Y of a construct in it'] });
    });

    expect(found).toEqual([
      { path: 'acme', id: 'TC-X', text: 'of the chart. Fix: x.' },
      { path: 'acme', id: 'TC-Y', text: 'of a construct in it (in x/inner)' },
    ]);
    expect(app!.node.findAll().map(({ node }) => node.path)).toEqual(['', 'acme']);
  });
});
