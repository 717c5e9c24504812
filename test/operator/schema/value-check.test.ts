import * as fc from 'fast-check';
import { schemas, values, valuesFor } from './arbitraries';
import { defaulted } from '../../../src/operator/schema/defaulted';
import { Json, JsonSchema } from '../../../src/operator/schema/json-schema';
import { Schema } from '../../../src/operator/schema/schema';
import { checkValue } from '../../../src/operator/schema/value-check';
import { applyDefaults } from '../../schema/defaults';
import { structuralErrors } from '../../schema/structural';
import { JsonObject, StructuralSchema } from '../../schema/structural-schema';

/** What an API server with strict field validation finds in a field `spec`. */
function serverErrors(schema: JsonSchema, value: Json): string[] {
  const object = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'a', namespace: 'b' }, spec: value };
  return structuralErrors(object, { type: 'object', properties: { spec: schema as StructuralSchema } }, { scope: 'Namespaced' });
}

const pairs = schemas.chain((schema) => fc.tuple(
  fc.constant(schema), fc.oneof({ weight: 3, arbitrary: valuesFor(schema._json) }, { weight: 1, arbitrary: values }),
));

test('a value is refused exactly when an API server would refuse it, or drop a part of it', () => {
  let [accepted, refused] = [0, 0];
  fc.assert(fc.property(pairs, ([{ _json: schema }, value]) => {
    const found = checkValue(schema, value, 'spec');
    const expected = serverErrors(schema, value);
    if (expected.length > 0) refused++;
    else accepted++;
    expect({ refused: found.length > 0, found, expected }).toMatchObject({ refused: expected.length > 0 });
  }), { numRuns: 3000 });

  // Of both there is enough for the comparison to mean something.
  expect(accepted).toBeGreaterThan(300);
  expect(refused).toBeGreaterThan(300);
});

test('defaults are those that an API server writes', () => {
  const withDefaults = Schema.object({
    properties: {
      a: Schema.integer({ default: 1 }),
      b: Schema.object({ properties: { c: Schema.string({ default: 'x' }) }, default: {} }),
      d: Schema.array(Schema.object({ properties: { e: Schema.boolean({ default: true }) } })),
      f: Schema.map(Schema.object({ properties: { g: Schema.number({ default: 0.5 }) } })),
    },
  })._json;
  fc.assert(fc.property(valuesFor(withDefaults), (value) => {
    fc.pre(typeof value === 'object' && !Array.isArray(value));
    expect(defaulted(withDefaults, value)).toEqual(applyDefaults(value as JsonObject, withDefaults as StructuralSchema).object);
  }));
  expect(defaulted(withDefaults, {})).toEqual({ a: 1, b: { c: 'x' } });
});

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
  [{ size: 11 }, 'spec.size', '11 is too large'],
  [{ size: 1.5 }, 'spec.size', '1.5 is not a whole number'],
  [{}, 'spec.size', 'it is required'],
  [{ size: 1, color: 'green' }, 'spec.color', '"green" is none of the values'],
  [{ size: 1, ports: [{ name: 'http' }, { name: 'metrics' }] }, 'spec.ports[1].name', 'it has 7 characters'],
  [{ size: 1, ports: [{ port: 80 }] }, 'spec.ports[0].name', 'it is required'],
  [{ size: 1, ports: {} }, 'spec.ports', '{} is not a list'],
  [{ size: 1, labels: { 'a.b/c': 1 } }, 'spec.labels["a.b/c"]', '1 is not a text'],
  [{ size: 1, sise: 2 }, 'spec.sise', 'there is no field "sise"'],
  [{ size: null }, 'spec.size', 'it is null'],
  [{ size: 1, template: { kind: 'Pod' } }, 'spec.template.apiVersion', 'needs it'],
])('%j is refused at %s', (value, path, text) => {
  const found = checkValue(POOL, value, 'spec');

  expect(found).toContainEqual(expect.objectContaining({ path, message: expect.stringContaining(text) }));
  expect(found.filter((one) => one.path !== path && one.path !== 'spec.size')).toEqual([]);
});

test('what was meant is said', () => {
  expect(checkValue(POOL, { size: 1, colour: 'red' }, 'spec')).toMatchObject([{ fix: 'did you mean color?', accepted: 'color, labels, note, ports, size, template' }]);
  expect(checkValue(POOL, { size: 0 }, 'spec')).toMatchObject([{ accepted: 'numbers from 1' }]);
  expect(checkValue(Schema.string({ pattern: '^a' })._json, 'b', 'spec')).toMatchObject([{ accepted: 'texts that match ^a' }]);
});

test('null is a value where the schema says so', () => {
  expect(checkValue(POOL, { size: 1, note: null }, 'spec')).toEqual([]);
});
