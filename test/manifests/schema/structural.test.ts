import {
  changed, CLUSTER, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_HEALTH_CHECK,
} from './samples';
import { structuralErrors } from './structural';
import { Json, StructuralSchema } from './structural-schema';
import { SchemaValidator } from './validate';

const validator = SchemaValidator.load();

test.each([
  CLUSTER, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_HEALTH_CHECK,
])('accepts a good $kind', object => {
  expect(validator.validate(object)).toEqual([]);
});

test('lets everything pass where unknown fields are preserved, null included', () => {
  expect(validator.validate(changed(HELM_RELEASE, { 'spec.values': { a: [{ b: null }] } }))).toEqual([]);
});

test('refuses kinds and versions without a schema', () => {
  expect(validator.validate(changed(CLUSTER, { apiVersion: 'cluster.x-k8s.io/v2' }))).toEqual([
    'kind: no schema is known for "cluster.x-k8s.io/v2", got "Cluster"',
  ]);
  expect(validator.validate('Cluster')).toEqual(['object: must be an object, got "Cluster"']);
  expect(validator.knows('cluster.x-k8s.io/v1beta2', 'Cluster')).toBe(true);
  expect(validator.knows('apps/v2', 'Deployment')).toBe(false);
});

describe('what the pinned definitions do not use', () => {
  function errors(schema: StructuralSchema, value: Json): string[] {
    const root: StructuralSchema = { type: 'object', properties: { spec: schema } };
    return structuralErrors({ apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec: value }, root, { scope: 'Cluster' });
  }

  test.each<[what: string, schema: StructuralSchema, good: Json, bad: Json]>([
    ['oneOf', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: '' }, { a: '', b: '' }],
    ['not', { type: 'string', not: { enum: ['x'] } }, 'y', 'x'],
    ['allOf', { type: 'string', allOf: [{ minLength: 1 }, { maxLength: 2 }] }, 'ab', 'abc'],
    ['nested values in anyOf', { type: 'object', properties: { a: { type: 'integer' } }, anyOf: [{ properties: { a: { minimum: 3 } } }] }, { a: 3 }, { a: 2 }],
    ['exclusive minimum', { type: 'number', minimum: 1, exclusiveMinimum: true }, 1.5, 1],
    ['exclusive maximum', { type: 'number', maximum: 1, exclusiveMaximum: true }, 0.5, 1],
    ['multipleOf', { type: 'integer', multipleOf: 5 }, 10, 11],
    ['maxProperties', { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } }, { a: '' }, { a: '', b: '' }],
    ['date-time', { type: 'string', format: 'date-time' }, '2026-01-31T10:00:00Z', '2026-01-31 10:00'],
    ['ipv4', { type: 'string', format: 'ipv4' }, '192.0.2.1', 'fd00::1'],
    ['cidr', { type: 'string', format: 'cidr' }, 'fd00::/8', '192.0.2.0/33'],
    ['byte', { type: 'string', format: 'byte' }, 'aGk=', 'a'],
    ['int64', { type: 'integer', format: 'int64' }, 2 ** 40, 2 ** 64],
    ['embedded resource', { 'type': 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { a: 'b' } }, data: {} }, { apiVersion: 'v1', data: {} }],
    ['metadata of an embedded resource', { 'type': 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      { apiVersion: 'v1', kind: 'ConfigMap' }, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { label: {} } }],
    ['known fields where unknown ones are preserved',
      { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true, 'properties': { a: { type: 'object', properties: { b: { type: 'string' } } } } },
      { c: 1, a: { b: '' } }, { a: { c: 1 } }],
  ])('%s', (_, schema, good, bad) => {
    expect(errors(schema, good)).toEqual([]);
    expect(errors(schema, bad)).not.toEqual([]);
  });
});
