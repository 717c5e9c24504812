import { parseSemanticVersion } from '../../manifests/values/semantic-version';

/**
 * True if a version of a chart is one, and no range. Repositories have versions that are no semantic ones; those with the characters of
 * ranges are taken for ranges (Masterminds/semver constraints.go).
 */
export function isExactVersion(version: string): boolean {
  return parseSemanticVersion(version) !== undefined || !(/[\^~*<>=|, ]/.test(version) || /^v?\d+(\.(\d+|x|X))?(\.[xX])?$/.test(version));
}
