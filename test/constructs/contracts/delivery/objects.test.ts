import * as fs from 'node:fs';
import * as path from 'node:path';
import { App, Chart, GroupVersionKind, Testing } from 'cdk8s';
import { refused, tenantChart } from './delivered';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { checkDuplicates } from '../../../../src/constructs/contracts/delivery/duplicate-objects';
import { apiObjects } from '../../../../src/constructs/contracts/delivery/tenant-manifests';
import { ClusterResourceSetDelivery } from '../../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { isClusterScoped } from '../../../../src/manifests/rules/structure/kind-scope';
import { registerProviders } from '../../../../src/manifests/systems/providers';

const IMPORTS = path.resolve(__dirname, '../../../../imports');

/** Problems of one object in the tenant's namespace `default`. */
function refusedObject(apiVersion: string, kind: string, props: object, clusterScoped = false): string[] {
  const manifests = tenantChart();
  new TypedApiObject(manifests, 'x', { apiVersion, kind, clusterScoped }, props);
  return refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }).map(({ id, text }) => `${id} ${text}`);
}

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
  expect(classes.length).toBeGreaterThan(25);
  const wrong = classes.filter((type) => {
    const { metadata } = new type(new Chart(new App(), 'chart', { namespace: 'team-a' }), 'x', { metadata: { name: 'x' }, spec: {} });
    const [group] = type.GVK.apiVersion.split('/');
    return isClusterScoped(group, type.GVK.kind) !== (metadata.namespace === undefined);
  });
  expect(wrong.map(({ GVK }) => GVK)).toEqual([]);
});
