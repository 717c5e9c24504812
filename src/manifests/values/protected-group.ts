/**
 * Annotation with the approval of a type in a group of the Kubernetes community: an address, or a reason that starts with "unapproved".
 *
 * Source: kubernetes/enhancements pull 1111, kubernetes/kubernetes
 * staging/src/k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go (GetAPIApprovalState).
 */
export const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io';

/** True if an API group belongs to the Kubernetes community, which has to approve its types. */
export function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

/** True if the annotation of a type in such a group has a value that API servers accept. */
export function isApproval(text: string): boolean {
  return text.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text);
}
