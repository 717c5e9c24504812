import {
  changed, CLUSTER, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_HEALTH_CHECK,
} from './samples';
import { structuralErrors } from './structural';
import { Json, JsonObject, StructuralSchema } from './structural-schema';
import { SchemaValidator } from './validate';

let validator: SchemaValidator;
beforeAll(async () => {
  validator = await SchemaValidator.load();
});

test.each([
  CLUSTER, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_HEALTH_CHECK,
])('accepts a good $kind', object => {
  expect(validator.validate(object)).toEqual([]);
});

const nodeRegistration = 'spec.template.spec.joinConfiguration.nodeRegistration';
const virtualMachine = 'spec.template.spec.virtualMachineTemplate.spec';

test.each<[why: string, object: JsonObject, changes: Record<string, Json | undefined>, errors: string[]]>([
  ['unknown field', CLUSTER, { 'spec.paused2': true }, ['spec.paused2: unknown field, got true']],
  ['unknown field at the root', CLUSTER, { data: {} }, ['data: unknown field, got {}']],
  ['unknown field deep inside', KUBEVIRT_MACHINE_TEMPLATE, { [`${virtualMachine}.template.spec.domain.cpus`]: 4 },
    [`${virtualMachine}.template.spec.domain.cpus: unknown field, got 4`]],
  ['a reference as in v1beta1', CLUSTER, { 'spec.controlPlaneRef.namespace': 'tenant-acme' },
    ['spec.controlPlaneRef.namespace: unknown field, got "tenant-acme"']],
  ['missing required field', CLUSTER, { 'spec.controlPlaneRef.name': undefined }, ['spec.controlPlaneRef.name: required, got nothing']],
  ['empty struct', CLUSTER, { 'spec.clusterNetwork': {} }, ['spec.clusterNetwork: must have at least 1 fields, got 0']],
  ['empty struct in a bootstrap template', KUBEADM_CONFIG_TEMPLATE, { [nodeRegistration]: {} },
    [`${nodeRegistration}: must have at least 1 fields, got 0`]],
  ['null', CLUSTER, { 'spec.clusterNetwork.services': null }, ['spec.clusterNetwork.services: must not be null']],
  ['null where the schema allows it', KUBEVIRT_MACHINE_TEMPLATE, { [`${virtualMachine}.template.metadata`]: null },
    [`${virtualMachine}.template.metadata: must not be null`]],
  ['map in place of a list', KUBEADM_CONFIG_TEMPLATE, { [`${nodeRegistration}.kubeletExtraArgs`]: { 'cloud-provider': 'external' } },
    [`${nodeRegistration}.kubeletExtraArgs: must be of type array, got {"cloud-provider":"external"}`]],
  ['string in place of an integer', KAMAJI_CONTROL_PLANE, { 'spec.replicas': '2' }, ['spec.replicas: must be of type integer, got "2"']],
  ['fraction in place of an integer', KAMAJI_CONTROL_PLANE, { 'spec.replicas': 1.5 }, ['spec.replicas: must be of type integer, got 1.5']],
  ['number in place of a string', KAMAJI_CONTROL_PLANE, { 'spec.version': 1.35 }, ['spec.version: must be of type string, got 1.35']],
  ['integer beyond int32', KAMAJI_CONTROL_PLANE, { 'spec.replicas': 2 ** 31 }, ['spec.replicas: must be in the range of int32, got 2147483648']],
  ['boolean where an integer or string belongs', MACHINE_HEALTH_CHECK, { 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo': true },
    ['spec.remediation.triggerIf.unhealthyLessThanOrEqualTo: must be of type integer or string, got true']],
  ['quantity with a wrong unit', KAMAJI_CONTROL_PLANE, { 'spec.apiServer.resources.requests.memory': '512MB' },
    [expect.stringMatching(/^spec\.apiServer\.resources\.requests\[memory\]: must match the pattern .*, got "512MB"$/) as string]],
  ['enum', KAMAJI_CONTROL_PLANE, { 'spec.network.serviceType': 'External' },
    [expect.stringMatching(/^spec\.network\.serviceType: must be one of .*"LoadBalancer".*, got "External"$/) as string]],
  ['duration in days', HELM_RELEASE, { 'spec.interval': '1d' },
    ['spec.interval: must match the pattern ^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$, got "1d"']],
  ['empty string', KUBEADM_CONFIG_TEMPLATE, { [`${nodeRegistration}.name`]: '' }, [`${nodeRegistration}.name: must have at least 1 characters, got 0`]],
  ['empty list', KUBEADM_CONFIG_TEMPLATE, { 'spec.template.spec.preKubeadmCommands': [] },
    ['spec.template.spec.preKubeadmCommands: must have at least 1 items, got 0']],
  ['number above the maximum', CLUSTER, { 'spec.clusterNetwork.apiServerPort': 65536 },
    ['spec.clusterNetwork.apiServerPort: must be at most 65535, got 65536']],
  ['number below the minimum', CLUSTER, { 'spec.clusterNetwork.apiServerPort': 0 },
    ['spec.clusterNetwork.apiServerPort: must be at least 1, got 0']],
  ['duplicate in a set', KAMAJI_CONTROL_PLANE, { 'spec.kubelet.preferredAddressTypes': ['InternalIP', 'Hostname', 'InternalIP'] },
    ['spec.kubelet.preferredAddressTypes[2]: duplicate of spec.kubelet.preferredAddressTypes[0], got "InternalIP"']],
  ['duplicate key in a map list', CLUSTER, { 'spec.availabilityGates': [{ conditionType: 'A' }, { conditionType: 'B' }, { conditionType: 'A', polarity: 'Negative' }] },
    ['spec.availabilityGates[2]: duplicate of spec.availabilityGates[0], got {"conditionType":"A","polarity":"Negative"}']],
])('refuses: %s', (_, object, changes, errors) => {
  expect(validator.validate(changed(object, changes))).toEqual(errors);
});

test('counts the length of a string in code points', () => {
  const content = (text: string) => changed(KUBEADM_CONFIG_TEMPLATE, { 'spec.template.spec.files': [{ path: '/etc/a', content: text }] });
  expect(validator.validate(content('🐈'.repeat(10240)))).toEqual([]);
  expect(validator.validate(content('a'.repeat(10241)))).toEqual([
    'spec.template.spec.files[0].content: must have at most 10240 characters, got 10241',
  ]);
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
