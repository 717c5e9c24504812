import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { ControllerContainerOptions } from '../../../addons/controllers/tenant-controller-options';
import { VultrApiKey } from '../api-key';

/** Options of Vultr's CSI driver. It has no flags beside those that the library sets. */
export interface VultrCsiDriverOptions {
  /**
   * Secret from which the driver reads the API key. Nodes do not get it. It is an argument of the program, so that users who see the
   * processes of the node that it runs on see the key.
   *
   * Rule: `TC-VULTR-API-KEY`.
   *
   * Source: vultr/vultr-csi cmd/csi-vultr-driver/main.go.
   *
   * @default VultrApiKey.carried() - key `api-key` of the tenant's Secret `vultr-csi`
   */
  readonly apiKey?: VultrApiKey;

  /**
   * Image of the driver (`TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`).
   *
   * @default - docker.io/vultr/vultr-csi:v0.18.0
   */
  readonly image?: string;

  /**
   * CPU and memory of the driver, on nodes as well. What is given replaces the default as a whole.
   *
   * Rule: `TC-CONTROLLER-RESOURCES`.
   *
   * @default - 10m CPU, 50Mi memory; on nodes without a limit, as file systems are made there
   */
  readonly resources?: ResourceRequirements;

  /**
   * Sidecar that creates and deletes volumes (csi-provisioner).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly provisioner?: ControllerContainerOptions;

  /**
   * Sidecar that attaches volumes to machines (csi-attacher).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly attacher?: ControllerContainerOptions;

  /**
   * Sidecar that expands volumes (csi-resizer). It runs if a storage class allows expansion (`TC-VULTR-CSI-IDLE`).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly resizer?: ControllerContainerOptions;

  /**
   * Sidecar that registers the driver with the kubelet (csi-node-driver-registrar).
   *
   * @default - v2.17.0 with 5m CPU, 32Mi memory, at most 64Mi
   */
  readonly nodeDriverRegistrar?: ControllerContainerOptions;
}

/**
 * Vultr's CSI driver for a cluster with storage classes: its options, or none. Both of its halves run in the tenant: they ask Vultr's
 * metadata service where they are.
 *
 * @example
 * const csiDriver = vultr.VultrCsiDriver.none();
 */
export class VultrCsiDriver {
  /**
   * Runs it.
   *
   * @param options its options
   */
  public static of(options: VultrCsiDriverOptions = {}): VultrCsiDriver {
    return new VultrCsiDriver(true, options);
  }

  /** Does not run it: the cluster has no storage classes of Vultr (`TC-VULTR-CSI-IDLE`). */
  public static none(): VultrCsiDriver {
    return new VultrCsiDriver(false, {});
  }

  private constructor(
    /** True if it runs. */
    public readonly enabled: boolean,
    /** Its options. */
    public readonly options: VultrCsiDriverOptions,
  ) {}

  /** @internal */
  public get _apiKey(): VultrApiKey {
    return this.options.apiKey ?? VultrApiKey.carried();
  }
}
