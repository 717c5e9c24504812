import { Duration } from 'cdk8s';
import { Problem, Rule } from '../../../manifests/values/problem';

/** The timeout of an install or upgrade, unless the chart sets one. */
export const DEFAULT_TIMEOUT = Duration.minutes(10);

const DELIVERY_DURATION_RULE: Rule = {
  id: 'TC-DELIVERY-DURATION',
  title: 'Timeouts and intervals are whole seconds, at least one.',
  source: 'fluxcd/helm-controller api/v2/helmrelease_types.go',
};

/** Checks a timeout or interval. */
export function checkDuration(duration: Duration | undefined, property: string): Problem[] {
  const milliseconds = duration?.toMilliseconds() ?? 1000;
  if (milliseconds >= 1000 && milliseconds % 1000 === 0) return [];
  return [{
    rule: DELIVERY_DURATION_RULE,
    property,
    message: `${milliseconds} ms is not a whole number of seconds above 0`,
    fix: 'write it in seconds or minutes, e.g. Duration.minutes(10)',
  }];
}
