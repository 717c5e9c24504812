import { Duration } from 'cdk8s';
import { FluxMode } from './flux-mode';

/** Kubeconfig for the Flux controllers. */
export enum FluxKubeconfig {
  /** The one that reaches the API server without leaving the management cluster, where the control plane runs there. */
  INTERNAL = 'internal',

  /** The one that reaches the API server at its published endpoint. For Flux controllers that run elsewhere. */
  EXTERNAL = 'external',
}

/** The reaction to a manual change of an object of a release in the tenant. */
export enum FluxDriftDetection {
  /** The change is undone. */
  ENABLED = 'enabled',

  /** The change is reported as an event. */
  WARN = 'warn',

  /** Nothing, until the next upgrade. */
  DISABLED = 'disabled',
}

/**
 * Credentials and authority of a repository of charts. The Secrets are in the namespace of each tenant cluster that uses the repository, and
 * so are its sources: tenants share those of public repositories only.
 *
 * It is for one address, unlike a `PrivateChartRepository` of a `CompanyNetwork`, which is for all repositories below its address and for each
 * delivery.
 */
export interface FluxRepositoryAccess {
  /** Address of the repository, as the charts spell it; a slash at the end makes no difference (`TC-DELIVERY-REPOSITORY-ACCESS`). */
  readonly repository: string;

  /**
   * Name of the Secret with the credentials: keys `username` and `password` for a Helm repository, an image pull secret for a registry.
   *
   * @default - no credentials
   */
  readonly secretName?: string;

  /**
   * Name of the Secret with the certificate authority under `ca.crt`, and maybe a client certificate under `tls.crt` and `tls.key`.
   *
   * @default - authorities that the source-controller knows
   */
  readonly certSecretName?: string;
}

/** Kinds of Flux sources that manifests are read from. */
export enum FluxSourceKind {
  /** A Git repository. */
  GIT_REPOSITORY = 'GitRepository',

  /** An artifact in an OCI registry, as `flux push artifact` makes it. */
  OCI_REPOSITORY = 'OCIRepository',

  /** A bucket of an object store. */
  BUCKET = 'Bucket',
}

/** Carrier of manifests into a tenant. */
export enum FluxManifestCarrier {
  /**
   * A `Kustomization` of Flux: server-side apply, so that fields which others set stay; what leaves the manifests is pruned, changes in the
   * tenant are undone, a failed apply is tried again after `retryInterval`.
   */
  KUSTOMIZATION = 'kustomization',

  /** A `ClusterResourceSet` of Cluster API, with the limits of `ClusterResourceSetDelivery`. Flux needs no access to a source. */
  CLUSTER_RESOURCE_SET = 'cluster-resource-set',
}

/** Source of the manifests for tenants: the Flux source with the output of this library. */
export interface FluxManifestSource {
  /**
   * Kind of the source object.
   *
   * @default FluxSourceKind.GIT_REPOSITORY
   */
  readonly kind?: FluxSourceKind;

  /** Name of the source object in the management cluster (`TC-DELIVERY-MANIFEST-SOURCE`). */
  readonly name: string;

  /**
   * Namespace of the source object. With `FluxMode.lockdown` it must be that of the tenant cluster: give each tenant's namespace a source
   * object of its own (`TC-DELIVERY-FLUX-MODE`).
   *
   * @default - the tenant cluster's namespace
   */
  readonly namespace?: string;

  /**
   * Folder of the source that the output of the app is in: each delivery reads `<path>/clusters/<namespace>/<cluster>/delivered/<name>`,
   * which a `GitOpsApp` writes (`TC-DELIVERY-MANIFEST-SOURCE`, `TC-CLUSTER-MANIFEST-APP`, `TC-GITOPS-PATH`).
   *
   * @default - the top of the source
   */
  readonly path?: string;

  /**
   * Time that an apply, and the wait for its objects, may take before it counts as failed and is tried again: whole seconds
   * (`TC-DELIVERY-DURATION`).
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * True if manifests count as applied only once their objects are ready, and what comes after them waits for that. It is checked with
   * each reconciliation: in a tenant, one node that is not ready would hold back every change of what comes after a DaemonSet. A wait also
   * occupies the kustomize-controller, which works on four Kustomizations at a time by default, until the timeout.
   *
   * @default - true in the management cluster, false in tenants
   */
  readonly wait?: boolean;
}

