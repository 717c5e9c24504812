import { goRegExp } from './go-regexp';

test.each<[pattern: string, good: string, bad: string]>([
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
])('%s', (pattern, good, bad) => {
  expect(goRegExp(pattern).test(good)).toBe(true);
  expect(goRegExp(pattern).test(bad)).toBe(false);
});

test.each(['(?=a)', '(?<!a)b', '(a)\\1', '[[:^alpha:]]', '('])('%s is refused', pattern => {
  expect(() => goRegExp(pattern)).toThrow();
});
