import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { METAL3_API_VERSION } from '../../../manifests/systems/metal3/metal3-kinds';
import { PoolContext, ProviderObjects } from '../contract';

/** Options of reboots. */
export interface Metal3RebootOptions {
  /**
   * Number of reboots before the machine is deleted and its host is marked as unhealthy: a whole number from 1 (`TC-ADMIT-METAL3-REMEDIATION`).
   *
   * @default 1
   */
  readonly retryLimit?: number;

  /**
   * Time that a node may take to become healthy after a reboot: 100 seconds or more (`TC-ADMIT-METAL3-REMEDIATION`).
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;
}

/**
 * Remediation of hosts whose nodes are unhealthy.
 *
 * Source: metal3-io/cluster-api-provider-metal3 docs/remediation-controller.md.
 *
 * @example
 * metal3.Metal3Remediation.reboot({ retryLimit: 2, timeout: Duration.minutes(15) });
 */
export class Metal3Remediation {
  /**
   * Reboots the host, which keeps its disks. A machine whose node stays unhealthy is deleted, and its host gets the annotation
   * `capm3.metal3.io/unhealthy`: no machine is put on it until the annotation is removed.
   *
   * @param options number of reboots, and time for each
   */
  public static reboot(options: Metal3RebootOptions = {}): Metal3Remediation {
    return new Metal3Remediation(options);
  }

  /** Deletes the machine, and deploys another one on any available host. */
  public static none(): Metal3Remediation {
    return new Metal3Remediation();
  }

  private constructor(private readonly options?: Metal3RebootOptions) {}

  /**
   * Makes the template that the health check of machines refers to.
   *
   * @internal
   */
  public _bind(scope: Construct, context: PoolContext): ApiObject | undefined {
    if (!this.options) return undefined;
    const { retryLimit = 1, timeout = Duration.minutes(10) } = this.options;
    const strategy = { type: 'Reboot', retryLimit, timeoutSeconds: timeout.toSeconds({ integral: false }) };
    return ProviderObjects.besideMachines(scope, context, 'Remediation', {
      apiVersion: METAL3_API_VERSION,
      kind: 'Metal3RemediationTemplate',
      fields: { template: { spec: { strategy } } },
      props: this.options,
      properties: { 'template.spec.strategy.retryLimit': 'remediation.retryLimit', 'template.spec.strategy.timeoutSeconds': 'remediation.timeout' },
    });
  }
}
