import { Duration } from 'cdk8s';
import { isWholeFrom1 } from '../../../manifests/systems/vultr/vultr-objects';
import { Problem, Rule } from '../../../manifests/values/problem';

/** Algorithm by which a load balancer chooses the machine for a connection. */
export enum VultrBalancingAlgorithm {
  /** One after the other. */
  ROUND_ROBIN = 'round-robin',

  /** The one with the fewest connections. */
  LEAST_CONNECTIONS = 'least-connections',
}

/** When a load balancer takes a machine out of service, and back into it. */
export interface VultrHealthCheck {
  /**
   * Time between two checks, in whole seconds (`TC-VULTR-HEALTH-CHECK`).
   *
   * @default Duration.seconds(15)
   */
  readonly interval?: Duration;

  /**
   * Time that an answer may take, in whole seconds, less than `interval`.
   *
   * Rules: `TC-VULTR-HEALTH-CHECK`, `TC-VULTR-HEALTH-CHECK-OVERLAP`.
   *
   * @default Duration.seconds(5)
   */
  readonly responseTimeout?: Duration;

  /**
   * Failures in a row that take a machine out of service (`TC-VULTR-HEALTH-CHECK`).
   *
   * @default 5
   */
  readonly unhealthyThreshold?: number;

  /**
   * Answers in a row that put it back (`TC-VULTR-HEALTH-CHECK`).
   *
   * @default 5
   */
  readonly healthyThreshold?: number;
}

/**
 * Defaults of a health check (vultr/cluster-api-provider-vultr api/v1beta1/types.go, vultr/vultr-cloud-controller-manager
 * docs/load-balancers.md).
 */
export const HEALTH_CHECK_DEFAULTS = {
  interval: Duration.seconds(15), responseTimeout: Duration.seconds(5), unhealthyThreshold: 5, healthyThreshold: 5,
};

const HEALTH_CHECK_RULE: Rule = {
  id: 'TC-VULTR-HEALTH-CHECK',
  title: 'Intervals of a health check must be whole seconds from 1, thresholds whole numbers from 1.',
  source: 'vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go, vultr/vultr-cloud-controller-manager vultr/loadbalancers.go',
};

const HEALTH_CHECK_OVERLAP_RULE: Rule = {
  id: 'TC-VULTR-HEALTH-CHECK-OVERLAP',
  title: 'The response timeout of a health check must be shorter than its interval.',
};

/** Checks the interval, timeout and thresholds of a health check. */
export function checkHealthCheck(property: string, given: VultrHealthCheck): Problem[] {
  const { interval, responseTimeout } = { ...HEALTH_CHECK_DEFAULTS, ...given };
  const rule = HEALTH_CHECK_RULE;
  const wrong = [
    ...checkSeconds(rule, `${property}.interval`, interval),
    ...checkSeconds(rule, `${property}.responseTimeout`, responseTimeout),
    ...checkCount(rule, `${property}.unhealthyThreshold`, given.unhealthyThreshold),
    ...checkCount(rule, `${property}.healthyThreshold`, given.healthyThreshold),
  ];
  const [every, least] = [interval, responseTimeout].map(secondsOf);
  return least < every ? wrong : [...wrong, {
    rule: HEALTH_CHECK_OVERLAP_RULE,
    property: `${property}.responseTimeout`,
    message: `an answer may take ${least} seconds, and the next check starts after ${every}`,
    fix: 'shorten responseTimeout or lengthen interval',
  }];
}

/** Checks a time that is counted in seconds. */
export function checkSeconds(rule: Rule, property: string, time: Duration | undefined): Problem[] {
  return time === undefined || isWholeFrom1(secondsOf(time)) ? [] : [{
    rule, property, message: `${secondsOf(time)} seconds are not a whole number from 1`, fix: 'give whole seconds, such as Duration.seconds(15)',
  }];
}

/** The seconds of a time, whole or not. */
export function secondsOf(time: Duration): number {
  return time.toSeconds({ integral: false });
}

function checkCount(rule: Rule, property: string, count: number | undefined): Problem[] {
  return count === undefined || isWholeFrom1(count) ? [] : [{ rule, property, message: `${count} is not a whole number from 1`, fix: 'correct the number' }];
}
