/** The addresses of an elastic load balancer's network interface in a private LAN. */
export interface NifcloudPrivateLanOptions {
  /** Id of the private LAN, e.g. `net-0a1b2c3d` (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`). */
  readonly networkId: string;

  /** IPv4 address of the interface (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`). */
  readonly ipAddress: string;

  /** The two IPv4 addresses that the load balancer's own machines have in the LAN (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`). */
  readonly systemIpAddresses: string[];
}

const COMMON_GLOBAL = 'net-COMMON_GLOBAL';
const COMMON_PRIVATE = 'net-COMMON_PRIVATE';

/** The networks that are not private LANs. */
export const COMMON_NETWORKS: readonly string[] = [COMMON_GLOBAL, COMMON_PRIVATE];

/**
 * The network of an elastic load balancer's network interface.
 *
 * @example
 * const lan = nifcloud.NifcloudNetworkInterface.privateLan({
 *   networkId: 'net-0a1b2c3d',
 *   ipAddress: '192.168.10.5',
 *   systemIpAddresses: ['192.168.10.6', '192.168.10.7'],
 * });
 */
export class NifcloudNetworkInterface {
  /** In the common global network, on the Internet. */
  public static commonGlobal(): NifcloudNetworkInterface {
    return new NifcloudNetworkInterface(COMMON_GLOBAL);
  }

  /** In the common private network of the zone. */
  public static commonPrivate(): NifcloudNetworkInterface {
    return new NifcloudNetworkInterface(COMMON_PRIVATE);
  }

  /**
   * In a private LAN.
   *
   * @param options which one, and the addresses there
   */
  public static privateLan(options: NifcloudPrivateLanOptions): NifcloudNetworkInterface {
    return new NifcloudNetworkInterface(options.networkId, options);
  }

  private constructor(
    /** @internal */
    public readonly _networkId: string,
    /** @internal */
    public readonly _lan?: NifcloudPrivateLanOptions,
  ) {}
}
