import { OpenStackResource, resourcesOf } from './openstack-resource';
import { setFields } from '../contract';

/** A network that the provider creates. */
export interface OpenStackManagedNetwork {
  /** IPv4 range of its subnet, e.g. `10.6.0.0/24`. Ranges of pods and Services must not overlap with it. */
  readonly cidr: string;

  /** Addresses of the DNS servers that machines get. They alone can be changed later. */
  readonly dnsNameservers: string[];

  /**
   * Router between the subnet and the external network. It must exist, and stays when the cluster is deleted.
   *
   * @default - the provider creates one
   */
  readonly router?: OpenStackResource;
}

/** A network that exists. */
export interface OpenStackExistingNetwork {
  /**
   * The network.
   *
   * @default - that of the first subnet
   */
  readonly network?: OpenStackResource;

  /**
   * Up to two subnets of it, of which one is IPv4 and the other IPv6.
   *
   * @default - all subnets of the network, of which there are at most two
   */
  readonly subnets?: OpenStackResource[];
}

/**
 * The network of the machines of a cluster. It cannot be changed later, but for the DNS servers of one that the provider creates.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack api/v1beta1/openstackcluster_types.go, pkg/webhooks/openstackcluster_webhook.go.
 *
 * @example
 * const network = openstack.OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['192.0.2.53'] });
 */
export class OpenStackNetwork {
  /**
   * A network, a subnet and, unless one is given, a router, which the provider creates and deletes with the cluster.
   *
   * @param network its range and DNS servers
   */
  public static managed(network: OpenStackManagedNetwork): OpenStackNetwork {
    const { cidr, dnsNameservers, router } = network;
    return new OpenStackNetwork({ managedSubnets: [{ cidr, dnsNameservers }], ...(router && { router: router._spec }) }, [cidr]);
  }

  /**
   * A network that exists, and stays when the cluster is deleted. Either the network or a subnet is required (`TC-TRAP-OPENSTACK-NETWORK`).
   *
   * @param network the network
   */
  public static existing(network: OpenStackExistingNetwork): OpenStackNetwork {
    return new OpenStackNetwork(setFields({ network: network.network?._spec, subnets: resourcesOf(network.subnets) }));
  }

  private constructor(
    /** @internal */
    public readonly _spec: { readonly [field: string]: any },
    /** @internal */
    public readonly _cidrs?: string[],
  ) {}
}
