import * as fc from 'fast-check';
import { Json, JsonObject, JsonSchema } from '../../../src/operator/schema/json-schema';
import { ListType } from '../../../src/operator/schema/list-type';
import { Schema } from '../../../src/operator/schema/schema';

const NAMES = ['a', 'b', 'c', 'x.y/z'];
const TEXTS = ['', 'a', 'ab', 'abc', 'A-1', '10.0.0.1', '300.0.0.1', '2001:db8::1', '10.0.0.0/8', 'aGk=', 'aGk', '12%', '2026-01-31', '\u{1f600}', '00000000-0000-4000-8000-000000000000'];
const PATTERNS = ['^[a-z]+$', '[[:upper:]]', '^\\d+%$', '^.{2,3}$', '\\.', '^(a|ab)$', '^[^a-c]*$'];
const FORMATS = ['ipv4', 'ipv6', 'cidr', 'byte', 'date', 'uuid', 'password'];

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const small = fc.integer({ min: 0, max: 3 });
const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 });

const text = fc.record({
  enum: maybe(fc.uniqueArray(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 3 })),
  pattern: maybe(fc.constantFrom(...PATTERNS)),
  minLength: maybe(small),
  maxLength: maybe(small),
  format: maybe(fc.constantFrom(...FORMATS)),
}).map((options) => Schema.string(options));

const number = fc.record({
  minimum: maybe(fc.integer({ min: -3, max: 3 })),
  maximum: maybe(fc.integer({ min: -3, max: 3 })),
  exclusiveMinimum: fc.boolean(),
  exclusiveMaximum: fc.boolean(),
  multipleOf: maybe(fc.constantFrom(1, 2, 0.5)),
  enum: maybe(fc.uniqueArray(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 3 })),
});

const scalar = fc.oneof(
  text,
  number.map((options) => Schema.integer(options)),
  maybe(fc.constantFrom('int32', 'int64')).map((format) => Schema.integer({ format })),
  number.map((options) => Schema.number(options)),
  fc.constant(Schema.boolean()),
  maybe(fc.constantFrom(...PATTERNS)).map((pattern) => Schema.intOrString({ pattern })),
);

/** Schemas of all kinds that the builder makes. */
export const schemas: fc.Arbitrary<Schema> = fc.letrec<{ any: Schema }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.record({
      properties: names.chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, tie('any')])))),
      required: names,
      minProperties: maybe(small),
      maxProperties: maybe(small),
      preserveUnknownFields: fc.boolean(),
    }).map((options) => Schema.object(options)),
    fc.record({ items: tie('any'), minItems: maybe(small), maxItems: maybe(small) }).map(({ items, ...options }) => Schema.array(items, options)),
    scalar.map((items) => Schema.array(items, { listType: ListType.SET })),
    fc.record({ a: scalar, b: scalar }).map((properties) => Schema.array(Schema.object({ properties, required: ['a'] }), { listType: ListType.map('a') })),
    fc.record({ values: tie('any'), minProperties: maybe(small), maxProperties: maybe(small) }).map(({ values, ...options }) => Schema.map(values, options)),
    fc.constant(Schema.preserveUnknownFields()),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map((required) => Schema.of({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } },
      oneOf: required.map((name) => ({ required: [name] })),
      not: { properties: { b: { minimum: 3 } }, required: ['b'] },
    })),
    fc.constant(Schema.embeddedResource()),
  ),
})).any;

const leaf = fc.oneof(fc.constantFrom(...TEXTS), fc.integer({ min: -4, max: 4 }), fc.constantFrom(0.5, 3e9, -(2 ** 31)), fc.boolean());

/** Values without null, which the two sides take differently on purpose. */
export const values: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, 'apiVersion', 'kind'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

/** Values that look like what a schema describes: some fit, some just do not. */
export function valuesFor(schema: JsonSchema): fc.Arbitrary<Json> {
  const { properties = {}, additionalProperties, items, enum: allowed } = schema;
  if (allowed) return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...allowed) }, values);
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(fc.constantFrom<Json>(...TEXTS), fc.integer({ min: 0, max: 4 }));
  switch (schema.type) {
    case 'string': return fc.constantFrom(...TEXTS);
    case 'integer': return fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(3e9, -(2 ** 31)));
    case 'number': return fc.constantFrom(-3, -0.5, 0, 0.5, 1, 1.25, 2);
    case 'boolean': return fc.boolean();
    case 'array': return fc.array(items ? valuesFor(items) : values, { maxLength: 4 });
    default:
  }
  if (typeof additionalProperties === 'object') return fc.dictionary(fc.constantFrom(...NAMES), valuesFor(additionalProperties), { maxKeys: 3 });
  if (Object.keys(properties).length === 0) return fc.dictionary(fc.constantFrom(...NAMES, 'apiVersion', 'kind'), values, { maxKeys: 3 });
  const fields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, valuesFor(child)])),
    { requiredKeys: [...(schema.required ?? [])].filter((name) => name in properties) },
  ) as fc.Arbitrary<JsonObject>;
  const withMore = fc.tuple(fields, values).map(([object, extra]): Json => ({ ...object, extra }));
  return fc.oneof({ weight: 4, arbitrary: fields }, { weight: 1, arbitrary: withMore });
}
