import { Duration } from 'cdk8s';
import { goDuration } from '../../../manifests/values/go-duration';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { ClusterContext } from '../cluster-context';

const LONGEST_SECONDS = 2 ** 31 - 1;

/** Seconds of a duration, fractions included. */
export function secondsOf(duration: Duration): number {
  return duration.toSeconds({ integral: false });
}

/** Rule for durations of pools. */
export const TIMEOUT_RULE: Rule = {
  id: 'TC-POOL-TIMEOUT',
  title: 'Timeouts must be whole seconds; other durations must be whole milliseconds.',
  source: 'kubernetes-sigs/cluster-api core/config/crd/bases/cluster.x-k8s.io_machinedeployments.yaml',
};

/** Checks that a manifest can hold a timeout; the rules over manifests check that Cluster API can store it. */
export function checkSeconds(property: string, timeout: Duration): Problem[] {
  const seconds = secondsOf(timeout);
  const message = Number.isFinite(seconds) ? undefined : `${seconds} seconds is not a timeout of Cluster API`;
  return problemIf(TIMEOUT_RULE, property, message, 'write whole seconds, e.g. Duration.minutes(5)');
}

/** Checks a duration that is written as a string, for the autoscaler or the kubelet. */
export function checkDuration(property: string, duration: Duration): Problem[] {
  return isWritable(duration) ? [] : [{
    rule: TIMEOUT_RULE,
    property,
    message: `${secondsOf(duration)} seconds cannot be written as a duration`,
    accepted: `whole milliseconds up to ${LONGEST_SECONDS} seconds`,
    fix: 'write whole seconds, e.g. Duration.minutes(5)',
  }];
}

/** A duration as Go writes it. One that cannot be written is reported by its check, and must not stop the rendering. */
export function durationText(duration: Duration): string {
  return isWritable(duration) ? goDuration(duration) : '0s';
}

function isWritable(duration: Duration): boolean {
  return Number.isInteger(duration.toMilliseconds({ integral: false })) && secondsOf(duration) <= LONGEST_SECONDS;
}

/** Timeouts of the steps before a machine is deleted. */
interface DeletionTimeouts {
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

const POOL_HIBERNATION_DRAIN_RULE: Rule = {
  id: 'TC-POOL-HIBERNATION-DRAIN',
  title: 'Machines of a cluster that hibernates should not wait forever for their nodes to be drained: with no node left, a PodDisruptionBudget is never met.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go',
  warning: true,
};

/** Warns if the machines of a cluster that hibernates may never be deleted. */
export function checkHibernationDrain({ nodeDrainTimeout }: DeletionTimeouts, { hibernation }: ClusterContext): Problem[] {
  return hibernation === undefined || !nodeDrainTimeout || secondsOf(nodeDrainTimeout) > 0 ? [] : [{
    rule: POOL_HIBERNATION_DRAIN_RULE,
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
