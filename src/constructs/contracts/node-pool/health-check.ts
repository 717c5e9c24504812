import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { HostPlacement } from './host-placement';
import { MachineCount } from './machine-count';
import { PoolContext } from './pool-context';
import { PoolSize } from './pool-size';
import { checkSeconds, secondsOf } from './timeouts';
import { MachineHealthCheck, MachineHealthCheckSpecChecks } from '../../../../imports/cluster.x-k8s.io';
import { CLUSTER_NAME_LABEL } from '../../../manifests/rules/cluster-api/cluster-api-kinds';
import { HOSTS_ANNOTATION, lostWithOneHost } from '../../../manifests/rules/cluster-api/health-check-limits';
import { healthCheckProperties } from '../../../manifests/rules/cluster-api/page-properties';
import { Problem, Rule } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { ClusterContext } from '../cluster-context';
import { Machine } from '../machine';

/** A condition that makes a machine unhealthy once it has held for some time. */
export interface UnhealthyCondition {
  /** Type of the condition, e.g. `Ready`. */
  readonly type: string;

  /** Status of the condition: `True`, `False` or `Unknown`. */
  readonly status: string;

  /** Time that the condition must hold, in whole seconds. */
  readonly timeout: Duration;
}

/** Conditions under which machines count as unhealthy, and are replaced. */
export interface HealthCheckOptions {
  /**
   * Time that a machine may take to become a node. `Duration.seconds(0)` switches this check off; otherwise
   * at least 30 seconds (`TC-ADMIT-HEALTH-CHECK-STARTUP`, kubernetes-sigs/cluster-api
   * core/webhooks/admission/machinehealthcheck.go).
   *
   * @default - 20 minutes, or the `startupTime` of the machines
   */
  readonly nodeStartupTimeout?: Duration;

  /**
   * Conditions of the node that make its machine unhealthy.
   *
   * @default - `Ready` being `False` for ten minutes, in which a new node gets its pod network, and `Unknown` for five minutes or, if it is
   * longer, the `restartTime` of the machines. With `Cni.none()` `False` is not watched: every node is not ready until its pod network runs
   */
  readonly unhealthyNodeConditions?: UnhealthyCondition[];

  /**
   * Conditions of the machine that make it unhealthy. `Ready`, `Available`, `HealthCheckSucceeded`, `OwnerRemediated`
   * and `ExternallyRemediated` cannot be named (`TC-ADMIT-HEALTH-CHECK-CONDITION`).
   *
   * @default - those of the machines (`Machine.watchedConditions`) being `False` for as long as `nodeStartupTimeout`, if that is above 0 and
   * the `clusterApiVersion` of the management cluster is known to be 1.12 or later: earlier versions do not have the field. Otherwise none
   */
  readonly unhealthyMachineConditions?: UnhealthyCondition[];

  /**
   * Machines are replaced only while no more than this many are unhealthy or have not become nodes yet: above that, the cause is not in
   * single machines. All machines of a lost or drained host count from the first second. Percentages round down, so one that comes to nothing
   * for the pool's smallest size is refused: such a pool would never be repaired.
   *
   * Cluster API makes the machines of a control plane one after the other, and percentages are of the existing machines: below 100 %, its
   * first machine is not replaced.
   *
   * Rule: `TC-POOL-REMEDIATION-OFF`.
   *
   * @default - the machines that one host may hold while another one is away, where the capabilities of the cluster state its `hosts`; two at
   * least, unless each machine has a host of its own. Else half of the machines, rounded up, and both of two: those that are lost with one of
   * two hosts: a number, that of the maximum of an autoscaled pool, or, from a minimum of three machines on, a percentage that allows half of
   * them at every size. Of a control plane, as many machines as etcd can lose: one of three, two of five; one where there is only one
   */
  readonly maxUnhealthy?: MachineCount;

  /**
   * Number of unhealthy machines that may be deleted at the same time.
   *
   * @default MachineCount.absolute(1)
   */
  readonly maxInFlight?: MachineCount;
}

/**
 * Replacement of the unhealthy machines of a pool by new ones.
 *
 * @example
 * const healthCheck = HealthCheck.of({ nodeStartupTimeout: Duration.minutes(30), maxUnhealthy: MachineCount.percent(40) });
 */
