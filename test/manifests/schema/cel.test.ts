import { compileRule, rulesOf, ruleErrors } from './cel';
import { CrdSchemas } from './crd-schemas';
import {
  BGP_PEER, changed, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, MACHINE_HEALTH_CHECK,
  TENANT_CONTROL_PLANE,
} from './samples';
import { Json, JsonObject, StructuralSchema } from './structural-schema';
import { SchemaValidator } from './validate';

const validator = SchemaValidator.load();
const schemas = CrdSchemas.load();

test('every rule of the pinned definitions compiles', () => {
  const rules = schemas.all().flatMap(({ apiVersion, kind, schema }) => [...rulesOf(schema)].map(([path, rule]) => ({ at: `${apiVersion} ${kind} ${path}`, rule })));
  const failures = rules.flatMap(({ at, rule }) => [rule.rule, rule.messageExpression ?? 'true'].flatMap(expression => {
    try {
      compileRule(expression);
      return [];
    } catch (error) {
      return [`${at}: ${expression}: ${(error as Error).message}`];
    }
  }));
  expect(failures).toEqual([]);
  expect(rules.length).toBeGreaterThan(100);
});

test('a function that nobody knows does not compile', () => {
  expect(() => compileRule('self.frobnicate()')).toThrow(/frobnicate/);
  expect(() => compileRule('frobnicate(self)')).toThrow(/frobnicate/);
  expect(() => compileRule('self ==')).toThrow();
});

const privateKey = 'spec.tlsConfig.certificateAuthority.privateKey';
const sqlStore = changed(ETCD_DATA_STORE, {
  'spec.driver': 'PostgreSQL', 'spec.tlsConfig': undefined, 'spec.basicAuth': { username: { content: 'YQ==' }, password: { content: 'YQ==' } },
});

test.each<[object: JsonObject, changes: Record<string, Json | undefined>, error: string]>([
  [KAMAJI_CONTROL_PLANE, { 'spec.network.serviceType': 'ClusterIP', 'spec.network.loadBalancerConfig.loadBalancerSourceRanges': undefined },
    'spec.network: LoadBalancerClass is supported only with LoadBalancer service type'],
  [KAMAJI_CONTROL_PLANE, { 'spec.network.serviceType': 'ClusterIP', 'spec.network.loadBalancerConfig.loadBalancerClass': undefined },
    'spec.network: LoadBalancerSourceRanges are supported only with LoadBalancer service type'],
  [KAMAJI_CONTROL_PLANE, { 'spec.addons.konnectivity.agent.replicas': 1 },
    'spec.addons.konnectivity.agent: replicas must be 0 (or unset) when mode is DaemonSet'],
  [KAMAJI_CONTROL_PLANE, { 'spec.addons.konnectivity.agent': { mode: 'Deployment', replicas: 0 } },
    'spec.addons.konnectivity.agent: replicas must be 0 (or unset) when mode is DaemonSet'],
  [MACHINE_HEALTH_CHECK, { 'spec.checks.unhealthyMachineConditions': [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }] },
    'spec.checks.unhealthyMachineConditions[0].type: '],
  [ETCD_DATA_STORE, { [privateKey]: {} }, 'spec: certificateAuthority privateKey must have secretReference or content when driver is etcd'],
  [ETCD_DATA_STORE, { 'spec.tlsConfig': undefined }, 'spec: No such key: tlsConfig in the rule'],
  [sqlStore, { 'spec.basicAuth': undefined }, 'spec: When driver is not etcd, either tlsConfig or basicAuth must be provided'],
  [sqlStore, { 'spec.basicAuth.username': {} }, 'spec: When driver is not etcd and basicAuth exists, username must have secretReference or content'],
  [TENANT_CONTROL_PLANE, { 'spec.networkProfile.podCidrs': ['10.244.0.0/33'] }, 'spec.networkProfile.podCidrs: all podCidrs entries must be valid CIDRs'],
  [TENANT_CONTROL_PLANE, { 'spec.networkProfile.advertiseAddress': 'api.example.org' }, 'spec.networkProfile.advertiseAddress: advertiseAddress must be a valid IP'],
  [TENANT_CONTROL_PLANE, { 'spec.controlPlane.ingress': {}, 'spec.controlPlane.gateway': { hostname: 'a.example.org' } },
    'spec.controlPlane: using both ingress and gateway is not supported'],
  [HELM_RELEASE, { 'spec.chartRef': undefined }, 'spec: either chart or chartRef must be set'],
  [HELM_RELEASE, { 'spec.install.strategy.name': 'RemediateOnFailure' }, 'spec.install.strategy: '],
  [HELM_RELEASE, { 'spec.kubeConfig.configMapRef': { name: 'a' } }, 'spec.kubeConfig: '],
  [KUBEADM_CONFIG_TEMPLATE, { 'spec.template.spec.diskSetup': { partitions: [{ device: '/dev/vdb' }] } }, 'spec.template.spec.diskSetup.partitions[0]: '],
  [BGP_PEER, { 'spec.connectTime': '70000s' }, 'spec.connectTime: '],
  [BGP_PEER, { 'spec.connectTime': '1500ms' }, 'spec.connectTime: '],
])('refuses a broken rule: $kind %j', (object, changes, error) => {
  expect(validator.validate(object)).toEqual([]);
  const errors = validator.validate(changed(object, changes));
  expect(errors).not.toEqual([]);
  expect(errors[0]).toContain(error);
});

