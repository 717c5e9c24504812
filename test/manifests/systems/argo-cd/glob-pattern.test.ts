import { globPattern } from '../../../../src/manifests/systems/argo-cd/glob-pattern';

test.each([
  ['*', '', true], ['*', 'acme', true], ['acme', 'acme', true], ['acme', 'acme-2', false], ['a*', 'acme', true], ['*e', 'acme', true], ['a**e', 'acme', true],
  ['a?me', 'acme', true], ['?', '', false], ['[a-c]cme', 'acme', true], ['[!a-c]cme', 'acme', false], ['[abx]cme', 'acme', true], ['[-x]', 'a', false],
  ['{acme,globex}', 'globex', true], ['{acme,globex}', 'other', false], ['{a{b,c},d}-*', 'ac-1', true], ['{a{b,c},d}-*', 'a-1', false],
  ['a.b', 'acb', false], ['a(b', 'a(b', true], ['a[b', 'a[b', true], ['a\\*b', 'a*b', true], ['a\\*b', 'acb', false], ['*a*b*', 'xxaxxbxx', true], ['*a*b', 'xxbxxa', false],
])('%s and %s: %s', (pattern, text, isMatch) => {
  expect(globPattern(pattern)!(text)).toBe(isMatch);
});

test('a pattern with too many alternatives is not known', () => {
  expect(globPattern('{a,b}'.repeat(20))).toBeUndefined();
});
