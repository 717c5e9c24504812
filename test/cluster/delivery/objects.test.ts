import * as fs from 'node:fs';
import * as path from 'node:path';
import { App, Chart, GroupVersionKind, Testing } from 'cdk8s';
import { refused, tenantChart } from './delivered';
import { checkDuplicates } from '../../../src/cluster/delivery/duplicate-objects';
import { livesInNamespace } from '../../../src/cluster/delivery/namespaced-kinds';
import { apiObjects } from '../../../src/cluster/delivery/tenant-manifests';
import { ClusterResourceSetDelivery } from '../../../src/cluster-resource-set/cluster-resource-set-delivery';
import { TypedApiObject } from '../../../src/synth/typed-api-object';
import { registerProviders } from '../../../src/validation/providers';

const IMPORTS = path.resolve(__dirname, '../../../imports');

/** What is refused of one object in the tenant's namespace `default`. */
function refusedObject(apiVersion: string, kind: string, props: object, clusterScoped = false): string[] {
  const manifests = tenantChart();
  new TypedApiObject(manifests, 'x', { apiVersion, kind, clusterScoped }, props);
  return refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }).map(({ id, text }) => `${id} ${text}`);
}

describe('names are those that the kind accepts', () => {
  test.each<[string, string, string, boolean]>([
    ['v1', 'ConfigMap', 'My_Config', false], ['v1', 'ConfigMap', 'a..b', false], ['v1', 'Namespace', 'Team_A', true], ['v1', 'Namespace', 'team.a', true],
    ['v1', 'Service', 'web.v1', false], ['cert-manager.io/v1', 'Certificate', 'a_b', false], ['example.com/v1', 'Thing', 'Thing', false],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'a/b', true], ['rbac.authorization.k8s.io/v1', 'Role', '..', false],
  ])('%s %s %j is refused', (apiVersion, kind, name, clusterScoped) => {
    const [problem, ...others] = refusedObject(apiVersion, kind, { metadata: { name } }, clusterScoped);
    expect(others).toEqual([]);
    expect(problem).toMatch(/^TC-DELIVERY-MANIFEST-NAME manifests\["x"\]: /);
    expect(problem).toContain(`the ${kind} "${name}"`);
  });

  test.each<[string, string, string, boolean]>([
    ['v1', 'ConfigMap', 'kube-root-ca.crt', false], ['v1', 'Service', '1st', false], ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'system:Node_reader', true],
    ['certificates.k8s.io/v1', 'CertificateSigningRequest', 'node:a', true], ['projectcalico.org/v3', 'HostEndpoint', 'Node_1', true],
  ])('%s %s %j is accepted', (apiVersion, kind, name, clusterScoped) => {
    expect(refusedObject(apiVersion, kind, { metadata: { name } }, clusterScoped)).toEqual([]);
  });

  test('and namespaces are DNS labels', () => {
    expect(refusedObject('v1', 'ConfigMap', { metadata: { name: 'a', namespace: 'Default' } })).toEqual([
      expect.stringMatching(/^TC-DELIVERY-MANIFEST-NAME .*"Default" is not a DNS label.*correct metadata\.namespace/),
    ]);
  });
});

test('keys and values of labels, and keys of annotations, are checked', () => {
  const metadata = { name: 'a', labels: { 'a b': 'x', 'tier': 'front end', 'app': 'web' }, annotations: { '/a': 'x', 'ok': 'any: text' } };
  expect(refusedObject('v1', 'ConfigMap', { metadata }).map((text) => /^TC-DELIVERY-MANIFEST-LABEL .* Fix: correct or remove "(.*)"\.$/.exec(text)?.[1]))
    .toEqual(['a b', 'tier', '/a']);
});

test('keys of a ConfigMap are checked, in text and in bytes', () => {
  const found = refusedObject('v1', 'ConfigMap', { metadata: { name: 'a' }, data: { 'bad key': '', 'tls.crt': '' }, binaryData: { '..': '', 'a/b': '' } });
  expect(found.map((text) => /^TC-DELIVERY-MANIFEST-KEY .* has the key (".*?")/.exec(text)?.[1])).toEqual(['"bad key"', '".."', '"a/b"']);
  expect(refusedObject('example.com/v1', 'ConfigMap', { metadata: { name: 'a' }, data: { 'any key': '' } })).toEqual([]);
});

