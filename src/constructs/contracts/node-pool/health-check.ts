import { Duration } from 'cdk8s';
import { MachineCount } from './machine-count';

/** A condition that makes a machine unhealthy once it has held for some time. */
export interface UnhealthyCondition {
  /** Type of the condition, e.g. `Ready`. */
  readonly type: string;

  /** Status of the condition: `True`, `False` or `Unknown`. */
  readonly status: string;

  /** Time that the condition must hold, in whole seconds. */
  readonly timeout: Duration;
}

/** When machines count as unhealthy, and when they are replaced. */
export interface HealthCheckOptions {
  /**
   * Time that a machine may take to become a node. `Duration.seconds(0)` switches this check off; otherwise
   * at least 30 seconds (`TC-ADMIT-HEALTH-CHECK-STARTUP`, kubernetes-sigs/cluster-api
   * core/webhooks/admission/machinehealthcheck.go).
   *
   * @default Duration.minutes(20)
   */
  readonly nodeStartupTimeout?: Duration;

  /**
   * Conditions of the node that make its machine unhealthy.
   *
   * @default - `Ready` being `False` for ten minutes, in which a new node gets its pod network, and `Unknown` for five minutes or, if it is
   * longer, the `restartTime` of the machines. With `Cni.none()` `False` is not watched: every node is not ready until its pod network runs
   */
  readonly unhealthyNodeConditions?: UnhealthyCondition[];

  /**
   * Conditions of the machine that make it unhealthy. `Ready`, `Available`, `HealthCheckSucceeded`, `OwnerRemediated`
   * and `ExternallyRemediated` cannot be named (`TC-ADMIT-HEALTH-CHECK-CONDITION`).
   *
   * @default - those of the machines (`Machine.watchedConditions`) being `False` for as long as `nodeStartupTimeout`, if that is above 0 and
   * the `clusterApiVersion` of the management cluster is known to be 1.12 or later: earlier versions do not have the field. Otherwise none
   */
  readonly unhealthyMachineConditions?: UnhealthyCondition[];

  /**
   * Machines are replaced only while no more than this many are unhealthy or have not become nodes yet: above that, the cause is not in
   * single machines. All machines of a lost or drained host count from the first second. Percentages round down, so one that comes to nothing
   * for the pool's smallest size is refused: such a pool would never be repaired.
   *
   * Cluster API makes the machines of a control plane one after the other, and percentages are of the existing machines: below 100 %, its
   * first machine is not replaced.
   *
   * Rule: `TC-POOL-REMEDIATION-OFF`.
   *
   * @default - half of the machines, rounded up, and both of two: those that are lost with one of two hosts. It is a number, half of the maximum
   * of an autoscaled pool; from a minimum of three machines on, it is a percentage that allows half of them at every size. Of a control plane,
   * as many machines as etcd can lose: one of three, two of five; one where there is only one
   */
  readonly maxUnhealthy?: MachineCount;

  /**
   * Number of unhealthy machines that may be deleted at the same time.
   *
   * @default MachineCount.absolute(1)
   */
  readonly maxInFlight?: MachineCount;
}

/**
 * Replacement of the unhealthy machines of a pool by new ones.
 *
 * @example
 * const healthCheck = HealthCheck.of({ nodeStartupTimeout: Duration.minutes(30), maxUnhealthy: MachineCount.percent(40) });
 */
export class HealthCheck {
  /**
   * Replaces unhealthy machines.
   *
   * @param options when a machine is unhealthy, and how many may be replaced
   */
  public static of(options: HealthCheckOptions = {}): HealthCheck {
    return new HealthCheck(true, options);
  }

  /** Leaves unhealthy machines alone: no `MachineHealthCheck` is made. */
  public static none(): HealthCheck {
    return new HealthCheck(false, {});
  }

  private constructor(
    /** True if unhealthy machines are replaced. */
    public readonly enabled: boolean,
    /** When and how. */
    public readonly options: HealthCheckOptions,
  ) {}
}
