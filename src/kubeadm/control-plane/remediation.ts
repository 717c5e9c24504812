import { Duration } from 'cdk8s';
import { secondsOf } from '../../cluster/node-pool/timeouts';

/** How often Cluster API tries to replace an unhealthy control plane machine. */
export interface KubeadmRemediation {
  /**
   * How often a replacement that fails as well is replaced again; a whole number (`TC-ADMIT-FIELD-TYPE`) from 0 (`TC-KUBEADM-CP-REMEDIATION`).
   *
   * @default - without limit
   */
  readonly maxRetry?: number;

  /**
   * How long Cluster API waits before it replaces a failed replacement, in whole seconds.
   *
   * @default - not at all
   */
  readonly retryPeriod?: Duration;

  /**
   * How long a replacement must have worked for its failure to count as a new one, in whole seconds.
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
