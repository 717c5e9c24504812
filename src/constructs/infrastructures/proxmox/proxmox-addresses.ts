import { inClusterAddresses, IN_CLUSTER_POOL, IPAM_GROUP } from '../../../manifests/systems/in-cluster-ipam/in-cluster-pools';
import { PROXMOX_CLUSTER_KIND } from '../../../manifests/systems/proxmox/proxmox-objects';
import { addressCount } from '../../../manifests/values/address-ranges';
import { AddressPool, AddressPoolReference } from '../contract';

/** Addresses of one family that machines get, and their network. */
export interface ProxmoxAddresses {
  /**
   * Addresses for machines: single addresses, ranges with a hyphen, or blocks, such as `192.0.2.11-192.0.2.60`. The provider makes a pool
   * of them, so that the management cluster needs Cluster API's in-cluster address provider. The address of the endpoint is not among them.
   *
   * Rules: `TC-TRAP-PROXMOX-ADDRESSES`, `TC-ADMIT-PROXMOX-ENDPOINT`, `TC-TRAP-ADDRESS-POOL-EXHAUSTED`.
   */
  readonly addresses: string[];

  /** Prefix length of the network, from 1 to 128. */
  readonly prefix: number;

  /** Address of the router (`TC-TRAP-PROXMOX-ADDRESSES`). */
  readonly gateway: string;

  /**
   * Metric of the default route, 0 or more.
   *
   * @default 100
   */
  readonly metric?: number;
}

/** A part of the data center with addresses of its own, which machines choose by its name. */
export interface ProxmoxZone {
  /** Name of the zone: letters, digits, `-`, `_` and `.`, at most 63. Another zone cannot have it (`TC-ADMIT-FIELD-VALUE`). */
  readonly name: string;

  /** DNS servers of machines in the zone, one or more addresses. */
  readonly dnsServers: string[];

  /**
   * IPv4 addresses of its machines.
   *
   * @default - none
   */
  readonly ipv4?: ProxmoxAddresses;

  /**
   * IPv6 addresses of its machines.
   *
   * @default - none
   */
  readonly ipv6?: ProxmoxAddresses;
}

/** A pool that the provider makes of the addresses in a ProxmoxCluster. */
export class ProxmoxClusterPool extends AddressPool {
  public readonly reference: AddressPoolReference;
  public override readonly available?: number;
  public override readonly stated = true;

  /**
   * @param cluster name of the cluster
   * @param zone name of the zone, if the addresses are of one
   * @param family the format of the family in the name of the pool
   * @param addresses the addresses
   */
  public constructor(cluster: string, zone: string | undefined, family: 'v4' | 'v6', { addresses, prefix, gateway }: ProxmoxAddresses) {
    super();
    const name = [cluster, ...(zone === undefined ? [] : [zone]), family, 'icip'].join('-');
    this.reference = { apiGroup: IPAM_GROUP, kind: IN_CLUSTER_POOL, name };
    const ranges = inClusterAddresses({ kind: PROXMOX_CLUSTER_KIND, spec: { addresses, prefix, gateway } });
    this.available = ranges && Number(addressCount(ranges));
  }
}
