import { Duration } from 'cdk8s';
import { checkSeconds, secondsOf } from './timeouts';
import { Problem } from '../../problems/problem';

/** Timeouts of the steps before a machine is deleted. */
export interface DeletionTimeouts {
  readonly nodeDrainTimeout?: Duration;
  readonly nodeVolumeDetachTimeout?: Duration;
  readonly nodeDeletionTimeout?: Duration;
}

const DEFAULTS = {
  // The time that the KubeVirt provider grants the same drain, of a node whose host is drained
  // (kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go, v0.11.2).
  nodeDrainTimeout: Duration.minutes(10),
  // Attachers of CSI drivers give up after some minutes and try again: one failed try must not cost the volume.
  nodeVolumeDetachTimeout: Duration.minutes(10),
  nodeDeletionTimeout: Duration.minutes(5),
};

/** `deletion` of a machine template, complete. */
export function deletionFields(timeouts: DeletionTimeouts) {
  return {
    nodeDrainTimeoutSeconds: secondsOf(timeouts.nodeDrainTimeout ?? DEFAULTS.nodeDrainTimeout),
    nodeVolumeDetachTimeoutSeconds: secondsOf(timeouts.nodeVolumeDetachTimeout ?? DEFAULTS.nodeVolumeDetachTimeout),
    nodeDeletionTimeoutSeconds: secondsOf(timeouts.nodeDeletionTimeout ?? DEFAULTS.nodeDeletionTimeout),
  };
}

/** Checks the timeouts. */
export function checkDeletion(timeouts: DeletionTimeouts): Problem[] {
  return (['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'] as const)
    .flatMap((property) => checkSeconds(property, timeouts[property] ?? DEFAULTS[property]));
}
