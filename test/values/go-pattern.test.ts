import { readGoPattern } from '../../src/values/go-pattern';

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
  ['^a$', 'a', 'a\n'],
  ['^.$', '\u2028', '\n'],
  ['(?s)^.$', '\n', 'ab'],
  ['(?i)^abc$', 'ABC', 'abd'],
  ['\\Aa\\z', 'a', 'ba'],
  ['^[[:alpha:]_]+$', 'a_b', 'a1'],
  ['^\\s$', '\t', '\v'],
  ['^[\\s.]+$', ' .', 'x'],
  ['^(?P<year>\\d{4})$', '2026', '٢٠٢٦'],
  ['^[A-Za-z0-9\\/\\-._~%!$&\'()*+,;=:]+$', 'a/-(', 'a b'],
  ['^a\\-\\_b$', 'a-_b', 'ab'],
  ['^\\p{L}$', 'α', '1'],
  ['^(?:a|b){2,3}$', 'aba', 'abab'],
  ['^[\\d-]+$', '1-2', 'a'],
  ['^[a\\-z]+$', 'a-z', 'b'],
  ['^\\x41$', 'A', 'a'],
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

test.each(['(?i:a)b', '\\Qa.b\\E', '^\\p{Greek}$', '[\\W]', '^*a', '[[:^alpha:]]'])('%s is left to the API server', (pattern) => {
  expect(readGoPattern(pattern)).toEqual({});
});
