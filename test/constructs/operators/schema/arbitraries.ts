import * as fc from 'fast-check';
import { ListType } from '../../../../src/constructs/operators/schema/list-type';
import { Schema } from '../../../../src/constructs/operators/schema/schema';

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
