import { globPattern, pathPattern } from '../../../../src/manifests/systems/argo-cd/glob-pattern';

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

test.each([
  ['tenants/*', 'tenants/acme', true], ['tenants/*', 'tenants/acme/pools', false], ['./tenants/*', 'tenants/acme', true], ['t?nants', 'tenants', true],
  ['config/**/*.json', 'config/a.json', true], ['config/**/*.json', 'config/a/b/c.json', true], ['config/**/*.json', 'other/a.json', false],
  ['**', 'a/b', true], ['a.b', 'acb', false], ['(a', '(a', true],
])('%s and the path %s: %s', (pattern, path, isMatch) => {
  expect(pathPattern(pattern, true)!(path)).toBe(isMatch);
});

test('two stars are one name where patterns pass over no folders', () => {
  expect(['a/b', 'a/b/c'].map((path) => pathPattern('a/**', false)!(path))).toEqual([true, false]);
});

test('a pattern that could match in many ways is matched at once', () => {
  expect(pathPattern(`${'**/*a*/'.repeat(200)}b`, true)!('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/'.repeat(200))).toBe(false);
});
