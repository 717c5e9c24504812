import { Duration } from 'cdk8s';
import { POOL_RULES } from './rules';
import { goDuration } from '../../../manifests/values/go-duration';
import { Problem, problemIf } from '../../../manifests/values/problem';

const LONGEST_SECONDS = 2 ** 31 - 1;

/** Seconds of a duration, fractions included. */
export function secondsOf(duration: Duration): number {
  return duration.toSeconds({ integral: false });
}

/** Checks that a manifest can hold a timeout; the rules over manifests check that Cluster API can store it. */
export function checkSeconds(property: string, timeout: Duration): Problem[] {
  const seconds = secondsOf(timeout);
  const message = Number.isFinite(seconds) ? undefined : `${seconds} seconds is not a timeout of Cluster API`;
  return problemIf(POOL_RULES.timeout, property, message, 'write whole seconds, e.g. Duration.minutes(5)');
}

/** Checks a duration that is written as a string, for the autoscaler or the kubelet. */
export function checkDuration(property: string, duration: Duration): Problem[] {
  return isWritable(duration) ? [] : [{
    rule: POOL_RULES.timeout,
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
