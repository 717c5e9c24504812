import { Duration } from 'cdk8s';
import { CertificateOptions, certificateDays, daysOf, isDays } from './certificates';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import {
  IntOrString, KubeadmControlPlaneSpecRollout as RolloutFields, KubeadmControlPlaneSpecRolloutStrategyType as StrategyType,
} from '../../../imports/controlplane.cluster.x-k8s.io';
import { Problem } from '../../problems/problem';

/** When and how control plane machines are replaced. */
export interface KubeadmRollout {
  /**
   * Machines that may exist beyond `replicas` while they are replaced: 1, or 0 to take one away first, which needs at least three
   * (`TC-KUBEADM-CP-MAX-SURGE`).
   *
   * @default 1
   */
  readonly maxSurge?: number;

  /**
   * How long before the expiry of its certificates a machine is replaced, in whole days: at least 7, and less than they are valid
   * (`TC-KUBEADM-CP-ROLLOUT-BEFORE`). All control plane machines are replaced then, one by one, automatically; every other
   * replacement, such as an upgrade of Kubernetes, makes new certificates as well. `Duration.days(0)` leaves certificates to expire: the
   * cluster stops working unless the machines have been replaced in time.
   *
   * Source: cluster-api.sigs.k8s.io/tasks/certs/auto-rotate-certificates-in-kcp.
   *
   * @default - 30 days; where certificates are valid for less than 90 days a third of it, but at least 7 days
   */
  readonly beforeCertificateExpiry?: Duration;

  /**
   * A time at which all machines that are older are replaced, e.g. `2026-03-09T09:00:00Z` (`TC-KUBEADM-CP-ROLLOUT-AFTER`).
   *
   * @default - none
   */
  readonly after?: string;
}

const FEWEST_TO_SCALE_IN = 3;
const SHORTEST_NOTICE_DAYS = 7;
const USUAL_NOTICE_DAYS = 30;
const LARGEST_INT32 = 2 ** 31 - 1;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** `rollout` of the control plane, complete, so that the webhook has nothing to add. */
export function rolloutFields({ maxSurge, beforeCertificateExpiry, after }: KubeadmRollout, certificates: CertificateOptions): RolloutFields {
  const notice = beforeCertificateExpiry ? daysOf(beforeCertificateExpiry) : usualNotice(certificateDays(certificates));
  return {
    ...(after !== undefined && { after }),
    ...(notice > 0 && { before: { certificatesExpiryDays: notice } }),
    strategy: { type: StrategyType.ROLLING_UPDATE, rollingUpdate: { maxSurge: IntOrString.fromNumber(maxSurge ?? 1) } },
  };
}

/** Checks when and how machines are replaced. */
export function checkRollout(rollout: KubeadmRollout, replicas: number, certificates: CertificateOptions): Problem[] {
  const validity = certificateDays(certificates);
  return [
    ...checkSurge(rollout.maxSurge ?? 1, replicas),
    // A validity that is none is reported already.
    ...(isDays(validity, 1, LARGEST_INT32) ? checkBefore(rollout.beforeCertificateExpiry, validity) : []),
    ...checkAfter(rollout.after),
  ];
}

function checkSurge(maxSurge: number, replicas: number): Problem[] {
  const possible = replicas >= FEWEST_TO_SCALE_IN ? [0, 1] : [1];
  // A number of machines that is none is reported already.
  if (possible.includes(maxSurge) || (maxSurge === 0 && !(replicas >= 1))) return [];
  return [{
    rule: KUBEADM_CONTROL_PLANE_RULES.maxSurge,
    property: 'controlPlane.rollout.maxSurge',
    message: maxSurge === 0 ? `one of ${replicas} machines cannot be taken away before there is another` : `${maxSurge} machines cannot be added at a time`,
    accepted: possible.join(' and '),
    fix: 'leave it out',
  }];
}

/** Days before the expiry at which machines are replaced; 0 where certificates are not valid for longer than the shortest notice. */
function usualNotice(validity: number): number {
  const notice = Math.max(SHORTEST_NOTICE_DAYS, Math.min(USUAL_NOTICE_DAYS, Math.floor(validity / 3)));
  return notice < validity ? notice : 0;
}

function checkBefore(before: Duration | undefined, validity: number): Problem[] {
  const days = before ? daysOf(before) : 0;
  if (days === 0 || (isDays(days, SHORTEST_NOTICE_DAYS, LARGEST_INT32) && days < validity)) return [];
  return [{
    rule: KUBEADM_CONTROL_PLANE_RULES.rolloutBefore,
    property: 'controlPlane.rollout.beforeCertificateExpiry',
    message: `certificates that are valid for ${validity} days cannot be replaced ${days} days before they expire`,
    accepted: `whole days from ${SHORTEST_NOTICE_DAYS}, fewer than ${validity}, or 0 for not at all`,
    fix: 'write whole days, e.g. Duration.days(30)',
  }];
}

function checkAfter(after: string | undefined): Problem[] {
  if (after === undefined || (RFC_3339.test(after) && !Number.isNaN(Date.parse(after)))) return [];
  return [{
    rule: KUBEADM_CONTROL_PLANE_RULES.rolloutAfter,
    property: 'controlPlane.rollout.after',
    message: `"${after}" is not a time`,
    accepted: 'times such as "2026-03-09T09:00:00Z"',
    fix: 'write date, time and zone, or leave it out',
  }];
}
