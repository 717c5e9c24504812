import { setFields } from '../contract';

/** The load balancer of Octavia in front of the API server. Only `allowedCidrs` can be changed later. */
export interface OpenStackLoadBalancerOptions {
  /**
   * Floating IP of the load balancer. Where it does not exist yet, credentials of an administrator are needed to create it.
   *
   * @default - the provider allocates one
   */
  readonly floatingIp?: string;

  /**
   * True if it has no floating IP. The management cluster must then reach the network of the machines, which a network that the provider
   * creates does not allow.
   *
   * @default false
   */
  readonly internal?: boolean;

  /**
   * Ranges that may reach the API server. The addresses by which the management cluster leaves its own network must be among them. The provider adds
   * those of the cluster's own network. Needs the driver `amphora` of Octavia.
   *
   * @default - all addresses
   */
  readonly allowedCidrs?: string[];

  /**
   * Driver of Octavia, e.g. `amphora` or `ovn`.
   *
   * @default - Octavia decides
   */
  readonly octaviaProvider?: string;
}

/**
 * The address of the API server of a control plane on machines, as the provider makes it.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack controllers/openstackcluster_controller.go (reconcileControlPlaneEndpoint).
 *
 * @example
 * const apiServer = openstack.OpenStackApiServer.loadBalancer({ allowedCidrs: ['198.51.100.0/24'] });
 */
export class OpenStackApiServer {
  /**
   * A load balancer of Octavia, for any number of control plane machines.
   *
   * @param options its options
   */
  public static loadBalancer(options: OpenStackLoadBalancerOptions = {}): OpenStackApiServer {
    const { floatingIp, internal = false, allowedCidrs, octaviaProvider } = options;
    return new OpenStackApiServer(setFields({
      apiServerLoadBalancer: setFields({ enabled: true, allowedCIDRs: allowedCidrs, provider: octaviaProvider }),
      apiServerFloatingIP: floatingIp,
      disableAPIServerFloatingIP: internal || undefined,
    }), floatingIp);
  }

  /**
   * A floating IP of the first control plane machine. The provider does not move it to another machine, so that there can be one only.
   *
   * Rule: `TC-TRAP-OPENSTACK-FLOATING-IP`.
   *
   * @param address the address; without one, the provider allocates it
   */
  public static floatingIp(address?: string): OpenStackApiServer {
    return new OpenStackApiServer(address === undefined ? {} : { apiServerFloatingIP: address }, address);
  }

  private constructor(
    /** @internal */
    public readonly _spec: { readonly [field: string]: any },
    /** @internal */
    public readonly _host?: string,
  ) {}
}
