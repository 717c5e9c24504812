import * as fc from 'fast-check';
import { schemas } from './arbitraries';
import { checkSchema } from '../../../../src/constructs/operators/schema/check-schema';
import { ListType, MapType } from '../../../../src/constructs/operators/schema/list-type';
import { Schema } from '../../../../src/constructs/operators/schema/schema';
import { ValidationReason } from '../../../../src/constructs/operators/schema/schema-validation';

test('each factory writes the keywords of OpenAPI', () => {
  const schema = Schema.object({
    description: 'What to run.',
    required: ['name'],
    minProperties: 1,
    maxProperties: 9,
    properties: {
      name: Schema.string({ enum: ['a', 'b'], minLength: 1, maxLength: 3, pattern: '^[ab]$', default: 'a' }),
      since: Schema.string({ format: 'date-time', nullable: true }),
      count: Schema.integer({ minimum: 0, maximum: 5, exclusiveMinimum: true, multipleOf: 1, format: 'int32' }),
      share: Schema.number({ maximum: 1, exclusiveMaximum: true, enum: [0.25, 0.5] }),
      on: Schema.boolean({ default: false }),
      tags: Schema.array(Schema.string(), { minItems: 1, maxItems: 4, listType: ListType.SET }),
      whole: Schema.array(Schema.integer(), { listType: ListType.ATOMIC }),
      ports: Schema.array(Schema.object({ properties: { port: Schema.intOrString({ pattern: '^[a-z]+$' }) }, required: ['port'] }), { listType: ListType.map('port') }),
      labels: Schema.map(Schema.string(), { minProperties: 1, maxProperties: 7, mapType: MapType.ATOMIC }),
      values: Schema.preserveUnknownFields({ description: 'Anything.' }),
      template: Schema.embeddedResource({ properties: { spec: Schema.object({ preserveUnknownFields: true }) }, required: ['spec'] }),
      other: Schema.of({ type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }),
    },
    validations: [{
      rule: 'self.count > 1 || oldSelf.hasValue()', message: 'too few', messageExpression: '"x"', reason: ValidationReason.FIELD_VALUE_FORBIDDEN, fieldPath: '.count', optionalOldSelf: true,
    }],
  });

  expect(schema._json).toEqual({
    'type': 'object',
    'description': 'What to run.',
    'required': ['name'],
    'minProperties': 1,
    'maxProperties': 9,
    'properties': {
      name: { type: 'string', enum: ['a', 'b'], minLength: 1, maxLength: 3, pattern: '^[ab]$', default: 'a' },
      since: { type: 'string', format: 'date-time', nullable: true },
      count: { type: 'integer', minimum: 0, maximum: 5, exclusiveMinimum: true, multipleOf: 1, format: 'int32' },
      share: { type: 'number', maximum: 1, exclusiveMaximum: true, enum: [0.25, 0.5] },
      on: { type: 'boolean', default: false },
      tags: { 'type': 'array', 'items': { type: 'string' }, 'minItems': 1, 'maxItems': 4, 'x-kubernetes-list-type': 'set' },
      whole: { 'type': 'array', 'items': { type: 'integer' }, 'x-kubernetes-list-type': 'atomic' },
      ports: {
        'type': 'array',
        'items': { type: 'object', properties: { port: { 'x-kubernetes-int-or-string': true, 'pattern': '^[a-z]+$' } }, required: ['port'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port'],
      },
      labels: { 'type': 'object', 'additionalProperties': { type: 'string' }, 'minProperties': 1, 'maxProperties': 7, 'x-kubernetes-map-type': 'atomic' },
      values: { 'type': 'object', 'description': 'Anything.', 'x-kubernetes-preserve-unknown-fields': true },
      template: {
        'type': 'object',
        'properties': { spec: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        'required': ['spec'],
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      other: { type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    },
    'x-kubernetes-validations': [{
      rule: 'self.count > 1 || oldSelf.hasValue()', message: 'too few', messageExpression: '"x"', reason: 'FieldValueForbidden', fieldPath: '.count', optionalOldSelf: true,
    }],
  });
  expect(checkSchema(schema._json, 'schema')).toEqual([]);
});

test('what the user does to his lists afterwards changes nothing', () => {
  const names = ['a'];
  const json = { type: 'string', enum: names };
  const schemasOfNames = [Schema.string({ enum: names }), Schema.of(json)];
  names.push('b');
  Object.assign(json, { type: 'integer' });

  expect(schemasOfNames.map(({ _json }) => _json)).toEqual([{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a'] }]);
});

test('what the builder makes is structural, whatever the limits', () => {
  const structural = ['TC-CRD-SCHEMA', 'TC-CRD-LIST-TYPE', 'TC-CRD-PATTERN', 'TC-CRD-FORMAT'];
  fc.assert(fc.property(schemas, (spec) => {
    const found = checkSchema(Schema.object({ properties: { spec } })._json, 'schema');
    expect(found.filter(({ rule }) => structural.includes(rule.id))).toEqual([]);
  }));
});
