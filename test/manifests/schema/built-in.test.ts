import { changed } from './samples';
import { Json, JsonObject } from './structural-schema';
import { SchemaValidator } from './validate';

const validator = SchemaValidator.load();

const metadata = { name: 'acme', namespace: 'tenant-acme' };
const NAMESPACE: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-acme', labels: { tenant: 'acme' } } };
const CONFIG_MAP: JsonObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'values.yaml': 'a: 1' }, binaryData: { b: 'aGk=' }, immutable: true };
const BUDGET: JsonObject = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: { maxUnavailable: '25%', selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] } },
};

test.each([NAMESPACE, CONFIG_MAP, BUDGET])('accepts a good $kind', object => {
  expect(validator.knows(object.apiVersion as string, object.kind as string)).toBe(true);
  expect(validator.validate(object)).toEqual([]);
  expect(validator.missingDefaults(object)).toEqual([]);
});

test.each<[object: JsonObject, changes: Record<string, Json | undefined>, error: string]>([
  [NAMESPACE, { 'metadata.name': 'tenant.acme' }, 'metadata.name: must be a DNS label'],
  [NAMESPACE, { 'metadata.namespace': 'a' }, 'metadata.namespace: must be absent'],
  [NAMESPACE, { data: {} }, 'data: there is no field'],
  [CONFIG_MAP, { 'metadata.namespace': undefined }, 'metadata.namespace: required'],
  [CONFIG_MAP, { spec: {} }, 'spec: there is no field'],
  [CONFIG_MAP, { 'data.count': 1 }, 'data.count: 1 is not a string'],
  [CONFIG_MAP, { 'data.a b': '' }, 'data[a b]: a key has'],
  [CONFIG_MAP, { 'data.b': '' }, 'data[b]: must not be in binaryData too'],
  [CONFIG_MAP, { 'binaryData.c': 'a' }, 'binaryData.c: "a" is not a string of the format byte'],
  [CONFIG_MAP, { 'data.c': 'x'.repeat(1024 * 1024) }, 'data: must have at most 1048576 bytes'],
  [BUDGET, { 'spec.minAvailable': 1 }, 'is excluded by {"required":["minAvailable","maxUnavailable"]}'],
  [BUDGET, { 'spec.maxUnavailable': '25' }, 'spec.maxUnavailable: "25" does not match the pattern'],
  [BUDGET, { 'spec.maxUnavailable': -1 }, 'spec.maxUnavailable: -1 is too small'],
  [BUDGET, { 'spec.selector.matchLabel': {} }, 'spec.selector.matchLabel: there is no field'],
  [BUDGET, { 'spec.selector.matchExpressions': [{ key: 'c', operator: 'In' }] }, 'spec.selector.matchExpressions[0]: an object with key, operator fits 0 of the alternatives'],
])('refuses $kind %j', (object, changes, error) => {
  expect(validator.validate(changed(object, changes))).toEqual([expect.stringContaining(error)]);
});