export class HealthCheck {
  /**
   * Replaces unhealthy machines.
   *
   * @param options conditions, timeouts and limits
   */
  public static of(options: HealthCheckOptions = {}): HealthCheck {
    return new HealthCheck(true, options);
  }

  /** Leaves unhealthy machines alone: no `MachineHealthCheck` is made. */
  public static none(): HealthCheck {
    return new HealthCheck(false, {});
  }

  private constructor(
    /** True if unhealthy machines are replaced. */
    public readonly enabled: boolean,
    /** Conditions, timeouts and limits. */
    public readonly options: HealthCheckOptions,
  ) {}
}

const NODE_STARTUP_TIMEOUT = Duration.minutes(20);

/** From this minimum on, a percentage allows as many machines as are lost with one host, and not all of them. */
const SHARE_NEEDS = 3;

/** A new node is not ready until its pod network runs, and the first machines of a cluster wait for its delivery. */
const NOT_READY_TIMEOUT = Duration.minutes(10);
const UNREACHABLE_TIMEOUT = Duration.minutes(5);

// kubernetes-sigs/cluster-api api/core/v1beta2/machinehealthcheck_types.go, v1.12.0: earlier versions have no unhealthyMachineConditions.
const MACHINE_CONDITIONS_SINCE = 12;

/** A health check with every option, and the template of the objects that replace machines in place of Cluster API. */
export type ResolvedHealthCheck = Required<HealthCheckOptions> & Pick<HostPlacement, 'hosts'> & { readonly remediationTemplate?: ApiObject };

/** The options of a pool's health check, with the defaults that follow from its machines and its cluster. */
export function resolveHealthCheck(
  healthCheck: HealthCheck, size: PoolSize, machine: Machine, cluster: ClusterContext, placement?: HostPlacement,
): ResolvedHealthCheck {
  const { options } = healthCheck;
  const nodeStartupTimeout = nodeStartupTimeoutOf(healthCheck, machine);
  return {
    nodeStartupTimeout,
    unhealthyNodeConditions: options.unhealthyNodeConditions ?? nodeConditions(machine, cluster),
    unhealthyMachineConditions: options.unhealthyMachineConditions ?? machineConditions(machine, cluster, nodeStartupTimeout),
    maxUnhealthy: options.maxUnhealthy ?? hostOf(size, placement),
    maxInFlight: options.maxInFlight ?? MachineCount.absolute(1),
    hosts: placement?.hosts,
  };
}

/** Time that a machine may take to become a node. */
export function nodeStartupTimeoutOf(healthCheck: HealthCheck, machine?: Machine): Duration {
  return healthCheck.options.nodeStartupTimeout ?? machine?.startupTime ?? NODE_STARTUP_TIMEOUT;
}

/**
 * Makes a MachineHealthCheck.
 *
 * @param scope where to put the object
 * @param machines the machines; the object has their name
 * @param label the label that selects them within the cluster
 * @param healthCheck the options, with the defaults
 * @param property the property that holds the health check
 */
export function makeMachineHealthCheck(
  scope: Construct, { cluster, name }: PoolContext, label: { readonly [key: string]: string }, healthCheck: ResolvedHealthCheck, property: string,
): MachineHealthCheck {
  const { nodeStartupTimeout, unhealthyNodeConditions, unhealthyMachineConditions, maxUnhealthy, hosts, remediationTemplate: template } = healthCheck;
  const fields = (conditions: readonly UnhealthyCondition[]): object[] | undefined => (
    conditions.length === 0 ? undefined : conditions.map(({ type, status, timeout }) => ({ type, status, timeoutSeconds: secondsOf(timeout) }))
  );
  const object = new MachineHealthCheck(scope, 'MachineHealthCheck', {
    metadata: { name, ...(hosts !== undefined && { annotations: { [HOSTS_ANNOTATION]: `${hosts}` } }) },
    spec: {
      clusterName: cluster.name,
      selector: { matchLabels: { [CLUSTER_NAME_LABEL]: cluster.name, ...label } },
      checks: {
        nodeStartupTimeoutSeconds: secondsOf(nodeStartupTimeout),
        unhealthyNodeConditions: fields(unhealthyNodeConditions),
        unhealthyMachineConditions: fields(unhealthyMachineConditions),
      } as MachineHealthCheckSpecChecks,
      remediation: {
        ...(template && { templateRef: { apiVersion: template.apiVersion, kind: template.kind, name: template.name } }),
        triggerIf: { unhealthyLessThanOrEqualTo: maxUnhealthy._intOrString() },
      },
    },
  });
  FieldSources._record(object, scope, () => healthCheckProperties(property));
  return object;
}

