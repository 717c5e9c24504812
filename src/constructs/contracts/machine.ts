import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from './cluster-context';
import { MachineCapacity } from './machine-capacity';
import { MachineAddressPool } from './network/address-pool';
import { PoolContext } from './node-pool/pool-context';
import { NodeSetup } from './node-setup';

/** Objects that a machine strategy makes for a pool or a control plane (`Machine.bind`). */
export interface MachineConfig {
  /**
   * The immutable template that new machines are cloned from.
   *
   * The pool names it `<cluster>-<pool>-<hash of its spec>` and marks it against pruning; a strategy gives it any name. Of a
   * control plane's machines, the cluster does the same under `<cluster>-control-plane`.
   */
  readonly template: ApiObject;

  /**
   * The template of the objects that replace unhealthy machines in place of Cluster API, such as a `Metal3RemediationTemplate`. The health check
   * of the machines refers to it; the strategy names it.
   *
   * @default - Cluster API deletes unhealthy machines
   */
  readonly remediationTemplate?: ApiObject;
}

/**
 * Kind of machine of a node pool, or of those that a control plane runs on.
 *
 * An instance is plain data: it can be given to any number of pools and control planes.
 */
export abstract class Machine {
  /** Kind of infrastructure object that such machines belong to, e.g. `KubevirtCluster`. */
  public abstract readonly infrastructureKind: string;

  /**
   * Capacity of one machine. Kubelet reservations, eviction thresholds and the autoscaler's scale-from-zero
   * capacity are computed from it; undefined where it cannot be known.
   */
  public abstract readonly capacity?: MachineCapacity;

  /**
   * Types of conditions of the `Machine` object that are `False` while the machine does not run. Health checks watch them by default.
   *
   * @default - none
   */
  public readonly watchedConditions: string[] = [];

  /**
   * Time that a machine may take to become a node, where that is longer than usual. Health checks and the autoscaler wait for that long by default.
   *
   * @default - 20 minutes
   */
  public readonly startupTime?: Duration = undefined;

  /**
   * Time that a stopped machine may take to run again as the same node. Health checks wait for that long by default.
   *
   * @default - it does not run again as the same node
   */
  public readonly restartTime?: Duration = undefined;

  /**
   * True if the machines of a small pool can be put on different hosts by force, where there are enough: `PoolContext.separateHosts`.
   *
   * @default - false
   */
  public readonly separable: boolean = false;

  /**
   * True if there may be one more machine than wanted during a rollout. False where there are no spare hosts: by default, pools then remove
   * a machine before they add one (`maxSurge` 0, `maxUnavailable` 1), and so do control planes of three machines or more.
   *
   * @default - true
   */
  public readonly surges: boolean = true;

  /**
   * Number of hosts that the machines of a pool can be on.
   *
   * @param _cluster the cluster
   * @returns undefined if it is not known
   */
  public hostsIn(_cluster: ClusterContext): number | undefined {
    return undefined;
  }

  /**
   * Capacity of one machine in a cluster, where it depends on the cluster.
   *
   * @param _cluster the cluster
   * @returns `capacity`, unless a machine knows more
   */
  public capacityIn(_cluster: ClusterContext): MachineCapacity | undefined {
    return this.capacity;
  }

  /**
   * The pools of addresses that each machine takes addresses from. Node pools and control planes make the objects of the pools, and refuse
   * more machines than the pools have addresses for; the machine template refers to them by `AddressPool.reference`.
   *
   * @param _context the pool or control plane that the machines belong to
   * @returns none unless a machine says so
   */
  public addressPools(_context: PoolContext): MachineAddressPool[] {
    return [];
  }

  /**
   * Setup that nodes on such machines need beside that of all nodes of the infrastructure: arguments of the kubelet, labels, name and address of the
   * node, files, commands and users.
   *
   * @param _context the pool they belong to; `controlPlane` is set where they are to run a control plane
   * @returns undefined if there is nothing
   */
  public nodeSetup(_context: PoolContext): NodeSetup | undefined {
    return undefined;
  }

  /**
   * Makes the machine template of one pool or control plane.
   *
   * Bad values are reported through `Problems.of(scope)`.
   *
   * @param scope where to put the objects
   * @param context the pool they belong to; `controlPlane` is set where they are to run a control plane
   */
  public abstract bind(scope: Construct, context: PoolContext): MachineConfig;
}

/**
 * Machines of one provider of infrastructure, whose options tell their capacity.
 *
 * @example
 * import { Construct } from 'constructs';
 *
 * class ExampleMachine extends ProviderMachine {
 *   public constructor(private readonly size: string, capacity: MachineCapacity) {
 *     super('ExampleCluster', capacity);
 *   }
 *
 *   public bind(scope: Construct, context: PoolContext): MachineConfig {
 *     const template = extension.ProviderObjects.machineTemplate(scope, context, {
 *       apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
 *       kind: 'ExampleMachineTemplate',
 *       fields: { size: this.size },
 *       props: { size: this.size },
 *     });
 *     return { template };
 *   }
 * }
 */
export abstract class ProviderMachine extends Machine {
  /** Kind of infrastructure object that such machines belong to. */
  public readonly infrastructureKind: string;

  /** Capacity of one machine; undefined where neither the user nor the library knows it. */
  public readonly capacity?: MachineCapacity;

  /**
   * @param infrastructureKind kind of infrastructure object that such machines belong to
   * @param capacity capacity of one machine, if it is known
   */
  protected constructor(infrastructureKind: string, capacity?: MachineCapacity) {
    super();
    this.infrastructureKind = infrastructureKind;
    this.capacity = capacity;
  }
}
