import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { AddonSet } from '../../../src/constructs/addons/addon-set';
import { ManifestAddon, ManifestFileAddon } from '../../../src/constructs/addons/manifest-addon';
import { TypedApiObject } from '../../../src/constructs/app/synth/typed-api-object';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { clusterContext } from '../../support/contexts';
import { problemsIn, ReportedProblem } from '../../support/problems';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'manifest-addon-'));

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const name = path.join(folder, `${fs.readdirSync(folder).length}.yaml`);
  fs.writeFileSync(name, text);
  return name;
}

function objectsOf(addon: ManifestAddon): unknown[] {
  const tenant = new Chart(Testing.app(), 'tenant');
  expect(addon.bind(tenant, clusterContext())).toEqual({});
  return tenant.toJson();
}

function problemsOf(addon: ManifestAddon): ReportedProblem[] {
  return problemsIn((app) => {
    const owner = new Chart(app, 'acme');
    new AddonSet(owner, clusterContext(), { scope: owner }, ['pod-network']).add(addon);
  });
}

class Greeting extends ManifestAddon {
  protected define(tenant: Chart, { name }: ClusterContext): void {
    new TypedApiObject(tenant, 'greeting', { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name: 'greeting' }, data: { cluster: name } });
  }
}

test('a class of one\'s own defines constructs from the context', () => {
  expect(objectsOf(new Greeting('greeting'))).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'greeting' }, data: { cluster: 'acme' } }]);
  expect(new Greeting('greeting', { provides: ['x'], conflictsWith: ['y'] })).toMatchObject({ provides: ['x'], requires: ['pod-network'], conflictsWith: ['y'], after: [] });
});

test('a file gives its objects as they stand there', () => {
  const objects = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'x', labels: { b: 'c' } }, data: { key: 'yes' } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
  ];
  const addon = new ManifestFileAddon('file', file(`${objects.map((object) => JSON.stringify(object)).join('\n---\n')}\n---\n`));

  expect(objectsOf(addon)).toEqual(objects);
  expect(objectsOf(addon)).toEqual(objects);
  expect(problemsOf(addon)).toEqual([]);
});

test.each<[string, () => string, string]>([
  ['no such file', () => path.join(folder, 'absent.yaml'), 'there is no file '],
  ['an address', () => 'https://example.com/x.yaml', 'there is no file https://example.com/x.yaml'],
  ['a folder', () => folder, 'there is no file '],
  ['an empty file', () => file(''), 'holds no object'],
  ['a document that is no object', () => file('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\nkind: Secret\n'), 'document 2 of '],
  ['two objects of one name', () => file('{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n'), 'has two objects ConfigMap a'],
])('%s is reported', (_what, name, text) => {
  expect(problemsOf(new ManifestFileAddon('file', name()))).toMatchObject([{ path: 'acme', id: 'TC-ADDON-MANIFEST', text: expect.stringContaining(text) }]);
});
