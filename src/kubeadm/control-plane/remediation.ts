import { Duration } from 'cdk8s';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { HealthCheck } from '../../cluster/node-pool/health-check';
import { secondsOf } from '../../cluster/node-pool/timeouts';
import { Problem } from '../../problems/problem';

/** How often Cluster API tries to replace an unhealthy control plane machine. */
export interface KubeadmRemediation {
  /**
   * How often a replacement that fails as well is replaced again; a whole number (`TC-KUBEADM-CP-REMEDIATION`).
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

const LARGEST_INT32 = 2 ** 31 - 1;

/** `remediation` of the control plane, or undefined if it is unset. */
export function remediationFields({ maxRetry, retryPeriod, minHealthyPeriod }: KubeadmRemediation) {
  const fields = {
    ...(maxRetry !== undefined && { maxRetry }),
    ...(minHealthyPeriod && { minHealthyPeriodSeconds: secondsOf(minHealthyPeriod) }),
    ...(retryPeriod && { retryPeriodSeconds: secondsOf(retryPeriod) }),
  };
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= LARGEST_INT32;
}

/** Checks the numbers, and the further options of pools' health checks. */
export function checkRemediation({ maxRetry, retryPeriod, minHealthyPeriod }: KubeadmRemediation, healthCheck: HealthCheck): Problem[] {
  const fields = { maxRetry, retryPeriod: retryPeriod && secondsOf(retryPeriod), minHealthyPeriod: minHealthyPeriod && secondsOf(minHealthyPeriod) };
  const faults = Object.entries(fields).filter(([, value]) => value !== undefined && !isCount(value));
  return [
    ...faults.map(([name, value]) => ({
      rule: KUBEADM_CONTROL_PLANE_RULES.remediation,
      property: `controlPlane.remediation.${name}`,
      message: name === 'maxRetry' ? `${value} is not a number of retries` : `${value} seconds is not a period of Cluster API`,
      accepted: `whole numbers from 0 to ${LARGEST_INT32}`,
      fix: 'write a whole number, or leave it out',
    })),
    ...(healthCheck.options.maxInFlight === undefined ? [] : [{
      rule: KUBEADM_CONTROL_PLANE_RULES.inFlight,
      property: 'controlPlane.healthCheck.maxInFlight',
      message: 'Cluster API always replaces control plane machines one at a time',
      fix: 'leave it out; remediation sets the number of retries',
    }]),
  ];
}