/** Options of `FluxDelivery`. Durations are whole seconds (`TC-DELIVERY-DURATION`). */
export interface FluxDeliveryProps {
  /**
   * Start of the Flux controllers. It decides which namespaces sources are in, and whose rights objects have.
   *
   * Rule: `TC-DELIVERY-FLUX-MODE`.
   *
   * @default FluxMode.standard()
   */
  readonly mode?: FluxMode;

  /**
   * Kubeconfig for the Flux controllers. Its Secret is in the namespace of the cluster and appears with the control plane.
   *
   * @default FluxKubeconfig.INTERNAL
   */
  readonly kubeconfig?: FluxKubeconfig;

  /**
   * Interval at which releases and manifests are compared with the desired state. Changes in the management cluster do not wait for it.
   *
   * @default - 1 hour in tenants, 10 minutes in the management cluster
   */
  readonly interval?: Duration;

  /**
   * Interval at which repositories of charts are read again. Another version on the page does not wait for it.
   *
   * @default Duration.hours(24)
   */
  readonly sourceInterval?: Duration;

  /**
   * True if a release counts as installed only once its objects are ready, and what comes after it waits for that. An install or upgrade
   * occupies the helm-controller until then, which works on four releases at a time by default: four tenants without a ready node would stop
   * the releases of all others. Hooks of a chart are always waited for.
   *
   * `wait` of a chart takes precedence.
   *
   * Source: fluxcd/helm-controller internal/action/wait.go, main.go (--concurrent), v1.6.3.
   *
   * @default - true in the management cluster, false in tenants
   */
  readonly wait?: boolean;

  /**
   * Time between a failure and the next try of an install, an upgrade or an apply. It is tried for ever, and nothing is uninstalled or
   * rolled back in between: for a pod network or a storage driver that would do more harm than the failure. A try at manifests occupies the
   * kustomize-controller for 90 seconds while the API server of a tenant does not answer.
   *
   * @default - 30 seconds; 2 minutes for manifests of tenants
   */
  readonly retryInterval?: Duration;

  /**
   * Time that the hooks of a chart may take when it is uninstalled.
   *
   * @default Duration.minutes(5)
   */
  readonly uninstallTimeout?: Duration;

  /**
   * Number of revisions of a release that Helm keeps in the tenant, from 1 (`TC-DELIVERY-HISTORY`).
   *
   * @default 5
   */
  readonly maxHistory?: number;

  /**
   * The reaction to a manual change of an object of a release in the tenant.
   *
   * @default FluxDriftDetection.DISABLED
   */
  readonly driftDetection?: FluxDriftDetection;

  /**
   * True if Flux leaves everything in the tenant as it is. What is removed while it is suspended stays in the tenant. Manifests that a
   * ClusterResourceSet carries are not suspended.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Credentials and authorities of the repositories of charts that need them.
   *
   * @default - those of the cluster's `companyNetwork`; all others are public
   */
  readonly repositories?: FluxRepositoryAccess[];

  /**
   * Source in Git of the manifests for the tenant.
   *
   * @default - the source and path of the app's `FluxEntryPoints`
   */
  readonly manifestSource?: FluxManifestSource;

  /**
   * Carrier of manifests into the tenant. A Kustomization needs a source.
   *
   * To go back from a Kustomization to a ClusterResourceSet, `suspend` first, in a commit before: a Kustomization that is deleted
   * otherwise deletes what it applied, Namespaces and their content too.
   *
   * Rules: `TC-DELIVERY-MANIFEST-SOURCE`, `TC-CHANGE-FLUX-CARRIER`.
   *
   * @default - FluxManifestCarrier.KUSTOMIZATION where the source is known, by `manifestSource` or `FluxEntryPoints`; otherwise
   *   FluxManifestCarrier.CLUSTER_RESOURCE_SET
   */
  readonly manifestCarrier?: FluxManifestCarrier;
}
