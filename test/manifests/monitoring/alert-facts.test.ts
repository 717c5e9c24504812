import * as fs from 'node:fs';
import * as path from 'node:path';
import { readGolden } from '../../../scripts/golden/golden-store';
import { sortFiles } from '../../../scripts/golden/sort-files';
import { alertMetrics } from '../../../src/manifests/monitoring/declared-alerts';
import { ALERT_NAMES } from '../../../src/manifests/rules/alerts/alert';
import { Manifest } from '../../support/clusters';
import { parse } from '../../support/outputs';

const ROOT = path.join(__dirname, '../../..');
const PAGE = 'docs/troubleshooting/alerts.md';

const rules = parse(sortFiles(readGolden()['example-monitoring']).management).filter(({ kind }) => kind === 'PrometheusRule')
  .flatMap(({ spec }) => spec.groups.flatMap((group: Manifest) => group.rules) as Manifest[]);

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

/** The selectors of an expression: names of metrics, each with the labels that it asks for. */
function selectors(expr: string): [metric: string, labels: string[]][] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, metric, match]) => [metric, [...match.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label)]);
}

test('alerts read metrics and labels that the table has', () => {
  const labelsOf = new Map<string, readonly string[]>();
  for (const { name, labels } of alertMetrics()) labelsOf.set(name, [...labelsOf.get(name) ?? [], ...labels]);
  const unknown = rules.flatMap(({ expr }) => selectors(expr as string)).flatMap(([metric, labels]) => (
    labels.filter((label) => !labelsOf.get(metric)?.includes(label)).map((label) => `${metric} ${label}`)));

  expect(unknown).toEqual([]);
});

test('each metric says which program serves it, and where that is declared', () => {
  for (const { name, exporter, source } of alertMetrics()) {
    expect([name, exporter !== '', /^[\w.-]+\/[\w.-]+ \S+/.test(source)]).toEqual([name, true, true]);
  }
});
