import { ListType, MapType } from '../../../../src/constructs/operators/schema/list-type';
import { ObjectSchemaOptions, Schema } from '../../../../src/constructs/operators/schema/schema';
import { SchemaValidation } from '../../../../src/constructs/operators/schema/schema-validation';

/** A problem of a field `spec`: the rule, the schema, the path of the fault, and the message. */
export type SchemaCase = [id: string, spec: Schema, path: string, text: string];

const entry = (options: ObjectSchemaOptions) => Schema.object({
  properties: { a: Schema.string(), b: Schema.object(), c: Schema.string({ nullable: true }) }, ...options,
});
/** A text that a rule in CEL looks at. */
export const ruled = (validation: Partial<SchemaValidation>, schema = Schema.string) => schema({ validations: [{ rule: 'self != ""', ...validation }] });
/** Such a string inside lists of at most so many entries. */
export const nested = (...most: (number | undefined)[]) => most.reduce<Schema>((items, maxItems) => Schema.array(items, { maxItems }), ruled({}));
const counted = (oldSelf: Schema) => Schema.object({ properties: { list: Schema.array(oldSelf) } });

/** A case or more for each rule about schemas. */
export const SCHEMA_CASES: SchemaCase[] = [
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({}), 'properties.spec.type', 'the schema has no type'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'string', externalDocs: { link: 'https://example.com' } }), 'spec', 'externalDocs is {"link":"https://example.com"}'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'text' }), 'properties.spec.type', '"text" is no type'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'array' }), 'properties.spec.items', 'the list has no schema of its entries'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'string', items: { type: 'string' } }), 'spec', 'items belong to a list'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'string', properties: { a: { type: 'string' } } }), 'spec', 'fields belong to an object'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }), 'properties.spec.additionalProperties', 'either fields with given names or fields of any name'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'type': 'object', 'x-kubernetes-preserve-unknown-fields': false }), 'properties.spec.x-kubernetes-preserve-unknown-fields', 'x-kubernetes-preserve-unknown-fields is false'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }), 'properties.spec.x-kubernetes-int-or-string', 'has no fields to keep'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'type': 'object', 'x-kubernetes-embedded-resource': true }), 'properties.spec.properties', 'an embedded object has no fields'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'type': 'string', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }), 'properties.spec.type', 'an embedded object has the type string'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'type': 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true, 'additionalProperties': true }), 'properties.spec.additionalProperties', 'an embedded object is an object'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'type': 'object', 'x-kubernetes-embedded-resource': true, 'properties': { kind: { type: 'integer' } } }), 'properties.spec.properties.kind.type', 'kind is described as integer'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ 'type': 'string', 'x-kubernetes-map-type': 'atomic' }), 'properties.spec.x-kubernetes-map-type', 'x-kubernetes-map-type'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'string', anyOf: [{ type: 'string' }] }), 'properties.spec.anyOf[0].type', 'type stands inside'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'string', not: { default: false } }), 'properties.spec.not.default', 'default stands inside'],
  ['TC-TRAP-KUBERNETES-CRD-LIMIT', Schema.of({ type: 'object', allOf: [{ properties: { a: { minimum: 1 } } }] }), 'properties.spec.allOf[0]', '"a" is limited inside'],
  ['TC-TRAP-KUBERNETES-CRD-LIMIT', Schema.of({ type: 'object', properties: { a: { type: 'object' } }, oneOf: [{ allOf: [{ properties: { a: { properties: { b: { minimum: 1 } } } } }] }] }), 'properties.spec.oneOf[0]', '"b" is limited inside'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'object', properties: { metadata: { type: 'object' } }, not: { properties: { metadata: { required: ['a'] } } } }), 'properties.spec.not.properties.metadata', 'metadata is limited inside'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'object', $ref: '#/a' }), 'properties.spec["$ref"]', 'the keyword "$ref" is not possible'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'array', items: { type: 'string' }, uniqueItems: true }), 'properties.spec.uniqueItems', 'ListType.SET'],
  ['TC-ADMIT-KUBERNETES-CRD-SCHEMA', Schema.of({ type: 'string', maxLenght: 3 }), 'properties.spec.maxLenght', 'did you mean maxLength?'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'string', maxLength: -1 }), 'spec', 'maxLength is -1'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'string', description: 5 }), 'spec', 'description is 5'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'string', pattern: 5 }), 'spec', 'pattern is 5'],
  ['TC-CRD-SCHEMA', Schema.string({ enum: [] }), 'spec', 'enum is []'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'object', properties: { a: 'string' } }), 'spec.a', '"string" is no schema'],
  ['TC-CRD-SCHEMA', Schema.of({ type: 'object', properties: { a: { type: 'object', default: { b: NaN } } } }), 'spec.a', 'default cannot be written'],
  ['TC-CRD-LIST-TYPE', Schema.of({ 'type': 'object', 'x-kubernetes-list-type': 'set' }), 'spec', 'only lists have a list type'],
  ['TC-CRD-LIST-TYPE', Schema.of({ 'type': 'array', 'items': { type: 'string' }, 'x-kubernetes-list-type': 'bag' }), 'spec', 'the list type is bag'],
  ['TC-CRD-LIST-TYPE', Schema.of({ 'type': 'array', 'items': { type: 'string' }, 'x-kubernetes-list-map-keys': ['a'] }), 'spec', 'the list type is not given'],
  ['TC-CRD-LIST-TYPE', Schema.of({ 'type': 'array', 'items': { type: 'string' }, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a'] }), 'spec', 'a list of type set has keys'],
  ['TC-CRD-LIST-TYPE', Schema.array(Schema.string({ nullable: true }), { listType: ListType.SET }), 'spec', 'may be null'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({}), { listType: ListType.SET }), 'spec', 'taken apart'],
  ['TC-CRD-LIST-TYPE', Schema.array(Schema.array(Schema.string(), { listType: ListType.SET }), { listType: ListType.SET }), 'spec', 'taken apart'],
  ['TC-CRD-LIST-TYPE', Schema.array(Schema.string(), { listType: ListType.map('a') }), 'spec', 'have no keys'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({}), { listType: ListType.map() }), 'spec', 'names no key'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({ required: ['a'] }), { listType: ListType.map('a', 'a') }), 'spec', 'named twice'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({}), { listType: ListType.map('d') }), 'spec', '"d" is no field of the entries'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({}), { listType: ListType.map('a') }), 'spec', '"a" may be missing'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({ required: ['b'] }), { listType: ListType.map('b') }), 'spec', '"b" is an object'],
  ['TC-CRD-LIST-TYPE', Schema.array(entry({ required: ['c'] }), { listType: ListType.map('c') }), 'spec', '"c" may be null'],
  ['TC-CRD-BOUNDS', Schema.string({ minLength: 3, maxLength: 2 }), 'spec', 'minLength 3 is more than maxLength 2'],
  ['TC-CRD-BOUNDS', Schema.integer({ minimum: 3, maximum: 2 }), 'spec', 'minimum 3 is more than maximum 2'],
  ['TC-CRD-BOUNDS', Schema.number({ minimum: 3, maximum: 3, exclusiveMaximum: true }), 'spec', 'strictly between 3 and 3'],
  ['TC-CRD-BOUNDS', Schema.number({ multipleOf: 0 }), 'spec', 'multipleOf is 0'],
  ['TC-CRD-BOUNDS', Schema.of({ type: 'integer', maxLength: 3 }), 'spec', 'maxLength says nothing about'],
  ['TC-CRD-BOUNDS', Schema.string({ enum: ['a', 'bcd'], maxLength: 2 }), 'spec', 'enum[1] fits nothing else'],
  ['TC-CRD-REQUIRED', entry({ required: ['a', 'aa'] }), 'spec', '"aa" is required and no field'],
  ['TC-CRD-PATTERN', Schema.string({ pattern: '^(?!a)' }), 'spec', 'no regular expression of Go'],
  ['TC-CRD-PATTERN', Schema.of({ type: 'string', not: { pattern: '(' } }), 'spec', 'no regular expression of Go'],
  ['TC-CRD-FORMAT', Schema.string({ format: 'int32' }), 'spec', '"int32" is no format of a value of type string'],
  ['TC-CRD-FORMAT', Schema.integer({ format: 'date' }), 'spec', '"date" is no format of a value of type integer'],
  ['TC-CRD-FORMAT', Schema.number({ format: 'int64' }), 'spec', '"int64" is no format of a value of type number'],
  ['TC-CRD-FORMAT', Schema.of({ type: 'boolean', format: 'date' }), 'spec', '"date" is no format of a value of type boolean, so that the API server would look at nothing. Fix: remove it.'],
  ['TC-CRD-DEFAULT', Schema.integer({ default: 'a' }), 'spec', '"a" is not a whole number'],
  ['TC-CRD-DEFAULT', Schema.integer({ minimum: 1, default: 0 }), 'spec', 'the default 0 does not fit: 0 is too small'],
  ['TC-CRD-DEFAULT', entry({ default: { d: 1 } }), 'spec', 'does not fit at d: there is no field "d"'],
  ['TC-CRD-DEFAULT', entry({ required: ['a'], default: {} }), 'spec', 'it is required'],
  ['TC-CRD-DEFAULT', Schema.string({ default: null }), 'spec', 'null is not a string'],
  ['TC-CRD-DEFAULT', Schema.array(Schema.string({ default: 'a' })), 'spec[*]', 'an entry of a list or map is there or not'],
  ['TC-CRD-DEFAULT', Schema.map(Schema.string({ default: 'a' })), 'spec[*]', 'an entry of a list or map is there or not'],
  ['TC-CRD-VALIDATION', Schema.of({ 'type': 'string', 'x-kubernetes-validations': [{ rule: 'self != ""', reason: 'Because' }] }), 'spec.validations[0]', '"Because" is no reason'],
  ['TC-CRD-VALIDATION', ruled({ rule: ' ' }), 'spec.validations[0]', 'the rule is empty'],
  ['TC-CRD-VALIDATION', ruled({ message: ' ' }), 'spec.validations[0]', 'the message is empty'],
  ['TC-CRD-VALIDATION', ruled({ messageExpression: '' }), 'spec.validations[0]', 'the messageExpression is empty'],
  ['TC-CRD-VALIDATION', ruled({ message: 'a\nb' }), 'spec.validations[0]', 'has several lines'],
  ['TC-CRD-VALIDATION', ruled({ rule: 'self\n!= ""' }), 'spec.validations[0]', 'several lines and no message'],
  ['TC-CRD-VALIDATION', ruled({ rule: '"self" != ""' }), 'spec.validations[0]', 'neither self nor oldSelf'],
  ['TC-CRD-VALIDATION', ruled({ fieldPath: '.a' }), 'spec.validations[0].fieldPath', '".a" leads to no field'],
  ['TC-CRD-VALIDATION', entry({ validations: [{ rule: 'self.a != ""', fieldPath: 'a' }] }), 'spec.validations[0].fieldPath', '"a" leads to no field'],
  ['TC-CRD-VALIDATION-COST', nested(1000, 1000, 11), 'spec[*][*][*].validations[0]', 'let it run 11000000 times'],
  ['TC-CRD-TRANSITION', ruled({ optionalOldSelf: true }), 'spec.validations[0].optionalOldSelf', 'does not use oldSelf'],
  ['TC-CRD-TRANSITION', counted(ruled({ rule: 'self == oldSelf' })), 'spec.list[*].validations[0]', 'cannot be found again'],
  ['TC-CRD-TRANSITION', Schema.object({ mapType: MapType.ATOMIC, properties: { a: ruled({ rule: 'self == oldSelf' }) } }), 'spec.a.validations[0]', 'cannot be found again'],
];
