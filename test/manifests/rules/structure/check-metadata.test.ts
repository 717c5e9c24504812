import { textsOf } from './findings-of';
import { checkAnyMetadata } from '../../../../src/manifests/rules/structure/check-metadata';
import { CLUSTER } from '../../schema/samples';

function found(metadata: unknown): string[] {
  return textsOf({ ...CLUSTER, metadata }).map((text) => text.replace(/ \| .*/, ''));
}

test.each<[why: string, metadata: unknown]>([
  ['a name with dots', { name: 'a.b' }],
  ['a prefix of a name in place of one', { generateName: 'acme-' }],
  ['an empty namespace', { name: 'a', namespace: '' }],
  ['labels and annotations', { name: 'a', labels: { 'example.com/a': 'B', 'b': '' }, annotations: { 'Example.com/A': 'any text\n' } }],
  ['null for what is not written', { name: 'a', labels: null, annotations: { a: null }, finalizers: null, ownerReferences: null }],
  ['an owner', { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'c', controller: true, blockOwnerDeletion: false }] }],
  ['finalizers', { name: 'a', finalizers: ['example.com/one', 'foregroundDeletion'] }],
  ['what kubectl get shows', {
    name: 'a',
    uid: 'b',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2024-05-01T10:00:00Z',
    deletionGracePeriodSeconds: 0,
    deletionTimestamp: null,
    selfLink: '',
  }],
])('accepts %s', (_, metadata) => {
  expect(found(metadata)).toEqual([]);
});

test.each([
  ['v1', 'ConfigMap', 'kube-root-ca.crt'], ['v1', 'Service', '1st'], ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'system:Node_reader'],
  ['certificates.k8s.io/v1', 'CertificateSigningRequest', 'node:a'],
])('accepts the name of a %s %s, %j', (apiVersion, kind, name) => {
  const texts = textsOf({ apiVersion, kind, metadata: { name, namespace: 'a' } });
  expect(texts.filter((text) => text.includes('metadata.name'))).toEqual([]);
});

test('accepts any name of objects that another server than Kubernetes\' serves', () => {
  expect(checkAnyMetadata({ apiVersion: 'projectcalico.org/v3', kind: 'HostEndpoint', metadata: { name: 'Node_1' } })).toEqual([]);
});

test.each<[why: string, metadata: unknown, found: string[]]>([
  ['nothing', undefined, ['TC-ADMIT-FIELD-METADATA metadata.name: the object has no name']],
  ['null', null, ['TC-ADMIT-FIELD-METADATA metadata.name: the object has no name']],
  ['an empty name', { name: '' }, ['TC-ADMIT-FIELD-METADATA metadata.name: the object has no name']],
  ['a string', 'acme', ['TC-ADMIT-FIELD-METADATA metadata: "acme" is not an object']],
  ['a number as a name', { name: 7 }, ['TC-ADMIT-FIELD-METADATA metadata.name: 7 is not a string']],
  ['a name that is too long', { name: 'a'.repeat(254) }, [`TC-ADMIT-FIELD-METADATA metadata.name: "${'a'.repeat(60)}…" has 254 characters`]],
  ['a field that is none', { name: 'a', label: {} }, ['TC-ADMIT-FIELD-UNKNOWN metadata.label: there is no field "label" here']],
  ['labels that are a list', { name: 'a', labels: ['x'] }, ['TC-ADMIT-FIELD-METADATA metadata.labels: a list of 1 is not an object']],
  ['a label without quotes', { name: 'a', labels: { x: true } }, ['TC-ADMIT-FIELD-METADATA metadata.labels.x: true is not a string']],
  ['an annotation without quotes', { name: 'a', annotations: { x: 1 } }, ['TC-ADMIT-FIELD-METADATA metadata.annotations.x: 1 is not a string']],
  ['annotations that are too large', { name: 'a', annotations: { x: 'y'.repeat(256 * 1024) } },
    ['TC-ADMIT-FIELD-METADATA metadata.annotations: all annotations together are 262145 bytes large']],
  ['a finalizer that is no name', { name: 'a', finalizers: [''] },
    [expect.stringMatching(/^TC-ADMIT-FIELD-METADATA metadata\.finalizers\.0: "" is not a qualified name/) as string]],
  ['an owner without a uid', { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: '', name: 'b', x: 1 }] }, [
    'TC-ADMIT-FIELD-METADATA metadata.ownerReferences.0.kind: it is empty',
    'TC-ADMIT-FIELD-UNKNOWN metadata.ownerReferences.0.x: there is no field "x" here',
    'TC-ADMIT-FIELD-METADATA metadata.ownerReferences.0.uid: it is required, and it is not there',
  ]],
  ['a word on who wrote which field', { name: 'a', managedFields: [] }, [expect.stringContaining('TC-ADMIT-FIELD-METADATA metadata.managedFields: server-side apply takes no word') as string]],
  ['a finalizer twice', { name: 'a', finalizers: ['a.b/c', 'a.b/d', 'a.b/c'] }, ['TC-ADMIT-FIELD-DUPLICATE metadata.finalizers.2: it is entry 0 once more']],
  ['an owner twice', { name: 'a', ownerReferences: ['b', 'c'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', name, uid: 'd' })) },
    ['TC-ADMIT-FIELD-DUPLICATE metadata.ownerReferences.1: it is entry 0 once more']],
  ['two controllers', {
    name: 'a', ownerReferences: ['b', 'c'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', name, uid: name, controller: true })),
  }, ['TC-ADMIT-FIELD-METADATA metadata.ownerReferences: 2 owners are the controller']],
  ['a number in place of a string of the server', { name: 'a', resourceVersion: 7, generation: '1' }, [
    'TC-ADMIT-FIELD-METADATA metadata.resourceVersion: 7 is not a string',
    'TC-ADMIT-FIELD-METADATA metadata.generation: "1" is not a whole number',
  ]],
])('refuses %s', (_, metadata, expected) => {
  expect(found(metadata)).toEqual(expected);
});

test.each([
  ['name', 'A'], ['name', 'a_b'], ['generateName', '-a'], ['namespace', 'a.b'], ['namespace', 'a'.repeat(64)],
])('refuses the %s %s', (field, value) => {
  expect(found({ name: 'a', [field]: value })).toEqual([expect.stringContaining(`TC-ADMIT-FIELD-METADATA metadata.${field}: `)]);
});

test.each(['a b', '/a', 'a/', 'a/b/c', '-a', 'a'.repeat(64), 'A_B/c'])('refuses the key %s', (key) => {
  expect(found({ name: 'a', labels: { [key]: 'x' } })).toEqual([expect.stringContaining('TC-ADMIT-FIELD-METADATA metadata.labels.')]);
});

test.each(['a b', '-a', 'a'.repeat(64)])('refuses the label %s', (label) => {
  expect(found({ name: 'a', labels: { x: label } })).toEqual([expect.stringContaining('TC-ADMIT-FIELD-METADATA metadata.labels.x: ')]);
});
