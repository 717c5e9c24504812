import { ListType, MapType } from '../../../src/constructs/operators/schema/list-type';
import { Schema } from '../../../src/constructs/operators/schema/schema';
import { checkValue } from '../../../src/manifests/schema/check-value';
import { withDefaults } from '../../../src/manifests/schema/defaults';
import { faultWords } from '../../../src/manifests/schema/finding-words';
import { compileSchema, Json, JsonSchema } from '../../../src/manifests/schema/schema-node';
import { fieldText } from '../../../src/manifests/values/fields';

/** Findings in a value with its defaults, in words. */
function findingsIn(schema: JsonSchema, value: Json) {
  const node = compileSchema(schema);
  return checkValue(node, withDefaults(node, value) as Json).map((finding) => (
    { path: fieldText(finding.path), ...faultWords(finding, finding.path) }));
}

const POOL = Schema.object({
  properties: {
    size: Schema.integer({ minimum: 1, maximum: 10 }),
    color: Schema.string({ enum: ['red', 'blue'] }),
    ports: Schema.array(Schema.object({ properties: { name: Schema.string({ maxLength: 5 }), port: Schema.intOrString() }, required: ['name'] })),
    labels: Schema.map(Schema.string()),
    note: Schema.string({ nullable: true }),
    template: Schema.embeddedResource(),
  },
  required: ['size'],
})._json;

test.each<[value: Json, path: string, text: string]>([
  [{ size: 11 }, 'size', '11 is too large'],
  [{ size: 1.5 }, 'size', '1.5 is not a whole number'],
  [{}, 'size', 'it is required'],
  [{ size: 1, color: 'green' }, 'color', '"green" is none of the choices'],
  [{ size: 1, ports: [{ name: 'http' }, { name: 'metrics' }] }, 'ports[1].name', 'it has 7 characters'],
  [{ size: 1, ports: [{ port: 80 }] }, 'ports[0].name', 'it is required'],
  [{ size: 1, ports: {} }, 'ports', 'an empty object is not a list'],
  [{ size: 1, labels: { 'a.b/c': 1 } }, 'labels["a.b/c"]', '1 is not a string'],
  [{ size: 1, sise: 2 }, 'sise', 'there is no field "sise"'],
  [{ size: null }, 'size', 'it is required'],
  [{ size: 1, color: null }, 'color', 'nothing is written, which is null'],
  [{ size: 1, template: { kind: 'Pod' } }, 'template.apiVersion', 'it is required'],
])('%j is refused at %s', (value, path, text) => {
  const found = findingsIn(POOL, value);

  expect(found).toContainEqual(expect.objectContaining({ path, message: expect.stringContaining(text) }));
  expect(found.filter((one) => one.path !== path && one.path !== 'size')).toEqual([]);
});

test('what is accepted is said, and what was meant', () => {
  expect(findingsIn(POOL, { size: 1, colour: 'red' })).toMatchObject([{ fix: 'did you mean "color"?', accepted: 'color, labels, note, ports, size, template' }]);
  expect(findingsIn(POOL, { size: 0 })).toMatchObject([{ accepted: 'at least 1 and at most 10' }]);
  expect(findingsIn(Schema.string({ pattern: '^a' })._json, 'b')).toMatchObject([{ accepted: 'a string that matches ^a' }]);
  expect(findingsIn(Schema.number({ minimum: 1, exclusiveMinimum: true })._json, 1)).toMatchObject([{ message: '1 is too small', accepted: 'more than 1' }]);
  expect(findingsIn(Schema.number({ multipleOf: 0.5 })._json, 0.7)).toMatchObject([{ message: '0.7 is not a multiple of 0.5' }]);
});

