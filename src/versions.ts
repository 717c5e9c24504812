/** A released version, and where it was read from. */
export interface PinnedVersion {
  /** The version as its project writes it. */
  readonly version: string;

  /** Where the version, and what is known about it, was read from. */
  readonly source: string;
}

/** Kamaji, the manager that runs hosted control planes. */
export const KAMAJI: PinnedVersion = {
  version: '26.8.2-edge',
  source: 'clastix/kamaji tag 26.8.2-edge, internal/upgrade/kubeadm_version.go',
};

/** Kamaji's control plane provider for Cluster API. */
export const KAMAJI_PROVIDER: PinnedVersion = {
  version: 'v0.20.0',
  source: 'clastix/cluster-api-control-plane-provider-kamaji tag v0.20.0, config/metadata.yaml',
};

/**
 * Konnectivity's server and agent for each Kubernetes minor. One that is absent here has images under `v0.<minor>.0`, which is what
 * Kamaji would choose as well; 1.35 is the exception that its rule does not know.
 */
export const KONNECTIVITY: ReadonlyMap<string, PinnedVersion> = new Map([
  ['1.33', { version: 'v0.33.0', source: 'clastix/kamaji internal/builders/controlplane/konnectivity_server.go (v0.<minor>.0)' }],
  ['1.34', { version: 'v0.34.0', source: 'kubernetes-sigs/apiserver-network-proxy tag v0.34.0' }],
  ['1.35', { version: 'v0.34.0', source: 'cozystack/cozystack commit 3d89d3732 (there is no image v0.35.0)' }],
  ['1.36', { version: 'v0.36.0', source: 'kubernetes-sigs/apiserver-network-proxy tag v0.36.0' }],
]);

/** An image of a released version. */
export interface PinnedImage extends PinnedVersion {
  /** Registry and repository. */
  readonly image: string;
}

/** What the controllers beside a control plane wait with for its kubeconfig. */
export const BUSYBOX: PinnedImage = {
  image: 'docker.io/library/busybox',
  version: '1.37.0',
  source: 'cozystack/cozystack packages/apps/kubernetes/templates (init container wait-for-kubeconfig)',
};

/** KubeVirt's cloud controller manager. */
export const KUBEVIRT_CLOUD_CONTROLLER_MANAGER: PinnedImage = {
  image: 'quay.io/kubevirt/kubevirt-cloud-controller-manager',
  version: 'v0.6.0',
  source: 'kubevirt/cloud-provider-kubevirt tag v0.6.0',
};

const CLUSTER_AUTOSCALER_IMAGE = 'registry.k8s.io/autoscaling/cluster-autoscaler';

/** The cluster autoscaler for each Kubernetes minor of the tenant: both are released together, and meant for each other. */
export const CLUSTER_AUTOSCALER: ReadonlyMap<string, PinnedImage> = new Map([
  ['1.33', { image: CLUSTER_AUTOSCALER_IMAGE, version: 'v1.33.6', source: 'kubernetes/autoscaler tag cluster-autoscaler-1.33.6' }],
  ['1.34', { image: CLUSTER_AUTOSCALER_IMAGE, version: 'v1.34.5', source: 'kubernetes/autoscaler tag cluster-autoscaler-1.34.5' }],
  ['1.35', { image: CLUSTER_AUTOSCALER_IMAGE, version: 'v1.35.2', source: 'kubernetes/autoscaler tag cluster-autoscaler-1.35.2' }],
  ['1.36', { image: CLUSTER_AUTOSCALER_IMAGE, version: 'v1.36.1', source: 'kubernetes/autoscaler tag cluster-autoscaler-1.36.1' }],
]);

/** The name of a pinned image as a container takes it. */
export function imageName({ image, version }: PinnedImage): string {
  return `${image}:${version}`;
}
