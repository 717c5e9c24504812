import { Duration } from 'cdk8s';
import { DELIVERY_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';

/** The timeout of an install or upgrade, unless the chart sets one. */
export const DEFAULT_TIMEOUT = Duration.minutes(10);

/** Checks a timeout or interval. */
export function checkDuration(duration: Duration | undefined, property: string): Problem[] {
  const milliseconds = duration?.toMilliseconds() ?? 1000;
  if (milliseconds >= 1000 && milliseconds % 1000 === 0) return [];
  return [{
    rule: DELIVERY_RULES.duration,
    property,
    message: `${milliseconds} ms is not a whole number of seconds above 0`,
    fix: 'write it in seconds or minutes, e.g. Duration.minutes(10)',
  }];
}
