import { Duration } from 'cdk8s';

/** How the cluster autoscaler treats one pool, where it shall differ from its command line. */
export interface AutoscalingOptions {
  /**
   * Share of a node's requested CPU or memory, 0 to 1, below which the node counts as unneeded.
   *
   * @default - the autoscaler's `--scale-down-utilization-threshold`
   */
  readonly scaleDownUtilizationThreshold?: number;

  /**
   * Share of a GPU node's requested GPUs, 0 to 1, below which the node counts as unneeded.
   *
   * @default - the autoscaler's `--scale-down-gpu-utilization-threshold`
   */
  readonly scaleDownGpuUtilizationThreshold?: number;

  /**
   * Time that a node must be unneeded before it is removed.
   *
   * @default - the autoscaler's `--scale-down-unneeded-time`
   */
  readonly scaleDownUnneededTime?: Duration;

  /**
   * Time that an unready node must be unneeded before it is removed.
   *
   * @default - the autoscaler's `--scale-down-unready-time`
   */
  readonly scaleDownUnreadyTime?: Duration;

  /**
   * Time that the autoscaler waits for a machine to become a node before it orders another.
   *
   * Never shorter than the health check's node start-up time: the autoscaler would order replacements for machines that are still joining.
   *
   * Rule: `TC-POOL-PROVISION-TIME`.
   *
   * @default - ten minutes more than the health check's node start-up time
   */
  readonly maxNodeProvisionTime?: Duration;
}

/**
 * Number of machines in a pool: fixed, or set by the autoscaler between two bounds.
 *
 * @example
 * const fixed = PoolSize.fixed(3);
 * const autoscaled = PoolSize.between(1, 10);
 */
export class PoolSize {
  /**
   * Always the same number of machines, decided here.
   *
   * @param count whole number of machines, 0 or more
   */
  public static fixed(count: number): PoolSize {
    return new PoolSize(count, count, false, {});
  }

  /**
   * As many machines as the cluster autoscaler finds needed, within bounds.
   *
   * The number itself is then the autoscaler's: `replicas` is never written, and the bounds are always both written,
   * since the autoscaler ignores a pool with only one of them
   * (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md).
   *
   * @param minimum smallest number of machines, 0 or more
   * @param maximum largest number of machines, at least 1 and at least the minimum
   * @param options what this pool does differently from the autoscaler's command line
   */
  public static between(minimum: number, maximum: number, options: AutoscalingOptions = {}): PoolSize {
    return new PoolSize(minimum, maximum, true, options);
  }

  private constructor(
    /** Smallest number of machines. */
    public readonly minimum: number,
    /** Largest number of machines. */
    public readonly maximum: number,
    /** True if the cluster autoscaler decides the number. */
    public readonly autoscaled: boolean,
    /** What the pool asks of the autoscaler; empty for a fixed size. */
    public readonly options: AutoscalingOptions,
  ) {}
}
