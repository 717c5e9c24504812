import { applyDefaults, defaultsMissing } from './defaults';
import { changed, HELM_RELEASE, KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from './samples';
import { JsonObject, StructuralSchema } from './structural-schema';
import { SchemaValidator } from './validate';

const validator = SchemaValidator.load();

const plain = changed(KAMAJI_CONTROL_PLANE, { 'spec.addons': undefined });

test('a complete object lacks nothing', () => {
  expect(validator.missingDefaults(plain)).toEqual([]);
});

test('KamajiControlPlane: everything that a server adds', () => {
  const missing = { 'spec.kubelet': undefined, 'spec.replicas': undefined, 'spec.registry': undefined, 'spec.network.serviceType': undefined };
  expect(validator.missingDefaults(changed(plain, missing)).sort()).toEqual([
    'spec.kubelet: {"cgroupfs":"systemd","preferredAddressTypes":["InternalIP","ExternalIP","Hostname"]}',
    'spec.network.serviceType: "LoadBalancer"',
    'spec.registry: "registry.k8s.io"',
    'spec.replicas: 2',
  ]);
});

test('a part of an object that is given has its own defaults only', () => {
  expect(validator.missingDefaults(changed(plain, { 'spec.kubelet': { cgroupfs: 'systemd' } }))).toEqual([
    'spec.kubelet.preferredAddressTypes: ["InternalIP","ExternalIP","Hostname"]',
  ]);
  expect(validator.missingDefaults(changed(plain, { 'spec.kubelet': { preferredAddressTypes: ['Hostname'] } }))).toEqual([]);
});

test('parts of objects that are absent are not asked for, status neither', () => {
  expect(validator.missingDefaults(HELM_RELEASE)).toEqual([]);
});

test('the allow-list names paths, with a wildcard for positions', () => {
  const service = { name: 'web', port: 80, targetPort: 80 };
  const object = changed(plain, { 'spec.network.additionalServicePorts': [service, { ...service, name: 'tls', protocol: 'TCP' }] });
  expect(validator.missingDefaults(object)).toEqual(['spec.network.additionalServicePorts[0].protocol: "TCP"']);
  expect(validator.missingDefaults(object, ['spec.network.additionalServicePorts[*].protocol'])).toEqual([]);
  expect(validator.missingDefaults(object, ['spec.network.additionalServicePorts[0].protocol'])).toEqual([]);
  expect(validator.missingDefaults(object, ['spec.network.additionalServicePorts[1].protocol'])).toHaveLength(1);
});

test('validation sees the defaults, as on a server', () => {
  const ranges = { 'spec.network.serviceType': undefined };
  expect(validator.validate(changed(KAMAJI_CONTROL_PLANE, ranges))).toEqual([]);
  expect(validator.missingDefaults(TENANT_CONTROL_PLANE)).toContain('spec.networkProfile.port: 6443');
});

describe('details of defaulting', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 0 } } } },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { b: { type: 'boolean', default: false } } } },
      whole: { type: 'object', default: {}, properties: { c: { type: 'string', default: 'x' } } },
    },
  };

  test('reaches into lists, maps and defaults of defaults, and leaves the input alone', () => {
    const object: JsonObject = { list: [{}, { a: 1 }], map: { 'k.8': {} } };
    const before = structuredClone(object);
    const { object: stored, added } = applyDefaults(object, schema);
    expect(stored).toEqual({ list: [{ a: 0 }, { a: 1 }], map: { 'k.8': { b: false } }, whole: { c: 'x' } });
    expect(added).toEqual(['list[0].a: 0', 'map[k.8].b: false', 'whole: {}']);
    expect(object).toEqual(before);
    expect(defaultsMissing(object, schema, ['list[*].a', 'map[*].b'])).toEqual(['whole: {}']);
  });
});
