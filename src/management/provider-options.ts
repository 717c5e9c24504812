import { ClusterApiFeatureGates, KamajiProviderFeatureGates } from './cluster-api-feature-gates';
import { ResourceRequirements } from '../kubernetes/resource-requirements';
import { Toleration } from '../kubernetes/tolerations';

/** A Secret of the management cluster. */
export interface ManagementSecretRef {
  /** Name of the Secret (`TC-MANAGEMENT-NAME`). */
  readonly name: string;

  /** Namespace of the Secret (`TC-MANAGEMENT-NAME`). */
  readonly namespace: string;
}

/** How a provider runs. */
export interface ProviderOptions {
  /**
   * Whether this app installs the provider. Switched off, somebody else does, or nobody.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Namespace of the provider, which is made before it (`TC-MANAGEMENT-NAME`). It cannot be changed later: the operator would install the
   * provider a second time.
   *
   * @default - the one of its own manifests
   */
  readonly namespace?: string;

  /**
   * Replicas of the manager, of which one works and the others wait (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * CPU and memory of the manager (`TC-MANAGEMENT-RESOURCES`).
   *
   * @default - those of its manifests
   */
  readonly resources?: ResourceRequirements;

  /**
   * Taints that the manager's pods put up with (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - those of its manifests
   */
  readonly tolerations?: Toleration[];

  /**
   * Labels of the nodes that the manager may run on.
   *
   * @default - those of its manifests
   */
  readonly nodeSelector?: { [label: string]: string };

  /**
   * Image of the manager instead, e.g. from a mirror: registry, repository and tag or digest (`TC-MANAGEMENT-IMAGE`).
   *
   * @default - that of its manifests
   */
  readonly image?: string;

  /**
   * Images of the manager's sidecars instead, by the name of the container (`TC-MANAGEMENT-IMAGE`). The operator does not install the
   * provider if its release has no container of that name.
   *
   * @default - those of its manifests; for `vultr-vultr` up to v0.4, `kube-rbac-proxy` from quay.io, since the image of its manifests was deleted
   */
  readonly sidecarImages?: { [container: string]: string };

  /**
   * Names of Secrets with the credentials of registries, in the provider's namespace (`TC-MANAGEMENT-NAME`).
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Further arguments of the manager, by name without hyphens (`TC-MANAGEMENT-ARGUMENT`).
   *
   * @default - none
   */
  readonly extraArgs?: { [name: string]: string };

  /**
   * Secret with variables that the provider's manifests ask for, such as credentials, and `GITHUB_TOKEN` against GitHub's rate limit.
   * The operator reads it once; to change it, name another one.
   *
   * @default - that of `clusterApi`
   */
  readonly configSecret?: ManagementSecretRef;

  /**
   * Registry that holds the provider's manifests as an artifact, `registry.example.com/providers/name`, for networks without GitHub.
   *
   * @default - the release on GitHub
   */
  readonly ociArtifact?: string;
}

/** How a provider runs that has a version of its own. */
export interface VersionedProviderOptions extends ProviderOptions {
  /**
   * Version of the provider (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;
}

/** How the Kamaji provider runs. */
export interface KamajiProviderOptions extends VersionedProviderOptions {
  /**
   * Its feature gates (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - its own defaults
   */
  readonly featureGates?: KamajiProviderFeatureGates;
}

/** How the KubeVirt provider runs. */
export interface KubevirtProviderOptions extends VersionedProviderOptions {
  /**
   * Its feature gates: v0.11 is built with Cluster API 1.11, and knows those of that release only (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - its own defaults
   */
  readonly featureGates?: ClusterApiFeatureGates;
}

/** What a further provider is to Cluster API. */
export enum ProviderKind {
  /** Makes machines into nodes. */
  BOOTSTRAP = 'BootstrapProvider',

  /** Runs control planes. */
  CONTROL_PLANE = 'ControlPlaneProvider',

  /** Makes machines. */
  INFRASTRUCTURE = 'InfrastructureProvider',

  /** Installs add-ons. */
  ADDON = 'AddonProvider',

  /** Gives out addresses. */
  IPAM = 'IPAMProvider',

  /** Extends Cluster API at run time. */
  RUNTIME_EXTENSION = 'RuntimeExtensionProvider',
}

/** A provider beside those that the library knows. */
export interface FurtherProvider extends ProviderOptions {
  /** What it is to Cluster API. */
  readonly kind: ProviderKind;

  /** Its name, as clusterctl knows it, e.g. `vultr-vultr` (`TC-MANAGEMENT-PROVIDER`). */
  readonly name: string;

  /** Its version, e.g. `v0.3.0` (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-CONFLICT`). */
  readonly version: string;

  /**
   * Address of its releases, for a provider that clusterctl does not know: `https://github.com/<owner>/<name>/releases` and the file of
   * its manifests behind (`TC-MANAGEMENT-PROVIDER`).
   *
   * @default - where clusterctl knows it to be
   */
  readonly url?: string;
}
