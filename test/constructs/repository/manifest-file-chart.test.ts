import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App, Testing } from 'cdk8s';
import { ManifestFileChart } from '../../../src/constructs/repository/manifest-file-chart';
import { problemsIn } from '../../support/problems';

let folder: string;
beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chart-')); });
afterEach(() => fs.rmSync(folder, { recursive: true }));

function chartOf(text: string, app = Testing.app()): ManifestFileChart {
  fs.writeFileSync(path.join(folder, 'a.yaml'), text);
  return new ManifestFileChart(app, 'files', path.join(folder, 'a.yaml'));
}

test('the objects of the file are written as they are', () => {
  const chart = chartOf([
    'apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: a, namespace: b, labels: {c: d}}', 'data: {x: "on", m: "0777"}', '---',
    'apiVersion: v1', 'kind: List', 'items:', '- {apiVersion: example.com/v1, kind: Widget, metadata: {name: e}, spec: {list: [], empty: {}}}', '',
  ].join('\n'));

  expect(Testing.synth(chart)).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b', labels: { c: 'd' } }, data: { x: 'on', m: '0777' } },
    { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'e' }, spec: { list: [], empty: {} } },
  ]);
});

test.each([
  ['kind: ConfigMap\nmetadata: {name: a}\n', 'line 1 is no Kubernetes object'],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', 'ConfigMap a is there twice'],
  ['a: b\n c: d\n', 'line 2'],
])('%j is refused', (text, message) => {
  expect(problemsIn((app) => chartOf(text, app))).toMatchObject([{ id: 'TC-MANIFEST-FILE', text: expect.stringContaining(message) }]);
});

test('a file that does not exist is refused', () => {
  const build = (app: App) => new ManifestFileChart(app, 'files', path.join(folder, 'nowhere.yaml'));

  expect(problemsIn(build)).toMatchObject([{ id: 'TC-MANIFEST-FILE', text: expect.stringContaining('nowhere.yaml cannot be read') }]);
});
