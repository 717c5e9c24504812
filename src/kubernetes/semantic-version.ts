// semver.org, behind an optional "v".
const VERSION = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(\+[\dA-Za-z-]+(\.[\dA-Za-z-]+)*)?$/;

/** The numbers of a semantic version. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/**
 * Reads a semantic version, with or without a leading `v`, as blang/semver does: three numbers, maybe a pre-release and a build.
 * Controllers take pre-releases; `KubernetesVersion` is for released versions.
 *
 * @returns its numbers, or undefined if the text is not one
 */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = VERSION.exec(text);
  return match ? { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) } : undefined;
}
