import { IntOrString } from '../../../../imports/cluster.x-k8s.io';

const LARGEST = 2 ** 31 - 1;

/**
 * A number of machines: absolute, or as a percentage of the pool.
 *
 * Percentages are rounded by Cluster API: up for `maxSurge`, down for `maxUnavailable` and for health checks.
 *
 * @example
 * const rollout = RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(10), maxUnavailable: MachineCount.absolute(0) });
 */
export class MachineCount {
  /**
   * A fixed number of machines.
   *
   * @param count whole number of machines, 0 or more
   */
  public static absolute(count: number): MachineCount {
    return new MachineCount(count, false);
  }

  /**
   * A share of the pool's machines.
   *
   * @param percent whole percentage from 0; above 100 for machines that are added only
   */
  public static percent(percent: number): MachineCount {
    return new MachineCount(percent, true);
  }

  private constructor(
    /** The number of machines, or the percentage. */
    public readonly amount: number,
    /** True if `amount` is a percentage. */
    public readonly isPercentage: boolean,
  ) {}

  /** The Kubernetes spelling: `1` or `25%`. */
  public toString(): string {
    return this.isPercentage ? `${this.amount}%` : `${this.amount}`;
  }

  /**
   * The value for a field of Cluster API.
   *
   * @internal
   */
  public _intOrString(): IntOrString {
    return this.isPercentage ? IntOrString.fromString(this.toString()) : IntOrString.fromNumber(this.amount);
  }

  /**
   * The reason why it is not a number of machines; undefined if it is one.
   *
   * @internal
   */
  public _fault(): string | undefined {
    if (!Number.isInteger(this.amount) || this.amount < 0) return `${this} is not a whole number of 0 or more`;
    if (this.isPercentage && this.amount > 100) return `${this} is above 100%`;
    if (this.amount > LARGEST) return `${this} is above ${LARGEST}`;
    return undefined;
  }
}
