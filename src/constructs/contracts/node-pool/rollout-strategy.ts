import { MachineCount } from './machine-count';
import { MachineDeploymentSpecRollout, MachineDeploymentSpecRolloutStrategyType } from '../../../../imports/cluster.x-k8s.io';

/** Numbers of machines that a rolling update may add and remove. */
export interface RollingUpdateOptions {
  /**
   * Machines that may exist beyond the pool's size while it is being replaced. Percentages round up.
   *
   * @default MachineCount.absolute(1)
   */
  readonly maxSurge?: MachineCount;

  /**
   * Machines that may be missing from the pool's size while it is being replaced. Percentages round down.
   *
   * @default MachineCount.absolute(0)
   */
  readonly maxUnavailable?: MachineCount;
}

/**
 * Replacement of the machines of a pool when its template changes.
 *
 * @example
 * const rollout = RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(2) });
 */
export class RolloutStrategy {
  /**
   * Replaces machines step by step.
   *
   * `maxSurge` and `maxUnavailable` must not both be 0 or 0%: Cluster API rejects numbers, and with `0%` it removes one machine at a time.
   *
   * Rules: `TC-ADMIT-POOL-ROLLOUT`, `TC-TRAP-POOL-ROLLOUT`.
   *
   * @param options how many machines at a time
   */
  public static rollingUpdate(options: RollingUpdateOptions = {}): RolloutStrategy {
    return new RolloutStrategy(
      'RollingUpdate',
      options.maxSurge ?? MachineCount.absolute(1),
      options.maxUnavailable ?? MachineCount.absolute(0),
    );
  }

  /** Replaces a machine only after it is deleted by hand. */
  public static onDelete(): RolloutStrategy {
    return new RolloutStrategy('OnDelete');
  }

  private constructor(
    /** `RollingUpdate` or `OnDelete`. */
    public readonly type: string,
    /** Machines beyond the pool's size; undefined for `OnDelete`. */
    public readonly maxSurge?: MachineCount,
    /** Machines missing from the pool's size; undefined for `OnDelete`. */
    public readonly maxUnavailable?: MachineCount,
  ) {}
}

/** `rollout` of the pool's MachineDeployment, complete, so that the webhook has nothing to add. */
export function rolloutFields(rollout: RolloutStrategy): MachineDeploymentSpecRollout {
  const { maxSurge, maxUnavailable } = rollout;
  if (!maxSurge || !maxUnavailable) return { strategy: { type: MachineDeploymentSpecRolloutStrategyType.ON_DELETE } };
  return {
    strategy: {
      type: MachineDeploymentSpecRolloutStrategyType.ROLLING_UPDATE,
      rollingUpdate: {
        maxSurge: maxSurge._intOrString(),
        maxUnavailable: maxUnavailable._intOrString(),
      },
    },
  };
}
