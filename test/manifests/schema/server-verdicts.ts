import { JsonSchema } from '../../../src/manifests/schema/schema-node';

/** The verdict of an API server. */
export type Verdict = 'accepted' | 'refused';

const TEXT: JsonSchema = { type: 'string' };
const A_OR_B: JsonSchema = { type: 'object', properties: { a: { ...TEXT, default: 'x' }, b: TEXT } };
const LIST: JsonSchema = {
  'type': 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port', 'protocol'],
  'items': { type: 'object', required: ['port', 'protocol'], properties: { port: { type: 'integer' }, protocol: { ...TEXT, default: 'TCP' } } },
};

/** Custom resources: the schema of their spec, the spec, and the verdict of kube-apiserver 1.37.2 (a dry run of kubectl create). */
export const INSTANCES: readonly (readonly [what: string, schema: JsonSchema, spec: unknown, verdict: Verdict])[] = [
  ['oneOf over a field with a default, of which the other is given', { ...A_OR_B, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { b: 'y' }, 'refused'],
  ['oneOf over a choice that a default makes', {
    ...A_OR_B, oneOf: [{ properties: { a: { enum: ['x'] } }, required: ['a'] }, { properties: { a: { enum: ['z'] } }, required: ['a'] }],
  }, {}, 'accepted'],
  ['oneOf over a choice that is absent without its default', {
    ...A_OR_B, oneOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { a: { enum: ['z'] } } }],
  }, {}, 'accepted'],
  ['anyOf of required fields, one of them with a default', { ...A_OR_B, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, 'accepted'],
  ['not of two fields, one of them with a default', { ...A_OR_B, not: { required: ['a', 'b'] } }, { b: 'y' }, 'refused'],
  ['a required field with a default', { ...A_OR_B, required: ['a'] }, {}, 'accepted'],
  ['null in a field with a default', { ...A_OR_B, required: ['a'] }, { a: null }, 'accepted'],
  ['fewer fields than are required, but for the default', { ...A_OR_B, minProperties: 2 }, { b: 'y' }, 'accepted'],
  ['more fields than are allowed with the default', { ...A_OR_B, maxProperties: 1 }, { b: 'y' }, 'refused'],
  ['a default inside of a default', { type: 'object', properties: { o: { ...A_OR_B, default: {} } } }, {}, 'accepted'],
  ['entries of one key, which a default completes', LIST, [{ port: 1 }, { port: 1, protocol: 'TCP' }], 'refused'],
  ['entries of two keys, one by default', LIST, [{ port: 1 }, { port: 1, protocol: 'UDP' }], 'accepted'],
  ['an address without a place', { ...TEXT, format: 'email' }, 'root', 'refused'],
  ['an address', { ...TEXT, format: 'email' }, 'root@example.com', 'accepted'],
  ['an address with a name', { ...TEXT, format: 'email' }, 'Root <root@example.com>', 'accepted'],
  ['a time on a day that there is not', { ...TEXT, format: 'date-time' }, '2024-02-30T10:00:00Z', 'refused'],
  ['a time', { ...TEXT, format: 'date-time' }, '2024-02-29T10:00:00.5+01:00', 'accepted'],
  ['a day that there is not', { ...TEXT, format: 'date' }, '2023-02-29', 'refused'],
  ['a leap day', { ...TEXT, format: 'date' }, '2024-02-29', 'accepted'],
  ['a number beside a limit that does not fit into its format', { type: 'integer', format: 'int32', maximum: 4294967295 }, 1, 'refused'],
  ['a leap second', { ...TEXT, format: 'date-time' }, '2016-12-31T23:59:60Z', 'refused'],
];

const inside = (a: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'object', properties: { a }, ...more });
const ruled = (a: JsonSchema, rule: string): JsonSchema => inside(a, { 'x-kubernetes-validations': [{ rule }] });

/**
 * Definitions: the schema of spec, the verdict of kube-apiserver 1.37.2, which `npm run conformance` asks again, and what the library says where it says something else: `stricter` of a
 * schema that API servers accept and that is a mistake all the same, `blind` of what it does not see.
 */
