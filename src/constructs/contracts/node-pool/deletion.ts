import { Duration } from 'cdk8s';
import { POOL_RULES } from './rules';
import { checkSeconds, secondsOf } from './timeouts';
import { Problem } from '../../../manifests/values/problem';
import { ClusterContext } from '../cluster-context';

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

/** Warns that the machines of a cluster that falls asleep may stay. */
export function checkHibernationDrain({ nodeDrainTimeout }: DeletionTimeouts, { hibernation }: ClusterContext): Problem[] {
  return hibernation === undefined || !nodeDrainTimeout || secondsOf(nodeDrainTimeout) > 0 ? [] : [{
    rule: POOL_RULES.hibernationDrain,
    property: 'nodeDrainTimeout',
    message: 'a timeout of 0 waits forever, and a PodDisruptionBudget keeps its last pods, which no other node can replace',
    fix: 'write a timeout, e.g. Duration.minutes(10)',
  }];
}

/** Checks the timeouts. */
export function checkDeletion(timeouts: DeletionTimeouts): Problem[] {
  return (['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'] as const)
    .flatMap((property) => checkSeconds(property, timeouts[property] ?? DEFAULTS[property]));
}
