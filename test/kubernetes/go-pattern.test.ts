import * as fc from 'fast-check';
import { readGoPattern } from '../../src/kubernetes/go-pattern';
import { goRegExp } from '../schema/go-regexp';

const PATTERNS = [
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$', '\\A[[:alpha:]_][[:word:]]*\\z', '^[^/]+/[^/]+$', '(?i)^abc$', '(?s)^a.c$',
  '^a.c$', '^[\\w.-]+@[\\w.-]+$', '^\\s*$', '^(?:a|b){2,3}$', '^(?P<year>\\d{4})$', 'a\\.b', '^\\p{L}+$', 'x\\x41y', '^[\\d-]+$', '^[a\\-z]+$', '[[]', '^a{1}$', '\\-',
];

describe('agrees with the reading of the schema tests', () => {
  test.each(PATTERNS)('%s', (pattern) => {
    const { regexp, fault } = readGoPattern(pattern);
    expect(fault).toBeUndefined();
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'aAbcz09-_./@+{}[] \n\u00e4'), maxLength: 6 }), (text) => {
      expect(regexp!.test(text)).toBe(goRegExp(pattern).test(text));
    }), { numRuns: 200 });
  });
});

test.each<[pattern: string, good: string, bad: string]>([
  ['^[]a]$', ']', 'b'],
  ['^[^]a]$', 'b', ']'],
  ['^{a}$', '{a}', 'a'],
  ['^a{,3}$', 'a{,3}', 'aaa'],
  ['^[a-z-9]$', '-', '8'],
  ['^[a-\\d]$', '-', 'b'],
  ['^\\pN$', '7', 'a'],
  ['^\\x{1F600}$', '\u{1f600}', 'a'],
  ['^[[:xdigit:]]+$', 'fF0', 'g'],
  ['^[[:punct:]]$', '{', 'a'],
  ['^\\S$', '\u00a0', ' '],
  ['^.$', '\r', '\n'],
])('%s means what it means in Go', (pattern, good, bad) => {
  const { regexp } = readGoPattern(pattern);

  expect(regexp?.test(good)).toBe(true);
  expect(regexp?.test(bad)).toBe(false);
});

test.each([
  ['(?=a)', 'looks around'], ['(?!a)', 'looks around'], ['(?<=a)b', 'looks around'], ['(a)\\1', 'refers back'], ['a{1001}', '1000 repetitions'], ['(a', ''], ['a)', ''],
  ['[a', 'no end'], ['a\\', 'backslash'], ['\\y', 'no escape'], ['*a', ''], ['[[:foo:]]', 'no set'], ['a{3,2}', ''], ['[z-a]', ''],
])('%s is refused, as in Go', (pattern, text) => {
  expect(readGoPattern(pattern).fault).toEqual(expect.stringContaining(text));
});

test.each(['(?i:a)b', '\\Qa.b\\E', '^\\p{Greek}$', '[\\W]', '^*a'])('%s is left to the API server', (pattern) => {
  expect(readGoPattern(pattern)).toEqual({});
});
