/** How a network plug-in enforces policies. */
interface Enforcement {
  /** The policies that it enforces best; absent if it enforces none. */
  readonly policies?: 'networking.k8s.io' | 'cilium.io';

  /** True if ranges of addresses in NetworkPolicies match nodes. */
  readonly rangesMatchNodes: boolean;
}

const NETWORK_POLICIES: Enforcement = { policies: 'networking.k8s.io', rangesMatchNodes: true };

/**
 * The network plug-in of a management cluster. It decides which policies keep tenants apart there: Cilium identifies nodes and pods by
 * identity, and ranges of addresses in NetworkPolicies do not match them; other plug-ins do not know `CiliumNetworkPolicy`.
 *
 * @example
 * const hall = new ImportedManagementCluster({ networkPlugin: ManagementNetworkPlugin.CILIUM });
 */
export class ManagementNetworkPlugin {
  /** Antrea. */
  public static readonly ANTREA = new ManagementNetworkPlugin('Antrea', NETWORK_POLICIES);

  /** Calico. */
  public static readonly CALICO = new ManagementNetworkPlugin('Calico', NETWORK_POLICIES);

  /** Cilium, alone or chained to another plug-in that leaves policies to it. */
  public static readonly CILIUM = new ManagementNetworkPlugin('Cilium', { policies: 'cilium.io', rangesMatchNodes: false });

  /** Cilium with `nodes` in its option `policy-cidr-match-mode`: ranges of addresses match nodes as well. */
  public static readonly CILIUM_MATCHING_NODES = new ManagementNetworkPlugin('Cilium', { policies: 'cilium.io', rangesMatchNodes: true });

  /** Flannel, which enforces no policies (`TC-ISOLATION-NETWORK-PLUGIN`). */
  public static readonly FLANNEL = new ManagementNetworkPlugin('Flannel', { rangesMatchNodes: false });

  /** Kube-OVN without Cilium. */
  public static readonly KUBE_OVN = new ManagementNetworkPlugin('Kube-OVN', NETWORK_POLICIES);

  /** kube-router. */
  public static readonly KUBE_ROUTER = new ManagementNetworkPlugin('kube-router', NETWORK_POLICIES);

  /** OVN-Kubernetes. */
  public static readonly OVN_KUBERNETES = new ManagementNetworkPlugin('OVN-Kubernetes', NETWORK_POLICIES);

  /**
   * Another plug-in that enforces NetworkPolicies for ingress and egress, with ranges of addresses that match nodes.
   *
   * @param name name of the plug-in, for messages
   */
  public static of(name: string): ManagementNetworkPlugin {
    return new ManagementNetworkPlugin(name, NETWORK_POLICIES);
  }

  private constructor(
    /** Name of the plug-in. */
    public readonly name: string,
    /** @internal */
    public readonly _enforcement: Enforcement,
  ) {}
}
