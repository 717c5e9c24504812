/**
 * Functions and macros that API servers have in CEL, of any receiver.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/cel/environment/base.go and library, v1.37.2; google/cel-go common/stdlib and ext, v0.29.0.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(`
  has all exists exists_one existsOne filter map transformList transformMap transformMapEntry sortBy optMap optFlatMap
  bool bytes double duration dyn int string timestamp type uint size matches contains startsWith endsWith
  getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds
  charAt format indexOf join lastIndexOf lowerAscii quote replace reverse split substring trim upperAscii find findAll
  isSorted max min sum distinct first flatten last range slice sort includes
  none of ofNonZeroValue hasValue or orValue value unwrap unwrapOpt
  equivalent intersects
  url getEscapedPath getHost getHostname getPort getQuery getScheme isURL
  ip isIP family isCanonical isGlobalUnicast isLinkLocalMulticast isLinkLocalUnicast isLoopback isUnspecified
  cidr isCIDR containsCIDR containsIP masked prefixLength
  quantity isQuantity add asApproximateFloat asInteger compareTo isGreaterThan isInteger isLessThan sign sub
  semver isSemver major minor patch
  named validate dns1123Label dns1123LabelPrefix dns1123Subdomain dns1123SubdomainPrefix dns1035Label dns1035LabelPrefix qualifiedName labelValue uri uuid byte date datetime
  allowed check error errored fieldSelector group labelSelector name namespace path reason resource serviceAccount subresource
  escapeKey
`.trim().split(/\s+/));

/** True if API servers know no function or macro of a name. */
export function isUnknownFunction(name: string): boolean {
  return !FUNCTIONS.has(name);
}
