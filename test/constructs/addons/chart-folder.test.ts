import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { readChartFolder, renderChartFolder } from '../../../scripts/charts/chart-folder';
import { keyNames } from '../../../scripts/charts/tables';

const POD = { spec: { containers: [{ image: 'example.com/a:1' }], initContainers: [{ image: 'example.com/b:1' }], tolerations: [{ key: 'team' }] } };

const OBJECTS = [
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'one' }, spec: { template: POD } },
  { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'two', annotations: { 'helm.sh/hook': 'pre-install' } }, spec: { jobTemplate: { spec: { template: POD } } } },
  { apiVersion: 'example.com/v1', kind: 'Sample', metadata: { name: 'three' } },
  { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'samples.example.com' } },
];

/** In place of Helm: prints the objects, and fails without values on its input. */
const HELM = `#!/bin/sh\ngrep -q reloadStrategy || exit 1\ncat <<'END'\n${OBJECTS.map((object) => JSON.stringify(object)).join('\n---\n')}\nEND\n`;

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chart-'));
  const files = {
    'Chart.yaml': 'name: reloader\nversion: 9.0.0\nappVersion: v9',
    'values.yaml': 'a: {b: 1, "c.d": null}\nlist: [{x: 1}]\nempty: {}',
    'templates/definition.yaml': 'kind: CustomResourceDefinition',
    'helm': HELM,
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text, { mode: 0o755 });
  }
  process.env.HELM = path.join(folder, 'helm');
});

afterEach(() => {
  delete process.env.HELM;
  fs.rmSync(folder, { recursive: true });
});

test('an unpacked chart is read like an entry of the reference', () => {
  const chart = readChartFolder(folder, {});
  expect(chart).toEqual({
    chart: 'reloader',
    repository: 'https://stakater.github.io/stakater-charts',
    chartVersion: '9.0.0',
    appVersion: 'v9',
    source: 'stakater.github.io/stakater-charts: reloader-9.0.0.tgz',
    crds: 'templated',
    values: { 'a.b': 1, 'a."c.d"': 'null', 'list[]': '[]', 'empty': '{}' },
  });
  expect(keyNames(chart)).toBe('a{c.d,b},empty,list');
});

test('a new chart needs a repository', () => {
  fs.writeFileSync(path.join(folder, 'Chart.yaml'), 'name: new\nversion: 1.0.0\nappVersion: v1');
  expect(() => readChartFolder(folder, {})).toThrow('name its repository (--repository URL)');
  expect(readChartFolder(folder, { repository: 'oci://example.com/charts', source: 'owner/repository' })).toMatchObject({ chart: 'new', source: 'owner/repository' });
  expect(() => renderChartFolder(folder, readChartFolder(folder, { repository: 'https://example.com' }))).toThrow('no sample');
});

test('Helm renders it with the values of its addon', () => {
  const { version, samples } = renderChartFolder(folder, readChartFolder(folder, {}));
  expect(version).toBe('9.0.0');
  expect(Object.keys(samples)).toEqual(['reloader.def', 'reloader.all', 'reloader.tol']);
  expect(samples['reloader.all']).toMatchObject({
    images: ['example.com/a:1', 'example.com/b:1'],
    pods: [{ kind: 'Deployment', name: 'one', tolerations: [{ key: 'team' }] }, { kind: 'CronJob', name: 'two' }],
    hooks: [{ hook: 'pre-install', kind: 'CronJob', name: 'two' }],
    customResources: ['example.com/Sample'],
    definitionsInRender: 1,
  });
});
