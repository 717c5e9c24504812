import { Duration } from 'cdk8s';
import { HealthCheck, HealthCheckOptions, UnhealthyCondition } from './health-check';
import { MachineCount } from './machine-count';
import { PoolSize } from './pool-size';
import { POOL_RULES } from './rules';
import { checkSeconds, secondsOf } from './timeouts';
import { MachineHealthCheckSpecChecks, MachineHealthCheckSpecRemediationTriggerIf } from '../../../../imports/cluster.x-k8s.io';
import { lostWithOneHost } from '../../../manifests/values/host-loss';
import { Problem } from '../../../manifests/values/problem';
import { ClusterContext } from '../cluster-context';
import { Machine } from '../machine';

const NODE_STARTUP_TIMEOUT = Duration.minutes(20);
/** From this minimum on, a percentage allows what is lost with one host, and not all machines. */
const SHARE_NEEDS = 3;

/** A new node is not ready until its pod network runs, and the first machines of a cluster wait for its delivery. */
const NOT_READY_TIMEOUT = Duration.minutes(10);
const UNREACHABLE_TIMEOUT = Duration.minutes(5);

// kubernetes-sigs/cluster-api api/core/v1beta2/machinehealthcheck_types.go, v1.12.0: earlier versions have no unhealthyMachineConditions.
const MACHINE_CONDITIONS_SINCE = 12;

/** A health check with every option. */
export type ResolvedHealthCheck = Required<HealthCheckOptions>;

/** The options of a pool's health check, with the defaults that follow from its machines and its cluster. */
export function resolveHealthCheck(
  healthCheck: HealthCheck, size: PoolSize, machine: Machine, cluster: ClusterContext,
): ResolvedHealthCheck {
  const { options } = healthCheck;
  const nodeStartupTimeout = nodeStartupTimeoutOf(healthCheck);
  return {
    nodeStartupTimeout,
    unhealthyNodeConditions: options.unhealthyNodeConditions ?? nodeConditions(machine, cluster),
    unhealthyMachineConditions: options.unhealthyMachineConditions ?? machineConditions(machine, cluster, nodeStartupTimeout),
    maxUnhealthy: options.maxUnhealthy ?? hostOf(size),
    maxInFlight: options.maxInFlight ?? MachineCount.absolute(1),
  };
}

/** Time that a machine may take to become a node. */
export function nodeStartupTimeoutOf(healthCheck: HealthCheck): Duration {
  return healthCheck.options.nodeStartupTimeout ?? NODE_STARTUP_TIMEOUT;
}

/**
 * The sources of the fields of a MachineHealthCheck.
 *
 * @param property the property of the health check
 */
export function healthCheckSources(property: string): { [field: string]: string } {
  const conditions = ['unhealthyNodeConditions', 'unhealthyMachineConditions'].flatMap((list) => [
    [`spec.checks.${list}`, `${property}.${list}`], [`spec.checks.${list}[*]`, `${property}.${list}[*]`],
  ]);
  return {
    'spec.checks.nodeStartupTimeoutSeconds': `${property}.nodeStartupTimeout`,
    'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo': `${property}.maxUnhealthy`,
    ...Object.fromEntries(conditions) as object,
  };
}

/** `checks` of the pool's MachineHealthCheck. */
export function checksOf(healthCheck: ResolvedHealthCheck): MachineHealthCheckSpecChecks {
  const { nodeStartupTimeout, unhealthyNodeConditions, unhealthyMachineConditions } = healthCheck;
  return {
    nodeStartupTimeoutSeconds: secondsOf(nodeStartupTimeout),
    ...(unhealthyNodeConditions.length > 0 && { unhealthyNodeConditions: unhealthyNodeConditions.map(conditionFields) }),
    ...(unhealthyMachineConditions.length > 0 && { unhealthyMachineConditions: unhealthyMachineConditions.map(conditionFields) }),
  } as MachineHealthCheckSpecChecks;
}

/** `remediation.triggerIf` of the pool's MachineHealthCheck. */
export function triggerOf({ maxUnhealthy }: ResolvedHealthCheck): MachineHealthCheckSpecRemediationTriggerIf {
  return { unhealthyLessThanOrEqualTo: maxUnhealthy._intOrString() };
}

/** Checks when machines of the pool count as unhealthy, and whether they can be replaced at all. */
export function checkHealthCheck(healthCheck: HealthCheck, size: PoolSize): Problem[] {
  if (!healthCheck.enabled) return [];
  const { options } = healthCheck;
  return [
    ...checkSeconds('healthCheck.nodeStartupTimeout', nodeStartupTimeoutOf(healthCheck)),
    ...(['unhealthyNodeConditions', 'unhealthyMachineConditions'] as const).flatMap((list) => (
      (options[list] ?? []).flatMap(({ timeout }, index) => checkSeconds(`healthCheck.${list}[${index}].timeout`, timeout))
    )),
    ...(options.maxUnhealthy ? checkLimit(options.maxUnhealthy, size) : []),
    ...checkInFlight(options.maxInFlight),
  ];
}

function nodeConditions({ restartTime }: Machine, { podNetwork }: ClusterContext): UnhealthyCondition[] {
  const unreachable = restartTime && secondsOf(restartTime) > secondsOf(UNREACHABLE_TIMEOUT) ? restartTime : UNREACHABLE_TIMEOUT;
  return [
    ...(podNetwork === undefined ? [] : [{ type: 'Ready', status: 'False', timeout: NOT_READY_TIMEOUT }]),
    { type: 'Ready', status: 'Unknown', timeout: unreachable },
  ];
}

/**
 * A condition is `False` from the creation of a machine on, as long as its disk is imported and it boots, and unlike the start-up time its
 * timeout does not wait for the control plane (kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_targets.go,
 * v1.14.0): so it gets all of the start-up time.
 */
function machineConditions({ watchedConditions }: Machine, { management }: ClusterContext, startup: Duration): UnhealthyCondition[] {
  const minor = Number(/^v?1\.(\d+)\./.exec(management?.clusterApiVersion ?? '')?.[1]);
  if (!(minor >= MACHINE_CONDITIONS_SINCE) || secondsOf(startup) === 0) return [];
  return watchedConditions.map((type) => ({ type, status: 'False', timeout: startup }));
}

/**
 * As many machines as are lost with one host, at every size of the pool. Cluster API counts all machines that are not healthy, also those on
 * their way to a timeout, and rounds percentages down: of the sizes that a pool may have, the smallest odd one needs the largest percentage.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go (isAllowedRemediation), v1.14.2.
 */
function hostOf({ minimum, maximum, autoscaled }: PoolSize): MachineCount {
  if (!autoscaled || minimum < SHARE_NEEDS) return MachineCount.absolute(Number.isSafeInteger(maximum) ? Math.max(1, lostWithOneHost(maximum)) : 1);
  const odd = minimum % 2 === 0 ? minimum + 1 : minimum;
  return MachineCount.percent(Math.ceil((100 * lostWithOneHost(odd)) / odd));
}

function conditionFields(condition: UnhealthyCondition): object {
  return { type: condition.type, status: condition.status, timeoutSeconds: secondsOf(condition.timeout) };
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

/** Values that are not numbers do not reach the output. */
function checkInFlight(maxInFlight: MachineCount | undefined): Problem[] {
  return maxInFlight === undefined || Number.isFinite(maxInFlight.amount) ? [] : [{
    rule: POOL_RULES.remediationOff, property: 'healthCheck.maxInFlight', message: `${maxInFlight} is not a number of machines`, fix: 'write MachineCount.absolute(n) or MachineCount.percent(p)',
  }];
}
