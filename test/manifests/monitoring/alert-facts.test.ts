import * as fs from 'node:fs';
import * as path from 'node:path';
import { readGolden } from '../../../scripts/golden/golden-store';
import { sortFiles } from '../../../scripts/golden/sort-files';
import { alertMetrics, declaredAlerts } from '../../../src/manifests/monitoring/declared-alerts';
import { ALERT_NAMES } from '../../../src/manifests/rules/alerts/alert';
import { Manifest } from '../../support/clusters';
import { parse } from '../../support/outputs';

const ROOT = path.join(__dirname, '../../..');
const PAGE = 'docs/troubleshooting/alerts.md';

const manifests = parse(sortFiles(readGolden()['example-monitoring']).management);
const rules = manifests.filter(({ kind }) => kind === 'PrometheusRule')
  .flatMap(({ spec }) => spec.groups.flatMap((group: Manifest) => group.rules) as Manifest[]);
const graphs = manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.labels?.grafana_dashboard === '1')
  .flatMap(({ data }) => Object.values(data as Record<string, string>).flatMap((text) => expressions(JSON.parse(text))));

/** The PromQL expressions of a dashboard. */
function expressions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => (key === 'expr' && typeof child === 'string' ? [child] : expressions(child)));
}

const headings = fs.readFileSync(path.join(ROOT, PAGE), 'utf8').split('\n').filter((line) => line.startsWith('## ')).map((line) => line.slice(3));

test('each alert has a section that says what to do, and its urgency', () => {
  const text = fs.readFileSync(path.join(ROOT, PAGE), 'utf8');

  expect(headings).toEqual(Object.keys(ALERT_NAMES).sort((one, other) => one.localeCompare(other)));
  for (const { alert, labels } of rules) expect(text).toContain(`## ${alert}\n\n${labels.severity}. `);
});

test('the address of each alert is a section of the page', () => {
  const anchors = headings.map((heading) => heading.toLowerCase());
  const addresses = rules.map(({ annotations }) => annotations.runbook_url as string);

  expect(addresses.length).toBeGreaterThan(50);
  expect(addresses.filter((address) => {
    const [page, anchor] = address.split('#');
    return !page.endsWith('/troubleshooting/alerts.html') || !anchors.includes(anchor);
  })).toEqual([]);
});

/** The labels that each selector of an expression asks for. */
function askedLabels(expr: string): [metric: string, label: string][] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)]
    .flatMap(([, metric, match]) => [...match.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]): [string, string] => [metric, label]));
}

const OPERATORS = new Set(['and', 'or', 'unless', 'offset', 'bool', 'sum', 'max', 'min', 'count', 'avg']);

/** The names of metrics in an expression: words that are no labels, functions, operators or durations. */
function metricNames(expr: string): string[] {
  const bare = expr.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right) ?\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?! *\()/g)].map(([, word]) => word).filter((word) => !OPERATORS.has(word));
}

const labelsOf = new Map<string, readonly string[]>([
  // Prometheus itself makes this one, with the labels of the rule.
  ['ALERTS', ['alertstate', 'alertname', 'cluster_name', 'cluster_namespace']],
]);
for (const { name, labels } of alertMetrics()) labelsOf.set(name, [...labelsOf.get(name) ?? [], ...labels]);

/** Objects of the systems that the example does not have. */
const OTHERS = [
  { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { namespace: 'argocd', name: 'addons' }, spec: { syncPolicy: { automated: {} } } },
  { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSet', metadata: { namespace: 'tenant', name: 'addons' }, spec: {} },
  { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: { namespace: 'tenant', name: 'addons' }, spec: {} },
];
const alertExpressions = [...rules, ...declaredAlerts(OTHERS, { names: new Set(), frozen: false })].map(({ expr }) => expr as string);

test.each([
  ['alerts', alertExpressions],
  ['dashboards', graphs],
])('%s read metrics and labels that the table has', (_, exprs) => {
  expect(exprs.length).toBeGreaterThan(15);
  expect([...new Set(exprs.flatMap(metricNames))].filter((name) => !labelsOf.has(name))).toEqual([]);
  expect(exprs.flatMap(askedLabels).filter(([metric, label]) => !labelsOf.get(metric)?.includes(label))).toEqual([]);
});

test('the names of metrics in an expression are found without selectors, too', () => {
  expect(metricNames('sum by (pod) (rate(one_total{a="b or c"}[5m])) / on (pod) max(other) > 3 or time() - vector_time offset 5m unless bool_time'))
    .toEqual(['one_total', 'other', 'vector_time', 'bool_time']);
});

test('each alert is shown, and each metric of the table is read', () => {
  const read = new Set([...alertExpressions, ...graphs].flatMap(metricNames));

  expect(Object.keys(ALERT_NAMES).filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
  expect(alertMetrics().map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
});

test('each metric says which program serves it, and where that is declared', () => {
  for (const { name, exporter, source } of alertMetrics()) {
    expect([name, exporter !== '', /^[\w.-]+\/[\w.-]+ \S+/.test(source)]).toEqual([name, true, true]);
  }
});
