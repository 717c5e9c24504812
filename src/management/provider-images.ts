/**
 * Images of the managers of providers, whose tag is the version of the provider: as their release manifests name them
 * (config/default/manager_image_patch.yaml, or config/manager, of each project).
 */
const MANAGERS: Readonly<Record<string, string>> = {
  'CoreProvider cluster-api': 'registry.k8s.io/cluster-api/cluster-api-controller',
  'BootstrapProvider kubeadm': 'registry.k8s.io/cluster-api/kubeadm-bootstrap-controller',
  'ControlPlaneProvider kubeadm': 'registry.k8s.io/cluster-api/kubeadm-control-plane-controller',
  'ControlPlaneProvider kamaji': 'docker.io/clastix/cluster-api-control-plane-provider-kamaji',
  'InfrastructureProvider kubevirt': 'quay.io/capk/capk-manager',
  'AddonProvider helm': 'registry.k8s.io/cluster-api-helm/cluster-api-helm-controller',
};

/** A release of a provider. */
interface ProviderRelease {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
}

/** The image that a provider's manager runs, as far as it is known. */
export function managerImage({ kind, name, version }: ProviderRelease): string | undefined {
  const image = MANAGERS[`${kind} ${name}`];
  return image && `${image}:${version}`;
}
