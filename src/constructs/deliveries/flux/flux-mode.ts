/** Options of `FluxMode.lockdown`. */
export interface FluxLockdownOptions {
  /**
   * Name of the ServiceAccount that the controllers impersonate. It is written to the namespace of the tenant, without rights there. In the tenant
   * the controllers act as the user with its name and this namespace, which does not have to exist.
   *
   * Rule: `TC-DELIVERY-FLUX-MODE`.
   *
   * @default flux
   */
  readonly serviceAccountName?: string;
}

const SERVICE_ACCOUNT = 'flux';

/**
 * Flags of Flux's controllers, as far as their objects must fit them.
 *
 * @example
 * const delivery = new FluxDelivery({ mode: FluxMode.lockdown() });
 */
export class FluxMode {
  /** As `flux bootstrap` installs them: an object may refer to sources of other namespaces, and has the rights of the controllers. */
  public static standard(): FluxMode {
    return new FluxMode();
  }

  /**
   * With multi-tenancy lockdown, the flags `--no-cross-namespace-refs` and `--default-service-account`.
   *
   * Each object names a ServiceAccount, which the controllers impersonate in the cluster that the object is for. Charts come from sources in
   * the namespace of the tenant, so that no two tenants share one. Manifests need a `manifestSource` in that namespace, or
   * `FluxManifestCarrier.CLUSTER_RESOURCE_SET`.
   *
   * A tenant gets a ClusterRoleBinding that gives the account all rights in the tenant: charts bring definitions, webhooks and cluster roles of
   * their own. A ClusterResourceSet applies it. A user of the tenant who can create this account in a namespace of this name has the same
   * rights. In the management cluster itself you make the ServiceAccount and its rights.
   *
   * Source: fluxcd/helm-controller internal/kube/impersonate.go, v1.6.3; fluxcd/kustomize-controller
   * internal/controller/kustomization_controller.go, v1.9.4.
   *
   * @param options options of the mode
   */
  public static lockdown(options: FluxLockdownOptions = {}): FluxMode {
    return new FluxMode(options.serviceAccountName ?? SERVICE_ACCOUNT);
  }

  private constructor(
    /** Name of the ServiceAccount that objects of Flux name; undefined if they name none. */
    public readonly serviceAccountName?: string,
  ) {}
}
