import { checkExpression } from '../../../src/manifests/cel/check-expression';
import { celEnvironment } from '../../../src/manifests/cel/environment';
import { SchemaTypes } from '../../../src/manifests/cel/schema-types';
import { JsonSchema } from '../../../src/manifests/schema/schema-node';

const TEXT: JsonSchema = { type: 'string' };
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    name: TEXT,
    count: { type: 'integer' },
    share: { type: 'number' },
    names: { type: 'array', items: TEXT },
    labels: { type: 'object', additionalProperties: TEXT },
    port: { 'x-kubernetes-int-or-string': true },
    since: { type: 'string', format: 'date-time' },
    ports: { type: 'array', items: { type: 'object', properties: { number: { type: 'integer' } } } },
    free: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};

function check(expression: string, wanted: 'bool' | 'string' = 'bool'): string | undefined {
  const env = celEnvironment();
  const type = new SchemaTypes(env).of(SCHEMA, true)!;
  return checkExpression(env.registerVariable('self', type).registerVariable('oldSelf', type), expression, wanted);
}

test.each<[expression: string, message: string]>([
  ['self.name ==', 'it is not an expression in CEL: Unexpected token: EOF'],
  ['self.nam == "a"', 'there is no field nam'],
  ['self.free == "a"', 'there is no field free'],
  ['self.ports.all(p, p.port > 1)', 'there is no field port'],
  ['self.metadata.labels == {}', 'there is no field labels'],
  ['self.name', 'its result is a string in place of a bool'],
  ['self.names.size()', 'its result is a int in place of a bool'],
  ['self.name == 1', 'a string and a int cannot be operands of =='],
  ['self.count == self.share', 'a int and a double cannot be operands of =='],
  ['self.names.exists(n, n == 1)', 'a string and a int cannot be operands of =='],
  ['self.name + self.count == "a1"', 'a string and a int cannot be operands of +'],
  ['self.name.first == "a"', 'a string has no fields'],
  ['self.name.shout() == "A"', 'there is no function shout'],
  ['shout(self.name) == "A"', 'there is no function shout'],
  ['object.name == "a"', 'there is no variable object'],
])('%s is refused', (expression, message) => {
  expect(check(expression)).toBe(message);
});

test.each([
  'self.name == "a" && oldSelf.name == self.name',
  'self.count < self.share',
  'self.port == 1 || self.port == "http"',
  'self.metadata.name.startsWith(self.kind)',
  'self.since > timestamp("2026-01-01T00:00:00Z")',
  '"app" in self.labels && self.labels["app"] != ""',
  'self.ports.exists_one(p, p.number == 80)',
  '!has(self.name) || self.name.lowerAscii() == self.name',
  // Functions that only servers have are not judged.
  'sets.contains(self.names, ["a"])',
  'self.names.all(i, n, n != "" && i < 10)',
  'self.names.transformList(i, n, n + string(i)).size() > 0',
  'format.dns1123Label().validate(self.name).hasValue()',
  'semver(self.name).major() > 1',
  'self.`name` == "a"',
  '[?self.?name].size() == 1',
  'Object{spec: Object.spec{replicas: 1}} == self',
])('%s is accepted', (expression) => {
  expect(check(expression)).toBeUndefined();
});

test('a message is a string', () => {
  expect(check('"too many: " + string(self.count)', 'string')).toBeUndefined();
  expect(check('self.count', 'string')).toBe('its result is a int in place of a string');
});