describe('transition rules', () => {
  test('run only with the object before', () => {
    const sql = changed(sqlStore, { 'spec.driver': 'MySQL' });
    expect(validator.validate(sql)).toEqual([]);
    expect(validator.validate(sql, sql)).toEqual([]);
    expect(validator.validate(sql, sqlStore)).toEqual([
      expect.stringContaining('spec: driver is immutable and cannot be changed after creation'),
      'spec.driver: Datastore driver is immutable, got "MySQL"',
    ]);
  });

  test('of a value that was not there before do not run', () => {
    const withoutUser = changed(KAMAJI_CONTROL_PLANE, { 'spec.dataStoreUsername': undefined });
    const withUser = changed(KAMAJI_CONTROL_PLANE, { 'spec.dataStoreUsername': 'a' });
    expect(validator.validate(withUser, withoutUser)).toEqual([]);
    expect(validator.validate(withUser, changed(withUser, { 'spec.dataStoreUsername': 'b' }))).toEqual([
      'spec.dataStoreUsername: changing the dataStoreUsername is not supported, got "a"',
    ]);
  });
});

describe('what the pinned definitions do not use', () => {
  function errors(schema: StructuralSchema, value: JsonObject, old?: JsonObject): string[] {
    return ruleErrors({ ...schema, type: 'object' }, value, old);
  }

  test('optionalOldSelf', () => {
    const rule = { rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true, message: 'fixed' };
    const schema: StructuralSchema = { properties: { a: { 'type': 'string', 'x-kubernetes-validations': [rule] } } };
    expect(errors(schema, { a: 'x' })).toEqual([]);
    expect(errors(schema, { a: 'x' }, { a: 'x' })).toEqual([]);
    expect(errors(schema, { a: 'x' }, { a: 'y' })).toEqual(['a: fixed, got "x"']);
  });

  test('entries of an object list are compared with the entry of the same key', () => {
    const item: StructuralSchema = {
      'type': 'object',
      'properties': { name: { type: 'string' }, value: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.value >= oldSelf.value', message: 'only up' }],
    };
    const map: StructuralSchema = { 'type': 'array', 'items': item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    const before = { list: [{ name: 'a', value: 1 }, { name: 'b', value: 5 }] };
    expect(errors({ properties: { list: map } }, { list: [{ name: 'b', value: 5 }, { name: 'c', value: 0 }] }, before)).toEqual([]);
    expect(errors({ properties: { list: map } }, { list: [{ name: 'b', value: 4 }] }, before)).toEqual(['list[0]: only up, got {"name":"b","value":4}']);
  });

  test('messageExpression and fieldPath', () => {
    const rule = { rule: 'self.min <= self.max', messageExpression: '"min %d is above max %d".format([self.min, self.max])', fieldPath: '.min' };
    const schema: StructuralSchema = { 'properties': { min: { type: 'integer' }, max: { type: 'integer' } }, 'x-kubernetes-validations': [rule] };
    expect(errors(schema, { min: 2, max: 1 })).toEqual(['object.min: min 2 is above max 1, got {"min":2,"max":1}']);
  });

  test('integers stay integers, other numbers stay doubles, int-or-string is either', () => {
    const types = (rule: string): StructuralSchema => ({
      'properties': { int: { type: 'integer' }, double: { type: 'number' }, either: { 'x-kubernetes-int-or-string': true } },
      'x-kubernetes-validations': [{ rule }],
    });
    expect(errors(types('type(self.int) == int && type(self.double) == double && self.int / 2 == 1'), { int: 3, double: 3 })).toEqual([]);
    expect(errors(types('type(self.either) == int && self.either > 3'), { either: 4 })).toEqual([]);
    expect(errors(types('type(self.either) == string && self.either.endsWith("%")'), { either: '4%' })).toEqual([]);
  });

  test('names that are no identifiers are escaped, names of a resource are visible, fields without schema are not', () => {
    const schema: StructuralSchema = {
      'properties': { 'namespace': { type: 'string' }, 'a-b.c': { type: 'string' }, 'free': { type: 'object', properties: { a: { type: 'string' } } } },
      'x-kubernetes-validations': [{ rule: 'has(self.__namespace__) && has(self.a__dash__b__dot__c) && self.metadata.name == "x" && !has(self.free.b)' }],
    };
    expect(errors(schema, { 'apiVersion': 'v1', 'kind': 'A', 'metadata': { name: 'x' }, 'namespace': 'n', 'a-b.c': '', 'free': { b: '' } })).toEqual([]);
  });
});
