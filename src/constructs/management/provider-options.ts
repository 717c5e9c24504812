import { ClusterApiFeatureGates, KamajiProviderFeatureGates } from './cluster-api-feature-gates';
import { ResourceRequirements } from '../../manifests/values/resource-requirements';
import { SecretRef } from '../../manifests/values/secret-ref';
import { Toleration } from '../../manifests/values/tolerations';

/** Options of a provider. */
export interface ProviderOptions {
  /**
   * True if this app installs the provider. Disable it if the provider is not needed, or is installed separately.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Namespace of the provider, created by this app. It cannot be changed later: the operator would install the provider twice.
   *
   * Rule: `TC-MANAGEMENT-NAME`.
   *
   * @default - the namespace in its manifests
   */
  readonly namespace?: string;

  /**
   * Number of replicas of the manager: one leader, the others on standby (`TC-MANAGEMENT-REPLICAS`).
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
   * Tolerations of the manager's pods (`TC-MANAGEMENT-TOLERATION`).
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
   * Image of the manager, e.g. from a mirror: registry, repository and tag or digest (`TC-MANAGEMENT-IMAGE`).
   *
   * @default - the image in its manifests
   */
  readonly image?: string;

  /**
   * Images of the manager's sidecars, by the name of the container. The operator does not install the provider if its release has no such
   * container.
   *
   * Rule: `TC-MANAGEMENT-IMAGE`.
   *
   * @default - the images in its manifests; for `vultr-vultr` up to v0.4, `kube-rbac-proxy` from quay.io, since the image of its manifests
   * was deleted
   */
  readonly sidecarImages?: { [container: string]: string };

  /**
   * Names of Secrets with the credentials of registries, in the provider's namespace (`TC-MANAGEMENT-NAME`).
   *
   * @default - those of `companyNetwork`, else none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Further arguments of the manager, by name without leading hyphens (`TC-MANAGEMENT-ARGUMENT`).
   *
   * @default - none
   */
  readonly extraArgs?: { [name: string]: string };

  /**
   * Secret with the variables of the provider's manifests, such as credentials, and `GITHUB_TOKEN` against GitHub's rate limit. The
   * operator reads it once; to change a variable, set another Secret.
   *
   * @default - the Secret of `clusterApi`
   */
  readonly configSecret?: SecretRef;

  /**
   * OCI artifact with the provider's manifests, `registry.example.com/providers/name`, for networks without access to GitHub.
   *
   * @default - the release on GitHub
   */
  readonly ociArtifact?: string;
}

/** Options of a provider with its own version. */
export interface VersionedProviderOptions extends ProviderOptions {
  /**
   * Version of the provider (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;
}

/** Options of the Kamaji provider. */
export interface KamajiProviderOptions extends VersionedProviderOptions {
  /**
   * Its feature gates (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - its own defaults
   */
  readonly featureGates?: KamajiProviderFeatureGates;
}

/** Options of the KubeVirt provider. */
export interface KubevirtProviderOptions extends VersionedProviderOptions {
  /**
   * Its feature gates. v0.11 is built with Cluster API 1.11, and only knows the gates of that release (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - its own defaults
   */
  readonly featureGates?: ClusterApiFeatureGates;
}

/** Type of a further provider. */
export enum ProviderKind {
  /** Turns machines into nodes. */
  BOOTSTRAP = 'BootstrapProvider',

  /** Runs control planes. */
  CONTROL_PLANE = 'ControlPlaneProvider',

  /** Creates machines. */
  INFRASTRUCTURE = 'InfrastructureProvider',

  /** Installs add-ons. */
  ADDON = 'AddonProvider',

  /** Assigns addresses. */
  IPAM = 'IPAMProvider',

  /** Extends Cluster API at run time. */
  RUNTIME_EXTENSION = 'RuntimeExtensionProvider',
}

/** A provider that has no property of its own. */
export interface FurtherProvider extends ProviderOptions {
  /** Type of the provider. */
  readonly kind: ProviderKind;

  /** Name of the provider in clusterctl, e.g. `vultr-vultr` (`TC-MANAGEMENT-PROVIDER`). */
  readonly name: string;

  /** Its version, e.g. `v0.3.0` (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-CONFLICT`). */
  readonly version: string;

  /**
   * Address of its releases, for a provider that clusterctl does not know: `https://github.com/<owner>/<name>/releases/` with the file of
   * its manifests (`TC-MANAGEMENT-PROVIDER`).
   *
   * @default - the address in clusterctl
   */
  readonly url?: string;
}
