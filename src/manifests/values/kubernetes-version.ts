import { parseSemanticVersion, SemanticVersion } from './semantic-version';

/** Larger numbers are no versions. */
const LARGEST_NUMBER = 999_999_999;

/**
 * An exact Kubernetes release, e.g. 1.35.4.
 *
 * Values are immutable and compare by their numbers: 1.35.10 is newer than 1.35.9.
 *
 * @example
 * const version = KubernetesVersion.of('1.35.4');
 */
export class KubernetesVersion {
  /**
   * Reads a version.
   *
   * @param version `1.35.4` or `v1.35.4`: major, minor and patch, no leading zeros, no suffix such as `-rc.1` or `+build`
   */
  public static of(version: string): KubernetesVersion {
    const numbers = releaseNumbers(version);
    if (!numbers) throw new Error(`Kubernetes version: ${checkKubernetesVersion(version)}`);
    return new KubernetesVersion(numbers.major, numbers.minor, numbers.patch);
  }

  /**
   * True if a text is a version that `of` takes.
   *
   * @param version the text to look at
   */
  public static isValid(version: string): boolean {
    return checkKubernetesVersion(version) === undefined;
  }

  /** The first number, 1 for every release so far. */
  public readonly major: number;

  /** The second number, e.g. 35 for 1.35.4. */
  public readonly minor: number;

  /** The third number, e.g. 4 for 1.35.4. */
  public readonly patch: number;

  private constructor(major: number, minor: number, patch: number) {
    this.major = major;
    this.minor = minor;
    this.patch = patch;
  }

  /** The release line without the patch, e.g. `1.35`. */
  public get minorVersion(): string {
    return `${this.major}.${this.minor}`;
  }

  /**
   * Orders two versions.
   *
   * @param other the version to compare with
   * @returns a negative number if this one is older, a positive one if it is newer, 0 if they are equal
   */
  public compare(other: KubernetesVersion): number {
    return this.major - other.major || this.minor - other.minor || this.patch - other.patch;
  }

  /** The version as Cluster API and the image tags write it, e.g. `v1.35.4`. */
  public toString(): string {
    return `v${this.major}.${this.minor}.${this.patch}`;
  }
}

/**
 * Readable part of a version, so that everything else can still be checked when it is refused: at least the minor, or a release that no
 * table of flags, gates and fields knows, so that no table applies to it.
 */
export function readableVersion(text: string): KubernetesVersion {
  if (KubernetesVersion.isValid(text)) return KubernetesVersion.of(text);
  const [minor] = /^v?1\.[1-9]\d?(?!\d)/.exec(text.trim()) ?? ['1.0'];
  return KubernetesVersion.of(`${minor}.0`);
}

/**
 * Checks a Kubernetes version.
 *
 * Sources: Cluster API `core/webhooks/admission/machinedeployment.go` ("must be a valid semantic version", strict since 1.14),
 * Kamaji `internal/webhook/handlers/tcp_version.go`.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkKubernetesVersion(version: string): string | undefined {
  if (releaseNumbers(version)) return undefined;
  return `"${version}" is not an exact version; accepted is major.minor.patch such as "1.35.4" or "v1.35.4",`
    + ' without leading zeros and without a pre-release or build suffix';
}

/**
 * Cluster API's webhooks and Kamaji both demand strict semver X.Y.Z behind an optional `v`; a pre-release or build suffix is valid semver, but no
 * released image carries one.
 */
function releaseNumbers(version: string): SemanticVersion | undefined {
  const numbers = parseSemanticVersion(version);
  return numbers?.suffix === '' && Math.max(numbers.major, numbers.minor, numbers.patch) <= LARGEST_NUMBER ? numbers : undefined;
}
