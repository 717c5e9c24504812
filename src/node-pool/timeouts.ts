import { Duration } from 'cdk8s';
import { POOL_RULES } from './rules';
import { Problem } from '../validation/problem';

const LONGEST_SECONDS = 2 ** 31 - 1;

/** Checks a timeout that Cluster API takes as a whole number of seconds in 32 bits. */
export function checkSeconds(property: string, timeout: Duration): Problem[] {
  const milliseconds = timeout.toMilliseconds();
  if (milliseconds % 1000 === 0 && milliseconds / 1000 <= LONGEST_SECONDS) return [];
  return [{
    rule: POOL_RULES.timeout,
    property,
    message: `${milliseconds / 1000} seconds is not a timeout of Cluster API`,
    accepted: `whole seconds up to ${LONGEST_SECONDS}`,
    fix: 'write whole seconds, e.g. Duration.minutes(5)',
  }];
}