describe('null', () => {
  const nullable = Schema.string({ nullable: true, format: 'ipv4', minLength: 7 });

  test.each<[place: string, schema: JsonSchema, value: Json]>([
    ['a field', POOL, { size: 1, note: null }],
    ['a field with limits', Schema.object({ properties: { address: nullable } })._json, { address: null }],
    ['a required field', Schema.object({ properties: { address: nullable }, required: ['address'] })._json, { address: null }],
    ['an object', Schema.object({ properties: { owner: Schema.object({ properties: { name: Schema.string() }, required: ['name'], nullable: true }) } })._json, { owner: null }],
    ['an entry of a list', Schema.array(nullable)._json, ['192.0.2.1', null]],
    ['a value of an object', Schema.map(nullable)._json, { a: null }],
  ])('is accepted in %s that is nullable', (_, schema, value) => {
    expect(findingsIn(schema, value)).toEqual([]);
  });

  test.each<[place: string, schema: JsonSchema, value: Json, path: string]>([
    ['a field', Schema.object({ properties: { address: Schema.string() } })._json, { address: null }, 'address'],
    ['an entry of a list', Schema.array(Schema.string())._json, ['a', null], '[1]'],
    ['a value of an object', Schema.map(Schema.string())._json, { a: null }, 'a'],
  ])('is refused in %s that is not', (_, schema, value, path) => {
    expect(findingsIn(schema, value)).toMatchObject([{ path, message: expect.stringContaining('null') }]);
  });

  test('does not count as a field, unless the field is nullable', () => {
    const schema = (isNullable: boolean) => Schema.object({ properties: { a: Schema.string({ nullable: isNullable }) }, required: ['a'], minProperties: 1 })._json;
    expect(findingsIn(schema(true), { a: null })).toEqual([]);
    expect(findingsIn(schema(false), { a: null })).toMatchObject([{ path: 'a', message: expect.stringContaining('required') }]);
  });

  test('a nullable field still has its limits', () => {
    expect(findingsIn(Schema.array(nullable)._json, ['2001:db8::1', '1'])).toMatchObject([{ path: '[0]' }, { path: '[1]' }]);
  });
});

test.each(['date', 'date-time', 'ipv4', 'ipv6', 'cidr', 'uuid', 'byte'])('a string that cannot have the format %s is refused', (format) => {
  expect(findingsIn({ type: 'string', format }, 'a b')).toMatchObject([{ message: expect.stringContaining('"a b"') }]);
});

// The API server checks them.
test.each(['hostname', 'isbn'])('strings of the format %s are not checked', (format) => {
  expect(findingsIn({ type: 'string', format }, 'a b')).toEqual([]);
});

test('a field with a default need not be set', () => {
  const schema = Schema.object({ properties: { a: Schema.integer({ default: 1 }) }, required: ['a'], minProperties: 1 })._json;
  expect(([{}, { a: null }] as Json[]).map((value) => findingsIn(schema, value))).toEqual([[], []]);
});

test.each<[keyword: string, schema: JsonSchema, value: Json, message: string]>([
  ['allOf', { type: 'object', allOf: [{ required: ['a'] }] }, {}, 'it is required, and it is not there'],
  ['anyOf', { type: 'string', anyOf: [{ minLength: 3 }, { pattern: '^a' }] }, 'b', '"b" fits none of the alternatives'],
  ['oneOf', { type: 'string', oneOf: [{ minLength: 3 }, { pattern: '^a' }] }, 'abc', '"abc" fits 2 of the alternatives'],
  ['not', { type: 'string', not: { pattern: '^a' } }, 'abc', '"abc" is excluded by {"pattern":"^a"}'],
])('%s', (_, schema, value, message) => {
  expect(findingsIn(schema, value)).toMatchObject([{ message }]);
});

test('objects in a set must differ, whatever the order of their keys', () => {
  const items = Schema.object({ properties: { a: Schema.integer(), b: Schema.integer() }, mapType: MapType.ATOMIC });
  expect(findingsIn(Schema.array(items, { listType: ListType.SET })._json, [{ a: 1, b: 2 }, { b: 2, a: 1 }])).toMatchObject([{ path: '[1]' }]);
});
