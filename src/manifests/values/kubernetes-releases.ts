/**
 * The Kubernetes releases that the library's tables are made from, one for each minor that it supports, oldest first.
 *
 * One more minor is one more word here and a run of `npm run facts`.
 */
export const KUBERNETES_RELEASES: readonly string[] = ['v1.33.13', 'v1.34.4', 'v1.35.4', 'v1.36.3', 'v1.37.2'];

/** The minors of these releases, oldest first. */
export const SUPPORTED_MINORS: readonly string[] = KUBERNETES_RELEASES.map((release) => minorOf(release));

/** `1.35` for `v1.35.4`. */
export function minorOf(release: string): string {
  return /^v?(\d+\.\d+)/.exec(release)![1];
}
