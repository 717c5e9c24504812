import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { METAL3_IPAM_API_VERSION } from '../../../manifests/systems/metal3-ipam/metal3-pools';
import { addressCount, AddressRange, formatAddressRange, parseAddressRange, remainingRanges } from '../../../manifests/values/address-ranges';
import { ClusterContext } from '../../contracts/cluster-context';
import { AddressPool, AddressPoolReference } from '../../contracts/network/address-pool';

/** A pool of addresses of Metal3. */
export interface Metal3AddressPoolProps {
  /** Name of the pool: a DNS subdomain, unique among the pools of the namespace. */
  readonly name: string;

  /**
   * Addresses for machines: single addresses, ranges with a hyphen, or blocks: `192.0.2.10`, `192.0.2.20-192.0.2.40`, `192.0.2.64/27`. All
   * addresses of a block are used. A change must keep each address that a machine has.
   *
   * Rule: `TC-ADMIT-METAL3-IP-POOL`.
   *
   * @default - the pool exists already in the namespace of the cluster
   */
  readonly addresses?: string[];

  /**
   * Prefix length of the subnet, from 1 to 128 (`TC-TRAP-METAL3-POOL-PREFIX`).
   *
   * @default - none: a pool with addresses must have one
   */
  readonly prefix?: number;

  /**
   * Address of the router of the subnet, outside of `addresses` (`TC-TRAP-METAL3-POOL-GATEWAY`).
   *
   * @default - none: networks of the pool have no default route
   */
  readonly gateway?: string;

  /**
   * Addresses of DNS servers, for `Metal3NetworkData.dnsPool`.
   *
   * @default - none
   */
  readonly dnsServers?: string[];

  /**
   * Addresses of claims, by the name of the claim: `<host>-<pool>` where the provider runs with `enable-bmh-name-based-preallocation`, so that a
   * host always has the same one (`TC-TRAP-METAL3-PREALLOCATION`).
   *
   * @default - none
   */
  readonly preAllocations?: { [claim: string]: string };

  /**
   * Number of addresses that machines can get of an existing pool.
   *
   * @default - that of `addresses`; of an existing pool it is not known
   */
  readonly available?: number;
}

/**
 * A pool of Metal3's IP address manager (`IPPool`, v1alpha1), for networks and metadata of `Metal3Machine`.
 *
 * Networks of machines also accept other pools, such as `AddressPool.inCluster()`; metadata does not.
 *
 * Source: metal3-io/ip-address-manager api/v1alpha1/ippool_types.go, ipam/ippool_manager.go.
 *
 * @example
 * new metal3.Metal3AddressPool({ name: 'nodes', addresses: ['192.0.2.20-192.0.2.60'], prefix: 24, gateway: '192.0.2.1' });
 */
export class Metal3AddressPool extends AddressPool {
  /** The reference to the pool. */
  public readonly reference: AddressPoolReference;

  /** Number of addresses that machines can get; undefined if it is not known. */
  public override readonly available?: number;

  public constructor(private readonly props: Metal3AddressPoolProps) {
    super();
    this.reference = { apiGroup: 'ipam.metal3.io', kind: 'IPPool', name: props.name };
    this.available = props.available ?? countOf(props.addresses);
  }

  /**
   * Makes the `IPPool`.
   *
   * @param scope the parent construct
   * @param _context the first cluster of the namespace that uses the pool
   * @returns undefined if the pool exists already
   */
  public override bind(scope: Construct, _context: ClusterContext): ApiObject | undefined {
    const { name, addresses, prefix, gateway, dnsServers = [], preAllocations = {} } = this.props;
    if (!addresses) return undefined;
    return new ApiObject(scope, 'Resource', {
      apiVersion: METAL3_IPAM_API_VERSION,
      kind: this.reference.kind,
      metadata: { name },
      spec: {
        namePrefix: name,
        pools: addresses.map(rangeFields),
        prefix,
        gateway,
        ...(dnsServers.length > 0 && { dnsServers }),
        ...(Object.keys(preAllocations).length > 0 && { preAllocations }),
      },
    });
  }
}

function countOf(addresses: readonly string[] | undefined): number | undefined {
  const ranges = addresses?.map(parseAddressRange);
  return ranges?.every((range): range is AddressRange => range !== undefined) ? Number(addressCount(remainingRanges(ranges))) : undefined;
}

/** The bounds of a range. The definition and the webhook refuse what is no range. */
function rangeFields(text: string): object {
  const range = parseAddressRange(text);
  const [start, end = start] = range ? formatAddressRange(range).split('-') : text.split('-');
  return { start, end };
}
