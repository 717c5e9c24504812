import { parseSemanticVersion } from '../../src/kubernetes/semantic-version';

test.each<[string, number[]]>([
  ['1.35.4', [1, 35, 4]], ['v1.35.4', [1, 35, 4]], ['v1.36.0-rc.1', [1, 36, 0]], ['1.36.0-alpha.0.12+0f3a', [1, 36, 0]], ['1.0.0+build.007', [1, 0, 0]],
])('%s is a version', (text, numbers) => {
  const version = parseSemanticVersion(text);

  expect([version?.major, version?.minor, version?.patch]).toEqual(numbers);
});

test.each(['', 'v1.35', '1', '1.35.4.1', 'vv1.35.4', '1.035.4', '1.35.4-', '1.35.4-01', '1.35.4+', ' 1.35.4', 'stable'])('%j is none', (text) => {
  expect(parseSemanticVersion(text)).toBeUndefined();
});
