import * as fc from 'fast-check';
import {
  ANNOTATIONS_MAX_BYTES, checkAnnotationKey, checkAnnotations, checkLabelKey, checkLabels, checkLabelValue,
} from '../../../src/manifests/values/labels';

describe('labels', () => {
  test.each(['a', 'A', 'app.kubernetes.io/name', 'a_b.c-d', `x.y/${'a'.repeat(63)}`, `${'a.'.repeat(126)}a/b`, '0'])('%p is a key', (key) => {
    expect(checkLabelKey(key)).toBeUndefined();
  });

  test.each([
    ['', 'is not a qualified name'],
    ['-a', 'is not a qualified name'],
    ['a-', 'is not a qualified name'],
    ['a b', 'is not a qualified name'],
    ['example.com/', 'is not a qualified name'],
    ['/a', 'before the "/" must be a DNS name'],
    ['Example.com/a', 'before the "/" must be a DNS name'],
    ['a/b/c', 'has more than one "/"'],
    ['a'.repeat(64), 'is 64 characters long; accepted are at most 63'],
    [`${'a.'.repeat(127)}a/b`, '255 characters long; accepted are at most 253'],
  ])('%p is no key', (key, message) => {
    expect(checkLabelKey(key)).toContain(message);
  });

  test('values', () => {
    expect(checkLabelValue('')).toBeUndefined();
    expect(checkLabelValue('a'.repeat(63))).toBeUndefined();
    expect(checkLabelValue('a'.repeat(64))).toContain('at most 63');
    for (const value of ['-a', 'a-', 'a b', 'a/b', 'ä', ' ']) {
      expect(checkLabelValue(value)).toContain('is not a label value');
    }
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/), (value) => {
      expect(checkLabelValue(value)).toBeUndefined();
    }));
  });

  test('maps report every entry', () => {
    expect(checkLabels({ 'a': 'b', '-x': '-y', 'ok': '' }).map(({ path }) => path)).toEqual([['-x'], ['-x']]);
  });

  test('annotations take any value and upper case in the domain, up to 256 KiB altogether', () => {
    expect(checkAnnotationKey('Example.com/Key')).toBeUndefined();
    expect(checkAnnotations({ 'a': '{"any": "thing"}\n', '-': '' }).map(({ path }) => path)).toEqual([['-']]);
    const value = 'x'.repeat(ANNOTATIONS_MAX_BYTES - 3);
    expect(checkAnnotations({ a: '1', b: value })).toEqual([]);
    expect(checkAnnotations({ a: 'ä', b: value })).toEqual([{
      path: ['b'],
      message: `all annotations together are ${ANNOTATIONS_MAX_BYTES + 1} bytes large, this one ${ANNOTATIONS_MAX_BYTES - 2}; accepted are at most ${ANNOTATIONS_MAX_BYTES}`,
      fix: 'shorten or remove annotations',
    }]);
  });
});

test.each<unknown>([undefined, null, 5, true])('%p, which only JavaScript can give, is a finding and no crash', (value) => {
  const text = value as string;
  for (const check of [checkLabelKey, checkLabelValue]) expect(check(text)).toContain('is not a string');
  expect(checkLabels({ a: text })).toEqual([{ path: ['a'], message: expect.stringContaining('is not a string'), fix: 'correct or remove the entry' }]);
  expect(checkAnnotations({ a: text })).toEqual([{ path: ['a'], message: expect.stringContaining('is not a string'), fix: 'correct or remove the entry' }]);
});
