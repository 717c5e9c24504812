import { matchesGoPattern, patternFault } from '../../../src/manifests/schema/formats';

test.each<[pattern: string, good: string, bad: string]>([
  ['^[]a]$', ']', 'b'],
  ['^[^]a]$', 'b', ']'],
  ['^{a}$', '{a}', 'a'],
  ['^a{,3}$', 'a{,3}', 'aaa'],
  ['^[a-z-9]$', '-', '8'],
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
  ['(?i:a)b', 'Ab', 'AB'],
  ['\\Qa.b\\E', 'a.b', 'axb'],
  ['^\\p{Greek}$', 'α', 'a'],
  ['^[\\W]$', '-', 'a'],
  ['^*a', 'ba', 'b'],
  ['^[[:^alpha:]]$', '1', 'a'],
])('%s means what it means in Go', (pattern, good, bad) => {
  expect(patternFault(pattern)).toBeUndefined();
  expect(matchesGoPattern(pattern, good)).toBe(true);
  expect(matchesGoPattern(pattern, bad)).toBe(false);
});

test.each([
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(?!a)', 'invalid or unsupported Perl syntax: `(?!`'],
  ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(a', 'missing closing ): `(a`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['a\\', 'trailing backslash at end of expression'],
  ['\\y', 'invalid escape sequence: `\\y`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
  ['a{3,2}', 'invalid repeat count: `{3,2}`'],
  ['[a-\\d]', 'invalid escape sequence: `\\d`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
])('%s is refused in the words of Go', (pattern, fault) => {
  expect(patternFault(pattern)).toBe(fault);
  expect(matchesGoPattern(pattern, 'a')).toBeUndefined();
});

test.each([
  ['a name of a character class that newer releases of Go know', '\\p{Letter}'],
  ['a long expression', 'a'.repeat(10_001)],
  ['many repetitions', '(a{100}){10}'.repeat(11)],
  ['repetitions of a set', '[^()[:alpha:]\\]]{1,1000}'.repeat(11)],
  ['repetitions of quoted text', '(?:\\Q(\\Eb{1000})'.repeat(11)],
])('%s is left to the API server', (_, pattern) => {
  expect(patternFault(pattern)).toBeUndefined();
  expect(matchesGoPattern(pattern, 'a')).toBeUndefined();
});

const LONG = 60_000;

// With backtracking, each takes longer than anybody waits.
test.each([
  ['^(a+)+$', `${'a'.repeat(LONG)}!`],
  ['^([a-z0-9]+-?)+$', 'production-frankfurt-payments-platform-cluster_01'],
  ['^(a|a)*$', `${'a'.repeat(LONG)}!`],
  ['(x+x+)+y', 'x'.repeat(LONG)],
  ['^(.*)(.*)(.*)(.*)[0-9]$', 'a'.repeat(LONG)],
  ['^(a?){40}b{40}$', 'a'.repeat(40)],
  ['(a|b)*a(a|b){60}c', 'ab'.repeat(LONG / 2)],
  ['a*a*a*a*a*c', 'a'.repeat(LONG)],
])('%s is matched in linear time', (pattern, text) => {
  expect(matchesGoPattern(pattern, text)).toBe(false);
});

test('a string of any length ends', () => {
  expect(matchesGoPattern('^(a+)+$', 'a'.repeat(10_000_000))).toBeUndefined();
});
