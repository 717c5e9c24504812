/** A provider of Cluster API, as its releases install it. */
export interface ProviderRelease {
  /** Kind of the object that the Cluster API Operator installs it by. */
  readonly kind: 'CoreProvider' | 'BootstrapProvider' | 'ControlPlaneProvider' | 'InfrastructureProvider' | 'AddonProvider';

  /** Name of the provider in clusterctl. */
  readonly name: string;

  /** Image of its manager, without the tag, which is the version of the provider (config/default/manager_image_patch.yaml or config/manager). */
  readonly image: string;

  /**
   * Name of the manager's container.
   *
   * @default - `manager` (kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/clusterctl.md)
   */
  readonly container?: string;

  /**
   * Address of its releases, for a provider that users may install under another name.
   *
   * @default - it always has its name in clusterctl
   */
  readonly releases?: string;

  /**
   * Its releases that have the contract v1beta1 of Cluster API, and not v1beta2.
   *
   * @default - none
   */
  readonly onlyV1Beta1?: RegExp;

  /**
   * Containers beside the manager whose image was deleted from the registry that the manifests name.
   *
   * @default - none
   */
  readonly deletedImages?: readonly {
    /** Releases that have the container. The operator rejects an image for a missing container. */
    readonly versions: RegExp;
    readonly container: string;
    readonly replacement: string;
  }[];

  /**
   * Releases that the operator cannot install from their published address.
   *
   * @default - none
   */
  readonly faults?: readonly { readonly versions: RegExp; readonly reason: string; readonly source: string; readonly fix: string }[];
}
