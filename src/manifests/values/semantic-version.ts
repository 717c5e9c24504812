// semver.org, behind an optional "v".
const VERSION = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(\+[\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$/;

/** The numbers of a semantic version. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;

  /** The pre-release and the build, e.g. `-rc.1+b7`; empty for a release. */
  readonly suffix: string;
}

/**
 * Reads a semantic version, with or without a leading `v`, as blang/semver does: three numbers, maybe a pre-release and a build.
 * Controllers accept pre-releases; `KubernetesVersion` is for released versions.
 *
 * @returns its numbers, or undefined if the text is not one
 */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, preRelease = '', , , , build = ''] = VERSION.exec(text) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor), patch: Number(patch), suffix: `${preRelease}${build}` };
}

/** Orders two semantic versions by their numbers, as `Array.sort` has it; undefined where a text is none. */
export function compareVersions(one: string, other: string): number | undefined {
  const [first, second] = [one, other].map(parseSemanticVersion);
  return first && second && (first.major - second.major || first.minor - second.minor || first.patch - second.patch);
}

/** A version as the webhooks of Cluster API store it: with a leading `v`. What is no version stays as it is. */
export function prefixedVersion(version: string): string {
  return version.startsWith('v') || !parseSemanticVersion(version) ? version : `v${version}`;
}

/** True if a text is the tag of a release or pre-release on GitHub, e.g. `v0.4.0` or `v1.14.0-rc.1`. */
export function isReleaseTag(text: string): boolean {
  return text.startsWith('v') && parseSemanticVersion(text)?.suffix.includes('+') === false;
}

/**
 * True if a version of a chart is one, and no range. Repositories have versions that are no semantic ones; those with the characters of
 * ranges are taken for ranges (Masterminds/semver constraints.go).
 */
export function isExactChartVersion(version: string): boolean {
  return parseSemanticVersion(version) !== undefined || !(/[\^~*<>=|, ]/.test(version) || /^v?\d+(\.(\d+|x|X))?(\.[xX])?$/.test(version));
}
