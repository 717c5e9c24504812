import { Duration } from 'cdk8s';
import { HealthCheck, HealthCheckOptions, UnhealthyCondition } from './health-check';
import { MachineCount } from './machine-count';
import { PoolSize } from './pool-size';
import { POOL_RULES } from './rules';
import { checkSeconds, durationText, secondsOf } from './timeouts';
import { MachineHealthCheckSpecChecks, MachineHealthCheckSpecRemediationTriggerIf } from '../../imports/cluster.x-k8s.io';
import { Problem } from '../validation/problem';

const NODE_STARTUP_TIMEOUT = Duration.minutes(20);
const SHORTEST_STARTUP_SECONDS = 30;
const MOST_CONDITIONS = 100;
// The pattern of the schema for conditions of machines; nodes have no condition with another kind of name.
const CONDITION_TYPE = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LONGEST_CONDITION_TYPE = 316;
const STATUSES = ['True', 'False', 'Unknown'];
/** Conditions of a machine that follow from its health check. */
export const DERIVED_CONDITIONS: readonly string[] = ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'];

/** Above this share of unhealthy machines, more is broken than machines. */
const SHARE_PERCENT = 40;

/** From this size on, the share of the pool is at least one machine. */
const SHARE_NEEDS = 3;

/** How long a machine may take to become a node. */
export function nodeStartupTimeoutOf(healthCheck: HealthCheck): Duration {
  return healthCheck.options.nodeStartupTimeout ?? NODE_STARTUP_TIMEOUT;
}

/** `checks` of the pool's MachineHealthCheck. */
export function checksOf(healthCheck: HealthCheck): MachineHealthCheckSpecChecks {
  const { unhealthyMachineConditions } = healthCheck.options;
  const unhealthyNodeConditions = nodeConditionsOf(healthCheck.options);
  return {
    nodeStartupTimeoutSeconds: secondsOf(nodeStartupTimeoutOf(healthCheck)),
    ...(unhealthyNodeConditions.length > 0 && { unhealthyNodeConditions: unhealthyNodeConditions.map(conditionFields) }),
    ...(unhealthyMachineConditions?.length && { unhealthyMachineConditions: unhealthyMachineConditions.map(conditionFields) }),
  } as MachineHealthCheckSpecChecks;
}

/** `remediation.triggerIf` of the pool's MachineHealthCheck. */
export function triggerOf(healthCheck: HealthCheck, size: PoolSize): MachineHealthCheckSpecRemediationTriggerIf {
  return { unhealthyLessThanOrEqualTo: maxUnhealthyOf(healthCheck.options, size)._intOrString() };
}

/** Checks when machines of the pool count as unhealthy, and whether they can be replaced at all. */
export function checkHealthCheck(healthCheck: HealthCheck, size: PoolSize): Problem[] {
  if (!healthCheck.enabled) return [];
  const { options } = healthCheck;
  return [
    ...checkStartup(nodeStartupTimeoutOf(healthCheck)),
    ...checkConditions('healthCheck.unhealthyNodeConditions', nodeConditionsOf(options)),
    ...checkConditions('healthCheck.unhealthyMachineConditions', options.unhealthyMachineConditions ?? []),
    ...checkDerived(options.unhealthyMachineConditions ?? []),
    ...(options.maxUnhealthy ? checkLimit(options.maxUnhealthy, size) : []),
    ...checkInFlight(options.maxInFlight),
  ];
}

function nodeConditionsOf(options: HealthCheckOptions): UnhealthyCondition[] {
  return options.unhealthyNodeConditions ?? [
    { type: 'Ready', status: 'False', timeout: Duration.minutes(5) },
    { type: 'Ready', status: 'Unknown', timeout: Duration.minutes(5) },
  ];
}

function conditionFields(condition: UnhealthyCondition): object {
  return { type: condition.type, status: condition.status, timeoutSeconds: secondsOf(condition.timeout) };
}

function maxUnhealthyOf(options: HealthCheckOptions, size: PoolSize): MachineCount {
  return options.maxUnhealthy ?? (size.minimum < SHARE_NEEDS ? shareOfLargest(size) : MachineCount.percent(SHARE_PERCENT));
}

/**
 * For pools that may become too small for a percentage, which would round down to no machine. The share of the largest size, so that a
 * grown pool loses a host with several of its machines and is still repaired.
 */