/** The machines of a control plane, and their health check. */
interface ControlPlaneHealthCheckOptions {
  readonly machine: Machine;
  readonly replicas: number;
  readonly healthCheck?: HealthCheck;
  readonly remediationTemplate?: ApiObject;
}

/**
 * Makes the health check of a control plane's machines.
 *
 * @param scope where to put the object
 * @param machines the machines, as their strategy sees them
 * @param options the strategy of the machines, their number, the options of the check, and the template that the strategy made
 * @returns undefined with `HealthCheck.none()`
 */
export function addControlPlaneHealthCheck(
  scope: Construct, machines: PoolContext, options: ControlPlaneHealthCheckOptions,
): MachineHealthCheck | undefined {
  const { machine, replicas, healthCheck = HealthCheck.of(), remediationTemplate } = options;
  if (!healthCheck.enabled) return undefined;
  // The number of machines that etcd can lose. A percentage would be one of the existing machines: Cluster API makes them one after the other
  // (kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go, v1.14.0), so that 40 % of the first one or two
  // is none, and one that does not become a node would never be replaced.
  const { maxUnhealthy = MachineCount.absolute(replicas > 2 ? Math.floor((replicas - 1) / 2) : 1) } = healthCheck.options;
  const resolved = { ...resolveHealthCheck(healthCheck, PoolSize.fixed(replicas), machine, machines.cluster), maxUnhealthy, remediationTemplate };
  return makeMachineHealthCheck(scope, machines, { 'cluster.x-k8s.io/control-plane': '' }, resolved, 'controlPlane.healthCheck');
}

/** Checks the options of a health check, and that its limit allows a replacement. */
export function checkHealthCheck(healthCheck: HealthCheck, size: PoolSize): Problem[] {
  if (!healthCheck.enabled) return [];
  const { options } = healthCheck;
  return [
    ...checkSeconds('healthCheck.nodeStartupTimeout', nodeStartupTimeoutOf(healthCheck)),
    ...(['unhealthyNodeConditions', 'unhealthyMachineConditions'] as const).flatMap((list) => (
      (options[list] ?? []).flatMap(({ timeout }, index) => checkSeconds(`healthCheck.${list}[${index}].timeout`, timeout))
    )),
    ...(options.maxUnhealthy ? checkLimit(options.maxUnhealthy, size) : []),
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
function hostOf({ minimum, maximum, autoscaled }: PoolSize, placement?: HostPlacement): MachineCount {
  if (!Number.isSafeInteger(maximum)) return MachineCount.absolute(1);
  if (placement?.hosts !== undefined) return MachineCount.absolute(Math.max(1, mostOnOneHost(maximum, placement.hosts, placement.separateHosts)));
  if (!autoscaled || minimum < SHARE_NEEDS) return MachineCount.absolute(Math.max(1, lostWithOneHost(maximum)));
  const odd = minimum % 2 === 0 ? minimum + 1 : minimum;
  return MachineCount.percent(Math.ceil((100 * lostWithOneHost(odd)) / odd));
}

/**
 * The most machines of a pool on one of its hosts. There is one host less while one of them is drained or down, and its machines stay on the
 * others afterwards. Two machines may share a host unless they are separated.
 */
function mostOnOneHost(machines: number, hosts: number, separateHosts: boolean): number {
  const evenly = Math.ceil(machines / Math.max(1, hosts - 1));
  return separateHosts ? evenly : Math.max(evenly, Math.min(machines, 2));
}

const REMEDIATION_OFF_RULE: Rule = {
  id: 'TC-POOL-REMEDIATION-OFF',
  title: 'A health check must allow at least one machine to be replaced at every size of the pool.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go',
};

function checkLimit(limit: MachineCount, size: PoolSize): Problem[] {
  const at = { rule: REMEDIATION_OFF_RULE, property: 'healthCheck.maxUnhealthy' };
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
