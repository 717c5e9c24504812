import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { configMap, deliver, namespace, ofKind, tenantChart, written, Written } from './delivered';
import { ClusterResourceSetDelivery, ResourceSetStrategy } from '../../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { SHARED_SIZE } from '../../../../src/constructs/deliveries/cluster-resource-set/parts';
import { SchemaValidator } from '../../../manifests/schema/validate';

const KIBIBYTE = 1024;

function documents({ data }: Written): Written[] {
  return parseAllDocuments(data['manifests.yaml']).map((document) => document.toJSON());
}

function large(...sizes: number[]): Chart {
  const chart = tenantChart();
  sizes.forEach((size, index) => configMap(chart, `c${index}`, { text: 'x'.repeat(size) }));
  return chart;
}

test('manifests become one ConfigMap and a set that applies it', () => {
  const [set, config, ...others] = written(new ClusterResourceSetDelivery(), { manifests: { workloads: tenantChart('a', 'b') } });
  expect(others).toEqual([]);
  expect(set).toEqual({
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name: 'acme-workloads', namespace: 'tenant-acme', labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } },
    spec: {
      clusterSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme' } },
      resources: [{ kind: 'ConfigMap', name: 'acme-workloads.1' }],
      strategy: 'Reconcile',
    },
  });
  expect(config.metadata).toMatchObject({ name: 'acme-workloads.1', annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } });
  expect(config.data['manifests.yaml']).toBe([
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: default\ndata:\n  a: b\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  namespace: default\ndata:\n  a: b\n',
  ].join('---\n'));
});

test('what is added after the delivery is delivered; no manifests, no objects', () => {
  const manifests = tenantChart();
  const cluster = deliver(Testing.app(), new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } });
  expect(cluster.toJson()).toEqual([]);
  configMap(manifests, 'late');
  expect(documents(cluster.toJson()[1]).map(({ metadata }) => metadata.name)).toEqual(['late']);
  configMap(new Chart(manifests, 'nested', { namespace: 'team-a' }), 'deep');
  expect(documents(cluster.toJson()[1]).map(({ metadata }) => [metadata.namespace, metadata.name])).toEqual([['default', 'late'], ['team-a', 'deep']]);
  expect(cluster.toJson()).toEqual(cluster.toJson());
});

test('what changes between two syntheses is written, and looked at', () => {
  const manifests = tenantChart();
  const [config, secret] = ['ConfigMap', 'Secret'].map((kind) => new ApiObject(manifests, kind, { apiVersion: 'v1', kind, metadata: { name: 'x' } }));
  const cluster = deliver(Testing.app(), new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } });
  expect(documents(cluster.toJson()[1])[0].data).toBeUndefined();
  config.addJsonPatch(JsonPatch.add('/data', { a: '1' }));
  expect(documents(cluster.toJson()[1])[0].data).toEqual({ a: '1' });
  secret.addJsonPatch(JsonPatch.add('/data', { password: 'eA==' }));
  expect(() => cluster.toJson()).toThrow('TC-DELIVERY-SECRET');
});

test('an object that outgrows its ConfigMap between two syntheses gets another one', () => {
  const manifests = large(150 * KIBIBYTE, 10);
  const cluster = deliver(Testing.app(), new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } });
  expect(cluster.toJson()).toHaveLength(2);
  (manifests.node.findChild('c1') as ApiObject).addJsonPatch(JsonPatch.replace('/data/text', 'x'.repeat(100 * KIBIBYTE)));
  expect(cluster.toJson()).toHaveLength(3);
});

test('namespaces come first, the rest stays in its order', () => {
  const manifests = tenantChart('z', 'a');
  namespace(manifests, 'team');
  expect(documents(ofKind('ConfigMap', new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } })[0]).map(({ metadata }) => metadata.name))
    .toEqual(['team', 'z', 'a']);
});

test('manifests are split between objects, below the limits of ConfigMaps', () => {
  const manifests = large(...[100, 80, 60, 700, 10].map((size) => size * KIBIBYTE));
  const objects = written(new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } });
  const configMaps = objects.filter(({ kind }) => kind === 'ConfigMap');
  expect(configMaps.map((each) => documents(each).map(({ metadata }) => metadata.name))).toEqual([['c0', 'c1'], ['c2'], ['c3'], ['c4']]);
  expect(configMaps.map(({ metadata }) => metadata.name)).toEqual([1, 2, 3, 4].map((part) => `acme-workloads.${part}`));
  expect(objects[0].spec.resources.map(({ name }: Written) => name)).toEqual(configMaps.map(({ metadata }) => metadata.name));
  expect(Buffer.byteLength(configMaps[0].data['manifests.yaml'])).toBeLessThanOrEqual(SHARED_SIZE);
});

test('parts that are no longer needed go', () => {
  const manifests = large(150 * KIBIBYTE, 150 * KIBIBYTE);
  const cluster = deliver(Testing.app(), new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } });
  expect(cluster.toJson()).toHaveLength(3);
  manifests.node.tryRemoveChild('c1');
  expect(cluster.toJson().map(({ metadata }) => metadata.name)).toEqual(['acme-workloads', 'acme-workloads.1']);
  manifests.node.tryRemoveChild('c0');
  expect(cluster.toJson()).toEqual([]);
});

test('another strategy, which is immutable, makes other objects', () => {
  const [set, config] = written(new ClusterResourceSetDelivery({ strategy: ResourceSetStrategy.APPLY_ONCE }), { manifests: { workloads: tenantChart('a') } });
  expect(set.metadata.name).toBe('acme-workloads.once');
  expect(set.spec).toMatchObject({ strategy: 'ApplyOnce', resources: [{ name: 'acme-workloads.once.1' }] });
  expect(config.metadata.name).toBe('acme-workloads.once.1');
});

test('a value that occurs twice is written twice', () => {
  const manifests = tenantChart();
  const data = { a: 'b' };
  configMap(manifests, 'one', data);
  configMap(manifests, 'two', data);
  expect(written(new ClusterResourceSetDelivery(), { manifests: { workloads: manifests } })[1].data['manifests.yaml']).not.toMatch(/[&*]a1/);
});

test('a server accepts everything and adds nothing', () => {
  const validator = SchemaValidator.load();
  const objects = written(new ClusterResourceSetDelivery(), { manifests: { workloads: large(150 * KIBIBYTE, 950 * KIBIBYTE), once: tenantChart('a') } });
  expect(objects).toHaveLength(5);
  for (const object of objects) {
    expect([object.metadata.name, validator.validate(object)]).toEqual([object.metadata.name, []]);
    expect([object.metadata.name, validator.missingDefaults(object)]).toEqual([object.metadata.name, []]);
  }
});
