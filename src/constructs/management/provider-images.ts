/**
 * Images of the managers of providers, in their release manifests. The tag is the version of the provider
 * (config/default/manager_image_patch.yaml, or config/manager, of each project).
 */
const MANAGERS: Readonly<Record<string, string>> = {
  'CoreProvider cluster-api': 'registry.k8s.io/cluster-api/cluster-api-controller',
  'BootstrapProvider kubeadm': 'registry.k8s.io/cluster-api/kubeadm-bootstrap-controller',
  'ControlPlaneProvider kubeadm': 'registry.k8s.io/cluster-api/kubeadm-control-plane-controller',
  'ControlPlaneProvider kamaji': 'docker.io/clastix/cluster-api-control-plane-provider-kamaji',
  'InfrastructureProvider kubevirt': 'quay.io/capk/capk-manager',
  'InfrastructureProvider vultr-vultr': 'docker.io/vultr/cluster-api-provider-vultr',
  'AddonProvider helm': 'registry.k8s.io/cluster-api-helm/cluster-api-helm-controller',
};

/**
 * Name of the manager's container (kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/clusterctl.md). The operator installs
 * nothing if the release has no container of the name that it is given.
 */
const MANAGER = 'manager';

/** Managers whose container has another name. */
const CONTAINERS: Readonly<Record<string, string>> = {
  // clastix/cluster-api-control-plane-provider-kamaji config/manager/manager.yaml, v0.20.0
  'ControlPlaneProvider kamaji': 'controller',
};

interface DeletedImage {
  readonly provider: string;

  /** Releases that have the container. The operator rejects an image for a missing container. */
  readonly versions: RegExp;
  readonly container: string;
  readonly replacement: string;
}

/** Containers beside the manager whose image was deleted from the registry that the release names. */
const DELETED_IMAGES: readonly DeletedImage[] = [{
  // config/default/manager_auth_proxy_patch.yaml of v0.1.0 to v0.4.0 names gcr.io/kubebuilder/kube-rbac-proxy:v0.15.0, which the Kubebuilder
  // project deleted (kubernetes-sigs/kubebuilder discussion 3907). The same release is at the registry of its own project
  // (brancz/kube-rbac-proxy .github/workflows/build.yml, v0.15.0).
  provider: 'InfrastructureProvider vultr-vultr',
  versions: /^v0\.[1-4]\./,
  container: 'kube-rbac-proxy',
  replacement: 'quay.io/brancz/kube-rbac-proxy:v0.15.0',
}];

/** A release of a provider. */
interface ProviderRelease {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
}

/** The image of a provider's manager, if known. */
export function managerImage({ kind, name, version }: ProviderRelease): string | undefined {
  const image = MANAGERS[`${kind} ${name}`];
  return image && `${image}:${version}`;
}

/** Name of the container of a provider's manager. */
export function managerContainer({ kind, name }: Pick<ProviderRelease, 'kind' | 'name'>): string {
  return CONTAINERS[`${kind} ${name}`] ?? MANAGER;
}

/** Replacements for unusable images of sidecars, by container. */
export function replacedSidecarImages({ kind, name, version }: ProviderRelease): { readonly [container: string]: string } {
  return Object.fromEntries(DELETED_IMAGES.filter(({ provider, versions }) => provider === `${kind} ${name}` && versions.test(version))
    .map(({ container, replacement }) => [container, replacement]));
}
