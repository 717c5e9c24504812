import { Duration } from 'cdk8s';
import { certificateDays, CertificateOptions, daysOf } from './certificates';
import {
  IntOrString, KubeadmControlPlaneSpecRollout as RolloutFields, KubeadmControlPlaneSpecRolloutStrategyType as StrategyType,
} from '../../../../../imports/controlplane.cluster.x-k8s.io';
import { secondsOf } from '../../../contracts/node-pool/timeouts';

/** When and how control plane machines are replaced. */
export interface KubeadmRollout {
  /**
   * Machines that may exist beyond `replicas` while they are replaced: 1, or 0 to take one away first, which needs at least three
   * (`TC-ADMIT-KCP-MAX-SURGE`).
   *
   * @default - 1; 0 for three machines or more that have no spare hosts (`Machine.surges`)
   */
  readonly maxSurge?: number;

  /**
   * Time before the expiry of its certificates at which a machine is replaced, in whole days: at least 7, and less than they are valid.
   * All control plane machines are replaced then, one by one, automatically; every other replacement, such as an upgrade of Kubernetes,
   * makes new certificates as well. `Duration.days(0)` leaves certificates to expire: the cluster stops working unless the machines have
   * been replaced in time.
   *
   * Rule: `TC-ADMIT-KCP-ROLLOUT-BEFORE`. Source: cluster-api.sigs.k8s.io/tasks/certs/auto-rotate-certificates-in-kcp.
   *
   * @default - 30 days; where certificates are valid for less than 90 days a third of it, but at least 7 days
   */
  readonly beforeCertificateExpiry?: Duration;

  /**
   * A time at which all machines that are older are replaced, e.g. `2026-03-09T09:00:00Z` (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default - none
   */
  readonly after?: string;
}

const SHORTEST_NOTICE_DAYS = 7;
const USUAL_NOTICE_DAYS = 30;

/** `rollout` of the control plane, complete, so that the webhook has nothing to add. */
export function rolloutFields(
  { maxSurge, beforeCertificateExpiry, after }: KubeadmRollout & Required<Pick<KubeadmRollout, 'maxSurge'>>, certificates: CertificateOptions,
): RolloutFields {
  const notice = beforeCertificateExpiry ? daysOf(beforeCertificateExpiry) : usualNotice(certificateDays(certificates));
  return {
    ...(after !== undefined && { after }),
    ...(notice > 0 && { before: { certificatesExpiryDays: notice } }),
    strategy: { type: StrategyType.ROLLING_UPDATE, rollingUpdate: { maxSurge: IntOrString.fromNumber(maxSurge) } },
  };
}

/** Days before the expiry at which machines are replaced; 0 where certificates are not valid for longer than the shortest notice. */
function usualNotice(validity: number): number {
  const notice = Math.max(SHORTEST_NOTICE_DAYS, Math.min(USUAL_NOTICE_DAYS, Math.floor(validity / 3)));
  return notice < validity ? notice : 0;
}

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
