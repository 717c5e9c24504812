import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  GLOBAL_POOL, IN_CLUSTER_API_VERSION, IN_CLUSTER_POOL, inClusterAddresses, IPAM_GROUP,
} from '../../../manifests/systems/in-cluster-ipam/in-cluster-pools';
import { addressCount } from '../../../manifests/values/address-ranges';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../cluster-context';

/** A reference to a pool of addresses, as machine templates have it. */
export interface AddressPoolReference {
  /** API group of the pool, e.g. `ipam.cluster.x-k8s.io`. */
  readonly apiGroup: string;

  /** Kind of the pool, e.g. `InClusterIPPool`. */
  readonly kind: string;

  /** Name of the pool. */
  readonly name: string;
}

/** A pool of addresses in the namespace of a cluster. */
export interface InClusterAddressPoolOptions {
  /** Name of the pool: a DNS subdomain, unique among the pools of the namespace (`TC-ADDRESS-POOL-NAME`). */
  readonly name: string;

  /**
   * Addresses for machines: single addresses, ranges with a hyphen, or blocks, all of one family and in one subnet: `192.0.2.10`,
   * `192.0.2.20-192.0.2.40`, `192.0.2.64/27`. A range may be extended later; it cannot lose an address that a machine has. No other pool of
   * the management cluster may have one of them: for machines in several namespaces use a pool that exists (`AddressPool.existing`).
   *
   * Rules: `TC-ADMIT-IN-CLUSTER-ADDRESSES`, `TC-ADMIT-IN-CLUSTER-SUBNET`, `TC-TRAP-ADDRESS-POOL-OVERLAP`, `TC-TRAP-ADDRESS-POOL-EXHAUSTED`,
   * `TC-TRAP-ADDRESS-POOL-NETWORK`, `TC-TRAP-ADDRESS-POOL-ENDPOINT`.
   */
  readonly addresses: string[];

  /** Prefix length of the subnet, from 0 to 32, with IPv6 to 128 (`TC-ADMIT-IN-CLUSTER-SUBNET`). */
  readonly prefix: number;

  /**
   * Address of the router of the subnet. Machines never get it.
   *
   * Rules: `TC-ADMIT-IN-CLUSTER-ADDRESSES`, `TC-TRAP-IN-CLUSTER-GATEWAY`.
   *
   * @default - none: machines get no default route from the pool
   */
  readonly gateway?: string;

  /**
   * Addresses among `addresses` that machines never get, in the same forms.
   *
   * Rules: `TC-ADMIT-IN-CLUSTER-ADDRESSES`, `TC-TRAP-IN-CLUSTER-EXCEPTION`, `TC-TRAP-IN-CLUSTER-EMPTY`.
   *
   * @default - none
   */
  readonly excluded?: string[];

  /**
   * True if machines may get the first address of the subnet and, with IPv4, its last one, for networks in which these are ordinary addresses.
   *
   * @default false
   */
  readonly allocateReserved?: boolean;
}

/** A pool of addresses that exists in the management cluster. */
export interface ExistingAddressPoolOptions {
  /** Name of the pool. */
  readonly name: string;

  /**
   * True if it is a `GlobalInClusterIPPool`, which machines of all namespaces take addresses from.
   *
   * @default false - an `InClusterIPPool` in the namespace of the cluster
   */
  readonly global?: boolean;

  /**
   * Number of addresses that the machines of this app may take, a whole number. More machines than that are refused
   * (`TC-ADDRESS-POOL-EXHAUSTED`).
   *
   * @default - not known, and not checked
   */
  readonly available?: number;
}

/**
 * A pool that machines get their IP addresses from, without DHCP. Cluster API's address providers give each machine an address, and get it
 * back when the machine is deleted.
 *
 * A pool is given to machines, as a property of theirs. Its object is made once in each namespace, however many machines use it. A pool that all
 * machines at their maximum, and those of a rollout beside them, would exhaust is refused at synthesis.
 *
 * An instance is plain data: machines of any number of clusters can share it. Providers with a kind of pool of their own extend the class.
 *
 * @example
 * const nodes = AddressPool.inCluster({
 *   name: 'nodes',
 *   addresses: ['192.0.2.10-192.0.2.60'],
 *   prefix: 24,
 *   gateway: '192.0.2.1',
 * });
 */
