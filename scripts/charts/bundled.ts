/** The charts that addons of the library install. */
export const BUNDLED_CHARTS = [
  'cert-manager',
  'cilium',
  'coredns',
  'crd.projectcalico.org.v1',
  'external-dns',
  'external-secrets',
  'flannel',
  'fluent-bit',
  'gateway-helm',
  'gpu-operator',
  'ingress-nginx',
  'kube-prometheus-stack',
  'kyverno',
  'metallb',
  'metrics-server',
  'nifcloud-additional-storage-csi-driver',
  'nifcloud-cloud-controller-manager',
  'node-feature-discovery',
  'node-local-dns',
  'reloader',
  'snapshot-controller',
  'tigera-operator',
  'traefik',
  'vector',
  'velero',
  'vertical-pod-autoscaler',
  'victoria-metrics-agent',
] as const;

/** The charts that the management cluster is made of, beside those: their values are compared too, and their versions are written by hand. */
export const MANAGEMENT_CHARTS = ['cluster-api-operator', 'kamaji', 'kamaji-crds', 'kamaji-etcd'] as const;
