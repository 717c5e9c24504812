import { Duration } from 'cdk8s';
import { secondsOf } from '../../../contracts/node-pool/timeouts';

/** Limits for the attempts of Cluster API to replace an unhealthy control plane machine. */
export interface KubeadmRemediation {
  /**
   * Number of times that a failed replacement is replaced again; a whole number from 0.
   *
   * Rules: `TC-ADMIT-FIELD-TYPE`, `TC-KUBEADM-CP-REMEDIATION`.
   *
   * @default - without limit
   */
  readonly maxRetry?: number;

  /**
   * Time that Cluster API waits before it replaces a failed replacement, in whole seconds.
   *
   * @default - not at all
   */
  readonly retryPeriod?: Duration;

  /**
   * Time that a replacement must have worked for its failure to count as a new one, in whole seconds.
   *
   * @default - one hour (Cluster API's own)
   */
  readonly minHealthyPeriod?: Duration;
}

/** `remediation` of the control plane, or undefined if it is unset. */
export function remediationFields({ maxRetry, retryPeriod, minHealthyPeriod }: KubeadmRemediation) {
  const fields = {
    ...(maxRetry !== undefined && { maxRetry }),
    ...(minHealthyPeriod && { minHealthyPeriodSeconds: secondsOf(minHealthyPeriod) }),
    ...(retryPeriod && { retryPeriodSeconds: secondsOf(retryPeriod) }),
  };
  return Object.keys(fields).length > 0 ? fields : undefined;
}
