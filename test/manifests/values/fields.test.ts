import { runInNewContext } from 'node:vm';
import {
  fieldAt, fieldText, isFields, isFilled, isPlainObject, isSet, listAt, objectsAt, numberAt, stringAt, stringsAt, unlessEmpty,
} from '../../../src/manifests/values/fields';

const OBJECT = { spec: { name: 'a', none: null, empty: {}, blank: '', count: 3, half: 0.5, rules: [{ host: 'x' }, 'y', null, { host: 'z' }] } };

test('a missing value is undefined, a missing list is empty', () => {
  const missing = ['spec', 'missing', 'field'];
  expect([fieldAt, stringAt, numberAt].map((at) => at(OBJECT, ...missing))).toEqual([undefined, undefined, undefined]);
  expect([listAt, objectsAt, stringsAt].map((at) => at(OBJECT, ...missing))).toEqual([[], [], []]);
  expect([isSet, isFilled].map((is) => is(OBJECT, ...missing))).toEqual([false, false]);
});

test('only own fields are read', () => {
  expect(fieldAt(OBJECT, 'constructor')).toBeUndefined();
  expect(fieldAt('text', 'length')).toBeUndefined();
});

test('a path leads through lists', () => {
  expect(fieldAt(OBJECT, 'spec', 'rules', 3, 'host')).toBe('z');
});

test('a value of another type counts as missing', () => {
  expect([stringAt(OBJECT, 'spec', 'count'), stringAt(OBJECT, 'spec', 'blank')]).toEqual([undefined, undefined]);
  expect([numberAt(OBJECT, 'spec', 'name'), numberAt(OBJECT, 'spec', 'half')]).toEqual([undefined, undefined]);
  expect(listAt(OBJECT, 'spec')).toEqual([]);
});

test('null is unset, and an empty object is not filled', () => {
  expect([isSet(OBJECT, 'spec', 'none'), isSet(OBJECT, 'spec', 'empty'), isSet(OBJECT, 'spec', 'blank')]).toEqual([false, true, true]);
  expect([isFilled(OBJECT, 'spec', 'empty'), isFilled(OBJECT, 'spec')]).toEqual([false, true]);
});

test('the items of a list keep their index', () => {
  expect(objectsAt(OBJECT, 'spec', 'rules')).toEqual([[{ host: 'x' }, 0], [{ host: 'z' }, 3]]);
  expect(stringsAt(OBJECT, 'spec', 'rules')).toEqual([['y', 1]]);
});

test.each<[string, unknown, boolean, boolean]>([
  ['an object literal', {}, true, true],
  ['an object without prototype', Object.create(null), true, true],
  ['an object literal of another realm', runInNewContext('({})'), true, true],
  ['an instance of a class', new Date(0), true, false],
  ['a list', [], false, false],
  ['null', null, false, false],
  ['a string', 'x', false, false],
])('%s', (_, value, fields, plain) => {
  expect([isFields(value), isPlainObject(value)]).toEqual([fields, plain]);
});

test('an object without a field that is set is left out', () => {
  expect([unlessEmpty({}), unlessEmpty({ a: undefined }), unlessEmpty(undefined)]).toEqual([undefined, undefined, undefined]);
  expect(unlessEmpty({ a: null, b: undefined })).toEqual({ a: null, b: undefined });
});

test.each([
  [[], ''],
  [['spec', 'rules', 0], 'spec.rules[0]'],
  [['metadata', 'annotations', 'example.com/a'], 'metadata.annotations["example.com/a"]'],
])('the path %j is written %s', (path, text) => {
  expect(fieldText(path)).toBe(text);
});
