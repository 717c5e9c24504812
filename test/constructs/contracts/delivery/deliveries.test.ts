import { Chart, Testing } from 'cdk8s';
import { CERT_MANAGER, configMap, deliver, GATEWAY, Goods, tenantChart, Written } from './delivered';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { ClusterDeliveries } from '../../../../src/constructs/contracts/delivery/cluster-deliveries';
import { Delivery } from '../../../../src/constructs/contracts/delivery/delivery';
import { ArgoCdDelivery } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ClusterResourceSetDelivery } from '../../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { clusterContext } from '../../../support/contexts';

const DELIVERIES: [string, Delivery][] = [
  ['Flux', new FluxDelivery()],
  ['Flux and a source', new FluxDelivery({ manifestSource: { name: 'fleet' } })],
  ['the provider for Helm', new HelmChartProxyDelivery()],
  ['Argo CD', new ArgoCdDelivery()],
  ['Argo CD and a repository', new ArgoCdDelivery({ manifestSource: { repoUrl: 'https://git.example.com/fleet', targetRevision: 'main' } })],
];

function goods(context: Goods['context'] = {}): Goods {
  return { charts: { a: {}, b: { chart: 'trust-manager' }, c: GATEWAY }, manifests: { d: tenantChart('x') }, after: { b: ['a'], d: ['b'] }, context };
}

function identities(objects: Written[]): string[] {
  return objects.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.namespace}/${metadata.name}`);
}

test.each(DELIVERIES)('equal clusters in two namespaces do not collide, with %s', (_name, delivery) => {
  const app = Testing.app();
  const one = deliver(app, delivery, goods({ namespace: 'tenant-a' }), 'one').toJson();
  const two = deliver(app, delivery, goods({ namespace: 'tenant-b' }), 'two').toJson();
  const all = identities([...one, ...two]);
  expect(new Set(all).size).toBe(all.length);
  expect(one.length).toBe(two.length);
});

test.each(DELIVERIES)('clusters of one namespace do not collide, with %s', (_name, delivery) => {
  const app = Testing.app();
  const all = identities(['a', 'b'].flatMap((name) => deliver(app, delivery, goods({ name }), name).toJson()));
  expect(new Set(all).size).toBe(all.length);
});

test('clusters in one chart have sources of their own', () => {
  const chart = new Chart(Testing.app(), 'both', { namespace: 'tenant-acme' });
  for (const name of ['a', 'b']) {
    new FluxDelivery().deliverChart(strategyScope(chart, name), { name: 'x', chart: CERT_MANAGER, after: { names: [] } }, clusterContext({ name }));
  }
  expect(identities(chart.toJson())).toEqual([
    expect.stringMatching(/^helm.* HelmRelease tenant-acme\/a-x$/), expect.stringMatching(/^helm.* HelmRelease tenant-acme\/b-x$/),
    expect.stringMatching(/^source.* HelmRepository tenant-acme\/a-charts-jetstack-io-/), expect.stringMatching(/^source.* HelmRepository tenant-acme\/b-charts-jetstack-io-/),
  ]);
});

test.each(DELIVERIES)('the same input gives the same output, twice and in whichever order, with %s', (_name, delivery) => {
  const cluster = deliver(Testing.app(), delivery, goods());
  const first = JSON.stringify(cluster.toJson());
  expect(JSON.stringify(cluster.toJson())).toBe(first);
  const { charts, ...rest } = goods();
  const reversed = deliver(Testing.app(), delivery, { ...rest, charts: Object.fromEntries(Object.entries(charts!).reverse()) }).toJson();
  const sorted = (objects: Written[]) => objects.map((object) => JSON.stringify(object)).sort();
  expect(sorted(reversed)).toEqual(sorted(JSON.parse(first)));
});

test.each(DELIVERIES)('objects of the tenant are not among those of the management cluster, with %s', (_name, delivery) => {
  const app = Testing.app();
  deliver(app, delivery, goods());
  const objects = app.charts.flatMap((chart) => chart.toJson() as Written[]);
  expect(objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'x')).toEqual([]);
});

test.each([...DELIVERIES, ['a ClusterResourceSet', new ClusterResourceSetDelivery()] as [string, Delivery]])('what goes to the tenant is the same, with %s', (_name, delivery) => {
  const manifests = tenantChart('x');
  const before = JSON.stringify(manifests.toJson());
  deliver(Testing.app(), delivery, { manifests: { d: manifests } }).toJson();
  expect(JSON.stringify(manifests.toJson())).toBe(before);
});

test('an instance keeps nothing of a cluster', () => {
  const delivery = new FluxDelivery();
  const alone = deliver(Testing.app(), new FluxDelivery(), goods({ name: 'b' })).toJson();
  deliver(Testing.app(), delivery, goods({ name: 'a' })).toJson();
  expect(deliver(Testing.app(), delivery, goods({ name: 'b' })).toJson()).toEqual(alone);
});

test('a file per chart, as an app writes it, has everything that was added last', () => {
  const app = Testing.app();
  const manifests = tenantChart();
  deliver(app, new ClusterResourceSetDelivery(), { manifests: { d: manifests } });
  configMap(manifests, 'late');
  expect(app.synthYaml()).toContain('name: late');
});

describe('the order of deliveries', () => {
  function ordered(after: { [name: string]: string[] }): ClusterDeliveries {
    const deliveries = ClusterDeliveries.of(Testing.app(), clusterContext());
    for (const [name, others] of Object.entries(after)) deliveries.add(name, { kind: name.startsWith('m') ? 'M' : 'C', after: { names: others } });
    return deliveries;
  }

  test('passes through other kinds', () => {
    const deliveries = ordered({ c1: [], m1: ['c1'], m2: ['m1'], c2: ['m2'], c3: ['c2', 'c1'] });
    expect([deliveries.before('c2', 'C'), deliveries.before('m2', 'M'), deliveries.before('c3', 'C')]).toEqual([['c1'], ['m1'], ['c1', 'c2']]);
    expect(['c1', 'm1', 'm2', 'c2', 'c3'].map((name) => deliveries.depth(name))).toEqual([0, 1, 2, 3, 4]);
  });

  test('passes through what has no content', () => {
    const deliveries = ordered({ m1: [], m2: ['m1'], m3: ['m2'] });
    let filled = false;
    deliveries.fill('m2', () => filled);
    expect(deliveries.before('m3', 'M')).toEqual(['m1']);
    filled = true;
    expect(deliveries.before('m3', 'M')).toEqual(['m2']);
  });

  test('ends for those that wait for each other', () => {
    const deliveries = ordered({ c1: ['m1'], m1: ['c1', 'nowhere'] });
    expect(deliveries.before('c1', 'C')).toEqual([]);
    expect(deliveries.depth('c1')).toBe(2);
    expect(deliveries.unknown(['c1', 'nowhere'])).toEqual(['nowhere']);
  });
});
