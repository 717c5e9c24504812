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
export const KONNECTIVITY: Readonly<Record<string, PinnedVersion>> = {
  1.33: { version: 'v0.33.0', source: 'clastix/kamaji internal/builders/controlplane/konnectivity_server.go (v0.<minor>.0)' },
  1.34: { version: 'v0.34.0', source: 'kubernetes-sigs/apiserver-network-proxy tag v0.34.0' },
  1.35: { version: 'v0.34.0', source: 'cozystack/cozystack commit 3d89d3732 (there is no image v0.35.0)' },
  1.36: { version: 'v0.36.0', source: 'kubernetes-sigs/apiserver-network-proxy tag v0.36.0' },
};
