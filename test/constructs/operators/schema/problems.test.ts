import { nested, ruled, SCHEMA_CASES } from './cases';
import { checkSchema } from '../../../../src/constructs/operators/schema/check-schema';
import { ListType } from '../../../../src/constructs/operators/schema/list-type';
import { Schema } from '../../../../src/constructs/operators/schema/schema';
import { crdProblems, foo, versionWith } from '../definitions';

const PLACE = 'versions[0].schema';

test.each(SCHEMA_CASES)('%s: %j', (id, spec, path, text) => {
  const found = crdProblems({ versions: [versionWith(Schema.object({ properties: { spec } }))] });

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['types/foo', id]]);
  expect(found[0].text).toContain(`${PLACE}.${path}: `);
  expect(found[0].text).toContain(text);
});

test.each<[string, Schema, string]>([
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.string(), 'the schema of a version describes string'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.map(Schema.string()), 'the schema of a version is an object'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.object({ nullable: true }), 'the whole object may be null'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.object({ properties: { metadata: Schema.object({ properties: { labels: Schema.object() } }) } }), 'the schema limits metadata'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.object({ properties: { metadata: Schema.string() } }), 'metadata is described as string'],
  ['TC-CRD-DEFAULT', Schema.object({ default: {} }), 'writes no whole objects'],
  ['TC-CRD-DEFAULT', Schema.object({ properties: { kind: Schema.string({ default: 'a' }) } }), 'apiVersion, kind or metadata of the object'],
])('%s at the top of a schema: %j', (id, schema, text) => {
  expect(crdProblems({ versions: [versionWith(schema)] })).toMatchObject([{ id, text: expect.stringContaining(text) }]);
});

test.each<[string, Schema]>([
  ['limits of a name', Schema.object({ properties: { metadata: Schema.object({ properties: { name: Schema.string({ maxLength: 20 }) } }) } })],
  ['a number or text in the old form', Schema.object({ properties: { spec: Schema.of({ 'x-kubernetes-int-or-string': true, 'anyOf': [{ type: 'integer' }, { type: 'string' }] }) } })],
  ['the old form in allOf', Schema.object({ properties: { spec: Schema.of({ 'x-kubernetes-int-or-string': true, 'allOf': [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }] }) } })],
  ['alternatives', Schema.object({ properties: { spec: Schema.of({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'], properties: { b: { minLength: 1 } } }] }) } })],
  ['words for readers', Schema.object({ properties: { spec: Schema.of({ type: 'string', example: { a: 1 }, externalDocs: { url: 'https://example.com', description: 'More.' } }) } })],
  ['a field of any type', Schema.object({ properties: { spec: Schema.of({ 'x-kubernetes-preserve-unknown-fields': true }) } })],
  ['transition rules where the old value is found', Schema.object({
    properties: {
      spec: Schema.object({
        properties: {
          a: ruled({ rule: 'self == oldSelf' }),
          list: Schema.array(Schema.object({ properties: { a: ruled({ rule: 'self == oldSelf' }) }, required: ['a'] }), { listType: ListType.map('a') }),
        },
      }),
    },
  })],
  ['rules in lists without limits, whose cost is for the server to estimate', Schema.object({ properties: { spec: nested(1000, undefined, 1000) } })],
  ['a rule that may run ten million times', Schema.object({ properties: { spec: nested(1000, 1000, 10) } })],
  ['null by default', Schema.object({ properties: { spec: Schema.string({ nullable: true, default: null }) } })],
  ['a key of a list with a default', Schema.object({ properties: { spec: Schema.array(Schema.object({ properties: { a: Schema.string({ default: 'x' }) } }), { listType: ListType.map('a') }) } })],
])('%s is accepted', (_what, schema) => {
  expect(checkSchema(schema._json, 'schema')).toEqual([]);
  expect(crdProblems({ ...foo(), versions: [versionWith(schema)] })).toEqual([]);
});