export abstract class AddressPool {
  /**
   * A pool of Cluster API's in-cluster address provider (`InClusterIPPool`, v1alpha2), made in the namespace of each cluster that uses it.
   *
   * @param options the addresses
   */
  public static inCluster(options: InClusterAddressPoolOptions): AddressPool {
    return new InClusterAddressPool(options);
  }

  /**
   * A pool of Cluster API's in-cluster address provider that is made elsewhere.
   *
   * @param options the pool
   */
  public static existing(options: ExistingAddressPoolOptions): AddressPool {
    return new ExistingAddressPool(options);
  }

  /** The reference to the pool, for fields of machine templates. */
  public abstract readonly reference: AddressPoolReference;

  /**
   * Number of addresses that machines can get.
   *
   * @default - not known, and not checked
   */
  public readonly available?: number = undefined;

  /**
   * True if a controller makes the pool of what another object of the cluster states. The addresses are counted there, by `addressPools` of a
   * `Provider` of `cdk8s-cluster-api/manifests`.
   *
   * Rule: `TC-TRAP-ADDRESS-POOL-EXHAUSTED`.
   *
   * @default false
   */
  public readonly stated: boolean = false;

  /**
   * True if machines of all namespaces take addresses from one pool.
   *
   * @default false
   */
  public readonly global: boolean = false;

  /**
   * Makes the object of the pool. Pools of nodes and control planes call it once for each namespace, and mark the object against pruning.
   *
   * @param _scope where to put the object; its chart has the namespace of the cluster
   * @param _context the first cluster of the namespace that uses the pool
   * @returns the object; undefined if the pool exists already, which is the default
   */
  public bind(_scope: Construct, _context: ClusterContext): ApiObject | undefined {
    return undefined;
  }
}

/** Addresses that each machine of a group takes from a pool. */
export interface MachineAddressPool {
  /** The pool. */
  readonly pool: AddressPool;

  /**
   * Number of addresses that each machine takes, such as 2 for two network interfaces.
   *
   * @default 1
   */
  readonly addresses?: number;

  /**
   * The property of the machine that the pool was given in, such as `network.pool`. Problems of the pool are reported there.
   *
   * @default addressPools
   */
  readonly property?: string;
}

class InClusterAddressPool extends AddressPool {
  public readonly reference: AddressPoolReference;
  public override readonly available?: number;

  public constructor(private readonly options: InClusterAddressPoolOptions) {
    super();
    this.reference = { apiGroup: IPAM_GROUP, kind: IN_CLUSTER_POOL, name: options.name };
    const ranges = inClusterAddresses({ spec: this.spec() });
    this.available = ranges && Number(addressCount(ranges));
  }

  public override bind(scope: Construct, _context: ClusterContext): ApiObject {
    const kind = { apiVersion: IN_CLUSTER_API_VERSION, kind: IN_CLUSTER_POOL };
    return new TypedApiObject(scope, 'Resource', kind, { metadata: { name: this.options.name }, spec: this.spec() });
  }

  private spec() {
    const { addresses, prefix, gateway, excluded = [], allocateReserved } = this.options;
    return {
      addresses,
      prefix,
      ...(gateway !== undefined && { gateway }),
      ...(excluded.length > 0 && { excludedAddresses: excluded }),
      ...(allocateReserved && { allocateReservedIPAddresses: true }),
    };
  }
}

class ExistingAddressPool extends AddressPool {
  public readonly reference: AddressPoolReference;
  public override readonly available?: number;
  public override readonly global: boolean;

  public constructor({ name, global = false, available }: ExistingAddressPoolOptions) {
    super();
    this.reference = { apiGroup: IPAM_GROUP, kind: global ? GLOBAL_POOL : IN_CLUSTER_POOL, name };
    this.available = available;
    this.global = global;
  }
}

/** A network device of a machine that takes addresses from pools. */
interface PooledDevice {
  readonly addressPools?: readonly AddressPool[];
}

/** The pools of the network devices of a machine, by the property that names them. */
export function devicePools(devices: readonly PooledDevice[]): MachineAddressPool[] {
  return devices.flatMap(({ addressPools = [] }, index) => addressPools.map((pool, at) => ({ pool, property: `networkDevices[${index}].addressPools[${at}]` })));
}

/** Pools of which each counts once, for a provider that makes one claim for each name of a pool. */
export function poolsOnce(pools: readonly MachineAddressPool[]): MachineAddressPool[] {
  return pools.filter(({ pool }, index) => pools.findIndex((other) => other.pool.reference.name === pool.reference.name) === index);
}
