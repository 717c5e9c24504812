import { Lazy } from 'cdk8s';
import { mergeValues, UnmergedValue, nestedValue, Values } from '../../../src/manifests/values/chart-values';

test('maps are merged, lists and scalars replaced', () => {
  const merged = mergeValues({ a: { b: 1, c: [1, 2] }, d: 'x' }, { a: { c: [3], e: 2 } }, { d: 'y' });

  expect(merged).toEqual({ a: { b: 1, c: [3], e: 2 }, d: 'y' });
});

test('null stays and replaces an object, and an object replaces null', () => {
  expect(mergeValues({ a: { b: 1 } }, { a: null })).toEqual({ a: null });
  expect(mergeValues({ a: null }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
});

test('undefined counts as not given, and maps of nothing else as well', () => {
  const merged = mergeValues({ a: 1, b: { c: undefined, d: { e: undefined } } }, { a: undefined });

  expect(Object.keys(merged)).toEqual(['a']);
  expect(merged.a).toBe(1);
});

test('an empty object that was given stays', () => {
  expect(mergeValues({ emptyDir: {} })).toEqual({ emptyDir: {} });
  expect(mergeValues({ a: { b: 1 } }, { a: {} })).toEqual({ a: { b: 1 } });
});

test('tokens are values', () => {
  const token = Lazy.any({ produce: () => 1 });

  expect(mergeValues({ a: { b: 1 } }, { a: token }).a).toBe(token);
});

test('neither layer is changed, and no key reaches the prototype', () => {
  const [base, over] = [{ a: { b: 1 } }, JSON.parse('{"a":{"c":2},"__proto__":{"x":1}}')];
  const merged = mergeValues(base, over);

  expect(base).toEqual({ a: { b: 1 } });
  expect(merged.a).toEqual({ b: 1, c: 2 });
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  expect(Object.keys(merged)).toContain('__proto__');
});

describe('what cannot be merged is marked: ', () => {
  const MARK = new UnmergedValue('a value that contains itself');

  test('an object in itself', () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle.inner = { self: circle };

    expect(mergeValues({ b: 2 }, circle)).toEqual({ a: 1, b: 2, inner: { self: MARK } });
  });

  test('lists in themselves, and in maps that they are in', () => {
    const list: unknown[] = [];
    list.push({ deep: [{ list }] });
    const map = { list: [[] as unknown[]] };
    map.list[0].push(map);

    expect(mergeValues({ list, map })).toEqual({ list: MARK, map: { list: MARK } });
  });

  test.each<[unknown, string]>([
    [[1, 2], 'a list'], ['a: b', 'the string "a: b"'], [5, 'the number 5'], [new Date(0), 'an object of class Date'], [new UnmergedValue('x'), 'x'],
  ])('values that are no map: %p', (values, what) => {
    expect(mergeValues({ a: 1 }, values as Values)).toEqual(new UnmergedValue(what));
    expect(mergeValues(values as Values, { a: 1 })).toBeInstanceOf(UnmergedValue);
  });

  test('but not what is there twice', () => {
    const twice = { a: [1] };

    expect(mergeValues({ x: twice, y: [twice, twice] }, { x: twice, z: twice })).toEqual({ x: twice, y: [twice, twice], z: twice });
  });
});

test('null is no values', () => {
  expect(mergeValues({ a: 1 }, null as unknown as Values)).toEqual({ a: 1 });
});

test('a value at a path', () => {
  expect(nestedValue('a.b', [1])).toEqual({ a: { b: [1] } });
});