export const DEFINITIONS: readonly (readonly [what: string, schema: JsonSchema, verdict: Verdict, but?: 'stricter' | 'blind'])[] = [
  ['a field', inside(TEXT), 'accepted'],
  ['no type', inside({}), 'refused'],
  ['an unknown type', inside({ type: 'text' }), 'refused'],
  ['a list without items', inside({ type: 'array' }), 'refused'],
  ['fields and values', inside(TEXT, { additionalProperties: TEXT }), 'refused'],
  ['additionalProperties: false', inside({ type: 'object', additionalProperties: false }), 'accepted'],
  ['fields, and additionalProperties: false', inside(TEXT, { additionalProperties: false }), 'refused'],
  ['fields, and additionalProperties: true', inside(TEXT, { additionalProperties: true }), 'accepted'],
  ['a default inside of a map', inside({ type: 'object', additionalProperties: { type: 'object', properties: { b: { ...TEXT, default: 'x' } } } }), 'accepted'],
  ['a default of the values of a map', inside({ type: 'object', additionalProperties: { ...TEXT, default: 'x' } }), 'accepted', 'stricter'],
  ['a default of the entries of a list', inside({ type: 'array', items: { ...TEXT, default: 'x' } }), 'accepted', 'stricter'],
  ['a pattern that is none', inside({ ...TEXT, pattern: '(' }), 'refused'],
  ['a pattern of JavaScript', inside({ ...TEXT, pattern: '(?=a)' }), 'refused'],
  ['an unknown format', inside({ ...TEXT, format: 'colour' }), 'accepted', 'stricter'],
  ['a default of another type', inside({ type: 'integer', default: 'a' }), 'refused'],
  ['a default above the maximum', inside({ type: 'integer', maximum: 3, default: 4 }), 'refused'],
  ['a default that is none of the choices', inside({ ...TEXT, enum: ['a'], default: 'b' }), 'refused'],
  ['a default with an unknown field', inside({ ...inside(TEXT), default: { b: 'x' } }), 'refused'],
  ['an empty default of an object with a required field', inside({ ...inside(TEXT, { required: ['a'] }), default: {} }), 'refused'],
  ['an empty default of an object whose required field has a default', inside({ ...A_OR_B, required: ['a'], default: {} }), 'refused'],
  ['a default that has another field of such an object only', inside({ ...A_OR_B, required: ['a'], default: { b: 'y' } }), 'refused'],
  ['an empty default where nothing is required', inside({ ...A_OR_B, default: {} }), 'accepted'],
  ['a default that breaks anyOf', inside({ ...TEXT, default: 'c', anyOf: [{ enum: ['a'] }, { enum: ['b'] }] }), 'refused'],
  ['a default of null', inside({ ...TEXT, default: null }), 'accepted', 'stricter'],
  ['a default of null that may be null', inside({ ...TEXT, nullable: true, default: null }), 'accepted'],
  ['a type inside of anyOf', inside(TEXT, { anyOf: [{ properties: { a: { type: 'string' } } }] }), 'refused'],
  ['a default inside of allOf', inside(TEXT, { allOf: [{ properties: { a: { default: 'x' } } }] }), 'refused'],
  ['a limit of an absent field below the root', inside(TEXT, { anyOf: [{ properties: { b: { minLength: 1 } } }] }), 'accepted', 'stricter'],
  ['limits of metadata inside of a part', inside(TEXT, { allOf: [{ properties: { metadata: {} } }] }), 'refused'],
  ['list-map keys without entries of objects', inside({ 'type': 'array', 'items': TEXT, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] }), 'refused'],
  ['a list-map key that is no field', inside({ 'type': 'array', 'items': inside(TEXT), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b'] }), 'refused'],
  ['a list-map key that need not be there', inside({ 'type': 'array', 'items': inside(TEXT), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] }), 'refused'],
  ['a set of lists', inside({ 'type': 'array', 'items': { type: 'array', items: TEXT }, 'x-kubernetes-list-type': 'set' }), 'accepted'],
  ['a list type on text', inside({ ...TEXT, 'x-kubernetes-list-type': 'set' }), 'refused'],
  ['a map type on a list', inside({ 'type': 'array', 'items': TEXT, 'x-kubernetes-map-type': 'atomic' }), 'refused'],
  ['an embedded object without fields', inside({ 'type': 'object', 'x-kubernetes-embedded-resource': true }), 'refused'],
  ['unknown fields that are kept, by false', inside({ 'type': 'object', 'x-kubernetes-preserve-unknown-fields': false }), 'refused'],
  ['a required field that is none', inside(TEXT, { required: ['b'] }), 'accepted', 'stricter'],
  ['a minimum above the maximum', inside({ type: 'integer', minimum: 3, maximum: 2 }), 'accepted', 'stricter'],
  ['uniqueItems', inside({ type: 'array', items: TEXT, uniqueItems: true } as JsonSchema), 'refused'],
  ['a reference', inside({ $ref: '#/a' } as JsonSchema), 'refused'],
  ['a rule', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a != "b"' }] }), 'accepted'],
  ['a rule that does not parse', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a ==' }] }), 'refused'],
  ['a rule over an absent field', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.b == "b"' }] }), 'refused'],
  ['a rule that is no condition', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a' }] }), 'refused'],
  ['a rule that compares a text with a number', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a == 1' }] }), 'refused'],
  ['a rule with an unknown function', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a.shout() == "A"' }] }), 'refused'],
  ['a default that breaks a rule', inside({ ...TEXT, 'default': 'b', 'x-kubernetes-validations': [{ rule: 'self != "b"' }] }), 'refused'],
  ['a rule that costs too much', inside({ 'type': 'array', 'items': TEXT, 'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x == y))' }] }), 'refused', 'blind'],
  ['a rule that compares a whole number with a fraction', ruled({ type: 'integer' }, 'self.a == 1.0'), 'refused'],
  ['a rule that orders a whole number and a fraction', ruled({ type: 'integer' }, 'self.a > 1.5'), 'accepted'],
  ['a rule that adds a number to a text', ruled(TEXT, 'self.a + 1 == "b1"'), 'refused'],
  ['a rule over a field of a text', ruled(TEXT, 'self.a.b == "c"'), 'refused'],
  ['a rule over entries of another type', ruled({ type: 'array', items: TEXT, maxItems: 9 }, 'self.a.exists(x, x == 1)'), 'refused'],
  ['a rule over an absent field of entries', ruled({ type: 'array', items: inside(TEXT), maxItems: 9 }, 'self.a.all(x, x.b == "c")'), 'refused'],
  ['a rule over an absent variable', ruled(TEXT, 'object.a == "b"'), 'refused'],
  ['a rule over a field that takes anything', ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'self.a == "b"'), 'refused'],
  ['a rule over a field of a free object', ruled({ 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'self.a.b == "c"'), 'refused'],
  ['a rule over a number or a text', ruled({ 'x-kubernetes-int-or-string': true }, 'self.a == 1 || self.a == "b"'), 'accepted'],
  ['a rule with two variables', ruled({ type: 'array', items: TEXT, maxItems: 9 }, 'self.a.all(i, x, i < 9 && x != "")'), 'accepted'],
  ['a rule over sets', ruled({ type: 'array', items: TEXT, maxItems: 9 }, 'sets.contains(["b"], self.a)'), 'accepted'],
  ['a rule with the name of a format', ruled({ ...TEXT, maxLength: 63 }, 'format.dns1123Label().validate(self.a).orValue([]).size() == 0'), 'accepted'],
  ['a message that is a number', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a != "b"', messageExpression: '1' }] }), 'refused'],
  ['a default that keeps a rule', inside({ ...TEXT, 'default': 'c', 'x-kubernetes-validations': [{ rule: 'self != "b"' }] }), 'accepted'],
  ['a default inside of an object that breaks its rule', inside({ ...inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a != "b"' }] }), default: { a: 'b' } }), 'refused'],
  ['an empty rule', inside(TEXT, { 'x-kubernetes-validations': [{ rule: '' }] }), 'refused'],
  ['a message of several lines', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a != "b"', message: 'a\nb' }] }), 'refused'],
  ['a reason that there is not', inside(TEXT, { 'x-kubernetes-validations': [{ rule: 'self.a != "b"', reason: 'Because' }] }), 'refused'],
];