function shareOfLargest({ maximum }: PoolSize): MachineCount {
  return MachineCount.absolute(Math.max(1, Math.floor((maximum * SHARE_PERCENT) / 100)));
}

function checkStartup(timeout: Duration): Problem[] {
  const property = 'healthCheck.nodeStartupTimeout';
  const seconds = secondsOf(timeout);
  if (seconds === 0 || !(seconds < SHORTEST_STARTUP_SECONDS)) return checkSeconds(property, timeout);
  return [{
    rule: POOL_RULES.startupTime,
    property,
    message: `${durationText(timeout)} is too short for a machine to become a node`,
    accepted: `at least ${SHORTEST_STARTUP_SECONDS} seconds, or 0 for no limit`,
    fix: 'give it the time that import of the disk, boot and join take, e.g. Duration.minutes(20)',
  }];
}

function checkConditions(property: string, conditions: UnhealthyCondition[]): Problem[] {
  const problems = conditions.flatMap((condition, index): Problem[] => {
    const at = { rule: POOL_RULES.condition, property: `${property}[${index}]` };
    return [
      ...checkType(at, condition.type),
      ...(STATUSES.includes(condition.status) ? [] : [{
        ...at, message: `"${condition.status}" is not a status of a condition`, accepted: STATUSES.join(', '), fix: 'write one of these',
      }]),
      ...(secondsOf(condition.timeout) === 0 ? [{
        ...at, message: 'a timeout of 0 replaces machines at the first flicker of the condition', accepted: 'durations above 0', fix: 'give it some minutes',
      }] : checkSeconds(`${property}[${index}].timeout`, condition.timeout)),
    ];
  });
  if (conditions.length > MOST_CONDITIONS) {
    problems.push({
      rule: POOL_RULES.condition, property, message: `there are ${conditions.length} conditions`, accepted: `up to ${MOST_CONDITIONS}`, fix: 'watch fewer',
    });
  }
  return problems;
}

function checkType(at: Pick<Problem, 'rule' | 'property'>, type: string): Problem[] {
  const fix = 'name the type as the condition has it, e.g. "Ready"';
  if (!type) return [{ ...at, message: 'the condition has no type', fix }];
  return type.length <= LONGEST_CONDITION_TYPE && CONDITION_TYPE.test(type) ? [] : [{
    ...at, message: `"${type}" is not a type of a condition`, accepted: `up to ${LONGEST_CONDITION_TYPE} letters, digits, "-", "_" and ".", behind a DNS name and "/" if wanted`, fix,
  }];
}

function checkDerived(conditions: UnhealthyCondition[]): Problem[] {
  return conditions.flatMap((condition, index) => DERIVED_CONDITIONS.includes(condition.type) ? [{
    rule: POOL_RULES.machineCondition,
    property: `healthCheck.unhealthyMachineConditions[${index}]`,
    message: `"${condition.type}" follows from the health check itself`,
    accepted: `conditions of the machine other than ${DERIVED_CONDITIONS.join(', ')}`,
    fix: 'watch the condition that lies behind it, or the node\'s Ready condition in unhealthyNodeConditions',
  }] : []);
}

function checkLimit(limit: MachineCount, size: PoolSize): Problem[] {
  const at = { rule: POOL_RULES.remediationOff, property: 'healthCheck.maxUnhealthy' };
  const fault = limit._fault();
  if (fault) return [{ ...at, message: fault, fix: 'write MachineCount.absolute(n) or MachineCount.percent(p)' }];
  // A pool may be at its smallest size; an empty one has nothing to repair.
  const smallest = Math.max(size.minimum, 1);
  const allowed = limit.isPercentage ? Math.floor((smallest * limit.amount) / 100) : limit.amount;
  if (allowed >= 1) return [];
  return [{
    ...at,
    message: `${limit} of ${smallest} machine${smallest === 1 ? '' : 's'} rounds down to 0, so no machine of that pool would ever be replaced`,
    accepted: 'a limit of at least one machine at the pool\'s smallest size',
    fix: 'write MachineCount.absolute(1), or HealthCheck.none() if nothing shall be replaced',
  }];
}

function checkInFlight(maxInFlight: MachineCount | undefined): Problem[] {
  const fault = maxInFlight && (maxInFlight._fault() ?? (maxInFlight.amount === 0 ? '0 would replace nothing' : undefined));
  return fault ? [{ rule: POOL_RULES.remediationOff, property: 'healthCheck.maxInFlight', message: fault, fix: 'allow at least one machine' }] : [];
}
