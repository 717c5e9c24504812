/** Namespaces of components that a management cluster commonly runs beside the known systems, with what is in them. */
const COMPONENTS = new Map(Object.entries({
  'default': 'objects without a namespace end up there',
  'capi-system': 'Cluster API runs there',
  'longhorn-system': 'Longhorn runs there',
  'rook-ceph': 'Rook runs there',
}));

/**
 * Registers namespaces of a system. The layer that knows the systems calls it before the first check: see `registerProviders`.
 *
 * @param namespaces namespaces, with what is in them
 */
export function addSystemNamespaces(namespaces: Readonly<Record<string, string>>): void {
  for (const [namespace, content] of Object.entries(namespaces)) COMPONENTS.set(namespace, content);
}

/**
 * Checks that a namespace is not one of Kubernetes or of a component of the management cluster: policies, quotas and rights of a tenant, or
 * the removal of its namespace, would reach what is in there.
 *
 * @returns why it is not free, or undefined
 */
export function checkSystemNamespace(namespace: string): string | undefined {
  if (namespace.startsWith('kube-')) return `"${namespace}" has the prefix "kube-", which Kubernetes reserves for itself`;
  const reason = COMPONENTS.get(namespace);
  return reason && `"${namespace}" is no namespace for a tenant: ${reason}`;
}
