import { Duration } from 'cdk8s';
import { checkSeconds, secondsOf } from './timeouts';
import { Problem } from '../validation/problem';

/** How long the steps may take that come before a machine is gone. */
export interface DeletionTimeouts {
  readonly nodeDrainTimeout?: Duration;
  readonly nodeVolumeDetachTimeout?: Duration;
  readonly nodeDeletionTimeout?: Duration;
}

// azimuth-cloud/capi-helm-charts charts/openstack-cluster/values.yaml: drain, detach and deletion each give up after 5 minutes.
const DELETION_TIMEOUT = Duration.minutes(5);

/** `deletion` of a machine template, complete. */
export function deletionFields({ nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout }: DeletionTimeouts) {
  return {
    nodeDrainTimeoutSeconds: secondsOf(nodeDrainTimeout ?? DELETION_TIMEOUT),
    nodeVolumeDetachTimeoutSeconds: secondsOf(nodeVolumeDetachTimeout ?? DELETION_TIMEOUT),
    nodeDeletionTimeoutSeconds: secondsOf(nodeDeletionTimeout ?? DELETION_TIMEOUT),
  };
}

/** Checks the timeouts. */
export function checkDeletion(timeouts: DeletionTimeouts): Problem[] {
  return (['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'] as const)
    .flatMap((property) => checkSeconds(property, timeouts[property] ?? DELETION_TIMEOUT));
}
