/** Namespaces of components that a management cluster commonly runs, with what is in them. */
const COMPONENTS: { readonly [namespace: string]: string } = {
  'default': 'objects without a namespace end up there',
  'argocd': 'Argo CD runs there',
  'caaph-system': 'Cluster API\'s add-on provider for Helm runs there',
  'calico-system': 'Calico runs there',
  'capi-kubeadm-bootstrap-system': 'Cluster API\'s bootstrap provider runs there',
  'capi-kubeadm-control-plane-system': 'Cluster API\'s control plane provider runs there',
  'capi-operator-system': 'the Cluster API Operator runs there',
  'capi-system': 'Cluster API runs there',
  'capk-system': 'Cluster API\'s provider for KubeVirt runs there',
  'capvultr-system': 'Cluster API\'s provider for Vultr runs there',
  'cdi': 'the importer of disk images runs there',
  'cert-manager': 'cert-manager runs there, with its certificate authorities',
  'flux-system': 'Flux runs there, with its credentials for Git',
  'ingress-nginx': 'ingress-nginx runs there',
  'kamaji-etcd': 'data stores of tenants run there',
  'kamaji-system': 'Kamaji runs there, and data stores of tenants',
  'kubevirt': 'KubeVirt runs there',
  'longhorn-system': 'Longhorn runs there',
  'metallb-system': 'MetalLB runs there',
  'rook-ceph': 'Rook runs there',
  'tigera-operator': 'the operator of Calico runs there',
};

/**
 * Checks that a namespace is not one of Kubernetes or of a component of the management cluster: policies, quotas and rights of a tenant, or
 * the removal of its namespace, would reach what is in there.
 *
 * @returns why it is not free, or undefined
 */
export function checkSystemNamespace(namespace: string): string | undefined {
  if (namespace.startsWith('kube-')) return `"${namespace}" has the prefix "kube-", which Kubernetes reserves for itself`;
  const reason = Object.hasOwn(COMPONENTS, namespace) ? COMPONENTS[namespace] : undefined;
  return reason && `"${namespace}" is no namespace for a tenant: ${reason}`;
}
