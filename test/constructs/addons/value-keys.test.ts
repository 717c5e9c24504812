import { Testing } from 'cdk8s';
import { FURTHER_KEYS } from './chart-keys';
import * as trees from './chart-keys.generated.json';
import CHART_CATALOGUE from '../../../data/charts.json';
import { BundledChart, checkValueKeys } from '../../../src/constructs/addons/bundled-addon';
import { MetricsServer } from '../../../src/constructs/addons/catalog/metrics-server';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { Versions } from '../../../src/constructs/contracts/versions';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { nestedValue, Values } from '../../../src/manifests/values/chart-values';
import { exampleCluster } from '../../support/clusters';
import { problemsOf } from '../../support/problems';

const CHARTS = Object.keys(CHART_CATALOGUE) as BundledChart[];

function found(chart: BundledChart, values: Values, chartVersion?: string): string[] {
  return checkValueKeys(chart, { values, chartVersion }, Versions.newest()).map(({ property, fix }) => `${property}: ${fix}`);
}

test.each<[BundledChart, Values, string]>([
  ['cilium', { kubeproxyReplacment: true }, 'values.kubeproxyReplacment: write "kubeProxyReplacement" if you mean that'],
  ['cilium', { hubbel: { enabled: true } }, 'values.hubbel: write "hubble" if you mean that'],
  ['cilium', { mtu: 1350 }, 'values.mtu: write "MTU" if you mean that'],
  ['cilium', { hubble: { relay: { enbaled: true } } }, 'values.hubble.relay.enbaled: write "enabled" if you mean that'],
  ['flannel', { flannel: { backendport: 1 } }, 'values.flannel.backendport: write "backendPort" if you mean that'],
])('%s: a key that is nearly one of the chart', (chart, values, text) => {
  expect(found(chart, values)).toEqual([text]);
});

test.each<[BundledChart, Values]>([
  ['cilium', { kubeProxyReplacement: true, hubble: { relay: { enabled: true } }, operator: { tolerations: [{ key: 'a' }] } }],
  // A key of the templates that values.yaml does not have, and one of nobody: neither looks like a slip.
  ['coredns', { service: { clusterIP: '10.0.0.10' } }],
  ['cilium', { entirelyUnheardOf: 1 }],
  // Maps of any keys.
  ['tigera-operator', { nodeSelector: { 'kubernetes.io/arch': 'arm64' } }],
  ['tigera-operator', { podLabels: { podLabel: 'a' } }],
])('%s: %j is passed over', (chart, values) => {
  expect(found(chart, values)).toEqual([]);
});

test('nothing is said of another version of the chart', () => {
  const values = { hubbel: {} };
  expect(found('cilium', values, '9.9.9')).toEqual([]);
  expect(found('cilium', values, CHART_CATALOGUE.cilium.version)).toHaveLength(1);
});

test('keys that only templates read are never taken for a slip', () => {
  const slips = CHARTS.flatMap((chart) => (FURTHER_KEYS[chart] ?? []).flatMap((key) => found(chart, nestedValue(key, 'x'))));
  expect(slips).toEqual([]);
});

test('every key of every chart is known, and none is added or lost on the way', () => {
  type Tree = { readonly [key: string]: Tree | string };
  const sample = (tree: Tree): Values => Object.fromEntries(Object.entries(tree).map(([key, below]) => [key, typeof below === 'string' ? 1 : sample(below)]));
  const changed = (tree: Tree): Values => Object.fromEntries(Object.entries(tree).map(([key, below]) => (
    typeof below === 'string' && key.length > 5 && /^\w+$/.test(key) ? [`${key}Q`, 1] : [key, typeof below === 'string' ? 1 : changed(below)]
  )));
  const known = trees as unknown as Record<string, Tree>;
  for (const chart of CHARTS) {
    expect([chart, found(chart, sample(known[chart]))]).toEqual([chart, []]);
  }
  expect(found('cilium', changed(known.cilium)).length).toBeGreaterThan(200);
});

test('TC-ADDON-VALUE-KEY: the user is warned, and nothing is refused', () => {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  const app = Testing.app();
  const cluster = exampleCluster(app, { cni: new Cilium({ values: { hubbel: {} }, kubeProxyReplacement: false }), delivery: new FluxDelivery() });
  cluster.addAddon(new MetricsServer({ name: 'metrics', values: { replica: 2 } }));
  expect(problemsOf(app)).toEqual([]);
  const texts = emitted.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('TC-ADDON-VALUE-KEY'));
  expect(texts).toEqual([
    expect.stringContaining('TC-ADDON-VALUE-KEY cilium.values.hubbel: the chart "cilium" has no key "hubbel" here'),
    expect.stringContaining('TC-ADDON-VALUE-KEY metrics.values.replica: the chart "metrics-server" has no key "replica" here'),
  ]);
  emitted.mockRestore();
});
