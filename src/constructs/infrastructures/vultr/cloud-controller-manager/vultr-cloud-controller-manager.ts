import { ControllerContainerOptions } from '../../../addons/controllers/tenant-controller-options';
import { VultrApiKey } from '../api-key';

/** Options of Vultr's cloud controller manager. */
export interface VultrCloudControllerManagerOptions extends ControllerContainerOptions {
  /**
   * Secret from which it reads the API key (`TC-VULTR-API-KEY`).
   *
   * @default VultrApiKey.carried() - key `api-key` of the tenant's Secret `vultr-ccm`
   */
  readonly apiKey?: VultrApiKey;
}

/**
 * Who runs Vultr's cloud controller manager for a cluster: it initializes the nodes, removes those whose machine is gone, and publishes
 * Services of type LoadBalancer (see `VultrLoadBalancer`). No cluster comes up without one: Cluster API recognizes a node by the
 * `spec.providerID` that it writes, and replaces machines without a node again and again.
 *
 * It runs in the tenant, on the machines of the control plane, because it asks Vultr's metadata service where it is
 * (vultr/vultr-cloud-controller-manager vultr/cloud.go).
 *
 * @example
 * const manager = vultr.VultrCloudControllerManager.external();
 */
export class VultrCloudControllerManager {
  /**
   * Runs it.
   *
   * @param options how it runs
   */
  public static of(options: VultrCloudControllerManagerOptions = {}): VultrCloudControllerManager {
    return new VultrCloudControllerManager(true, options);
  }

  /**
   * Not installed by this library: the user installs one before the first machine's start-up time is over. Kubelets register with
   * `cloud-provider=external` all the same, and pods wait for it.
   */
  public static external(): VultrCloudControllerManager {
    return new VultrCloudControllerManager(false, {});
  }

  private constructor(
    /** True if this library installs it. */
    public readonly enabled: boolean,
    /** How it runs. */
    public readonly options: VultrCloudControllerManagerOptions,
  ) {}

  /** @internal */
  public get _apiKey(): VultrApiKey {
    return this.options.apiKey ?? VultrApiKey.carried();
  }
}
