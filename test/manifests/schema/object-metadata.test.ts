import { checkMetadata } from './object-metadata';

const good = { name: 'acme', namespace: 'tenant-acme' };

test.each([
  [good],
  [{ ...good, name: 'acme.v2-1' }],
  [{ namespace: 'tenant-acme', generateName: 'acme-' }],
  [{ ...good, labels: { 'app': '', 'cluster.x-k8s.io/cluster-name': 'Acme_1.x' }, annotations: { 'Example.org/a': '{"a": 1}' } }],
  [{ ...good, finalizers: ['cluster.x-k8s.io/cluster'], ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'b' }] }],
])('accepts %j', metadata => {
  expect(checkMetadata(metadata, { scope: 'Namespaced' })).toEqual([]);
});

test.each<[metadata: unknown, error: string]>([
  [undefined, 'metadata: must be an object'],
  [{ namespace: 'a' }, 'metadata.name: required'],
  [{ name: 'a' }, 'metadata.namespace: required for a namespaced kind'],
  [{ ...good, name: 'Acme' }, 'metadata.name: must be a DNS subdomain'],
  [{ ...good, name: 'a'.repeat(254) }, 'metadata.name: must be a DNS subdomain'],
  [{ ...good, namespace: 'tenant.acme' }, 'metadata.namespace: must be a DNS label'],
  [{ ...good, labels: { 'a/b/c': '' } }, 'metadata.labels[a/b/c]: a key is'],
  [{ ...good, labels: { a: 'b c' } }, 'metadata.labels[a]: a label value'],
  [{ ...good, labels: { a: 'b'.repeat(64) } }, 'metadata.labels[a]: a label value'],
  [{ ...good, labels: { a: true } }, 'metadata.labels[a]: must be a string, got true'],
  [{ ...good, labels: ['a'] }, 'metadata.labels: must be an object of strings'],
  [{ ...good, annotations: { '-a': '' } }, 'metadata.annotations[-a]: a key is'],
  [{ ...good, annotations: { a: null } }, 'metadata.annotations[a]: must be a string, got null'],
  [{ ...good, annotations: { a: 'x'.repeat(256 * 1024) } }, 'metadata.annotations: at most 262144 bytes'],
  [{ ...good, finalizers: ['a b'] }, 'metadata.finalizers[0]: a key is'],
  [{ ...good, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a' }] }, 'metadata.ownerReferences[0].uid: required'],
  [{ ...good, creationTimestamp: null }, 'metadata.creationTimestamp: must not be null'],
  [{ ...good, resourceVersion: '1' }, 'metadata.resourceVersion: is written by the server only'],
  [{ ...good, label: {} }, 'metadata.label: unknown field'],
])('refuses %j', (metadata, error) => {
  expect(checkMetadata(metadata, { scope: 'Namespaced' })).toEqual([expect.stringContaining(error)]);
});

test('wants no namespace for a cluster-scoped kind', () => {
  expect(checkMetadata({ name: 'a' }, { scope: 'Cluster' })).toEqual([]);
  expect(checkMetadata(good, { scope: 'Cluster' })).toEqual(['metadata.namespace: must be absent for a cluster-scoped kind, got "tenant-acme"']);
});
