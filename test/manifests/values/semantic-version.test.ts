import { isReleaseTag, parseSemanticVersion } from '../../../src/manifests/values/semantic-version';

test.each<[string, number[]]>([
  ['1.35.4', [1, 35, 4]], ['v1.35.4', [1, 35, 4]], ['v1.36.0-rc.1', [1, 36, 0]], ['1.36.0-alpha.0.12+0f3a', [1, 36, 0]], ['1.0.0+build.007', [1, 0, 0]],
])('%s is a version', (text, numbers) => {
  const version = parseSemanticVersion(text);

  expect([version?.major, version?.minor, version?.patch]).toEqual(numbers);
});

test.each(['', 'v1.35', '1', '1.35.4.1', 'vv1.35.4', '1.035.4', '1.35.4-', '1.35.4-01', '1.35.4+', ' 1.35.4', 'stable'])('%j is none', (text) => {
  expect(parseSemanticVersion(text)).toBeUndefined();
});

test.each([['1.35.4', ''], ['v1.36.0-rc.1', '-rc.1'], ['1.36.0-alpha.0.12+0f3a', '-alpha.0.12+0f3a'], ['1.0.0+build.007', '+build.007']])('the suffix of %s is %j', (text, suffix) => {
  expect(parseSemanticVersion(text)?.suffix).toBe(suffix);
});

test.each([['v0.4.0', true], ['v1.14.0-rc.1', true], ['0.4.0', false], ['v0.4.0+build', false], ['v0.4', false], ['latest', false]])('%s is the tag of a release: %s', (text, expected) => {
  expect(isReleaseTag(text)).toBe(expected);
});
