const FIELD = /^(metadata\.(name|namespace|uid|labels\['.*'\]|annotations\['.*'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/;

/** The fields of a pod that environment variables can have, as `accepted` of a problem. */
export const POD_FIELDS = 'metadata.name, metadata.namespace, metadata.uid, metadata.labels[\'KEY\'], metadata.annotations[\'KEY\'], spec.nodeName, '
  + 'spec.serviceAccountName, status.hostIP, status.hostIPs, status.podIP, status.podIPs';

/**
 * True if an environment variable can have the value of a field of its pod.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (`validEnvDownwardAPIFieldPathExpressions`).
 */
export function isPodField(fieldPath: string): boolean {
  return FIELD.test(fieldPath);
}
