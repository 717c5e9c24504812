/** A router that kube-vip announces the address to. */
export interface KubeVipPeer {
  /** IP address of the router. */
  readonly address: string;

  /** Number of its autonomous system, a whole number from 1 to 4294967295. */
  readonly as: number;

  /**
   * True if the router is more than one hop away.
   *
   * @default false
   */
  readonly multihop?: boolean;
}

/** Announcement of the address to routers. */
export interface KubeVipBgpOptions {
  /** Number of the autonomous system of the machines, a whole number from 1 to 4294967295. */
  readonly as: number;

  /**
   * The routers, one or more. Peers with a password are not offered: it would be readable in the output.
   */
  readonly peers: KubeVipPeer[];
}

/**
 * Way in which kube-vip makes the address known. Only the leader does, in each of them.
 *
 * Source: kube-vip/kube-vip cmd/kube-vip.go, pkg/manager/worker/bgp.go.
 *
 * @example
 * const mode = KubeVipMode.bgp({ as: 65000, peers: [{ address: '192.0.2.1', as: 65001 }] });
 */
export class KubeVipMode {
  /** The leader answers for the address in its layer 2 network: by ARP, or by NDP for an IPv6 address. */
  public static arp(): KubeVipMode {
    return new KubeVipMode();
  }

  /**
   * The leader announces the address to routers by BGP. The address is on the loopback interface of the machine, and `networkInterface` is the
   * interface whose address is the router id.
   *
   * Rule: `TC-KUBEADM-CP-KUBE-VIP`.
   *
   * @param options the autonomous system and its routers
   */
  public static bgp(options: KubeVipBgpOptions): KubeVipMode {
    return new KubeVipMode(options);
  }

  private constructor(
    /**
     * Options of BGP.
     *
     * @default - the address is announced by ARP
     */
    public readonly bgpOptions?: KubeVipBgpOptions,
  ) {}
}