describe('private keys', () => {
  const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n';
  const BASE64 = Buffer.from(PEM).toString('base64');
  const CERTIFICATE = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');

  test.each<[string, object, string]>([
    ['in a ConfigMap', { data: { 'tls.key': PEM, 'tls.crt': CERTIFICATE } }, 'data.tls.key'],
    ['in base64', { binaryData: { key: BASE64 } }, 'binaryData.key'],
    ['in a list', { spec: { files: [{ content: 'x' }, { content: PEM }] } }, 'spec.files[1].content'],
  ])('%s are refused', (_, fields, place) => {
    const found = refusedObject('v1', 'ConfigMap', { metadata: { name: 'a' }, ...fields });
    expect(found).toEqual([expect.stringMatching(/^TC-DELIVERY-PRIVATE-KEY manifests\["x"\]: the ConfigMap "a" in namespace "default" holds a private key at /)]);
    expect(found[0]).toContain(` at ${place}, `);
    expect(found[0]).not.toContain('MIIB');
  });

  test('of a Secret are told once, with its content', () => {
    expect(refusedObject('v1', 'Secret', { metadata: { name: 'a' }, stringData: { key: PEM } })).toEqual([expect.stringMatching(/^TC-DELIVERY-SECRET /)]);
  });
});

describe('objects are given to a cluster once', () => {
  const config = (chart: Chart, id: string, name: string, namespace: string, apiVersion = 'v1') => (
    new TypedApiObject(chart, id, { apiVersion, kind: 'ConfigMap' }, { metadata: { name, namespace } })
  );

  function duplicates(build: (one: Chart, other: Chart) => void): string[] {
    const charts = ['one', 'other'].map((name) => ({ name, chart: new Chart(Testing.app(), name) }));
    build(charts[0].chart, charts[1].chart);
    return checkDuplicates(charts.map(({ name, chart }) => ({ name, objects: apiObjects(chart) }))).map(({ property, message }) => `${property}: ${message}`);
  }

  test('twice in one delivery, and however often only told once', () => {
    expect(duplicates((one) => {
      config(one, 'a', 'x', 'default');
      config(one, 'b', 'x', 'default');
      config(one, 'c', 'x', 'default');
    })).toEqual(['manifests["one"]: the ConfigMap "x" in namespace "default" is there twice']);
  });

  test('in two deliveries, in whatever version', () => {
    expect(duplicates((one, other) => {
      config(one, 'a', 'x', 'default', 'example.com/v1');
      config(other, 'a', 'x', 'default', 'example.com/v2');
    })).toEqual(['manifests["other"]: the ConfigMap "x" in namespace "default" is in manifests["one"] too']);
  });

  test('objects of another namespace, name or group are others', () => {
    expect(duplicates((one, other) => {
      config(one, 'a', 'x', 'default');
      config(one, 'b', 'x', 'team-a');
      config(one, 'c', 'y', 'default');
      config(other, 'a', 'x', 'default', 'example.com/v1');
    })).toEqual([]);
  });
});

test('the kinds of the generated classes are known to live in a namespace, or not to', () => {
  registerProviders();
  /* eslint-disable-next-line @typescript-eslint/no-require-imports */
  const modules = fs.readdirSync(IMPORTS).map((file) => require(path.join(IMPORTS, file)) as Record<string, unknown>);
  const classes = modules.flatMap((module) => Object.values(module))
    .filter((value): value is { GVK: GroupVersionKind; new (scope: Chart, id: string, props: object): TypedApiObject } => typeof value === 'function' && 'GVK' in value);
  expect(classes.length).toBeGreaterThan(50);
  const wrong = classes.filter((type) => {
    const { metadata } = new type(new Chart(new App(), 'chart', { namespace: 'team-a' }), 'x', { metadata: { name: 'x' }, spec: {} });
    const [group] = type.GVK.apiVersion.split('/');
    return livesInNamespace(group, type.GVK.kind) !== (metadata.namespace === 'team-a');
  });
  expect(wrong.map(({ GVK }) => GVK)).toEqual([]);
});
