import { CLUSTER, CLUSTER_CLASS, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { healthCheckYaml } from './example-manifests';
import { healthChecks, startupSeconds, WatchedCondition, watchedConditions } from './health-check-places';
import { ManifestObject } from '../../objects/manifest-object';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';
import { ManifestRule } from '../manifest-rule';

const KINDS = [CLUSTER, CLUSTER_CLASS, MACHINE_HEALTH_CHECK];
const TARGETS = 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_targets.go';
const NODE_STATUS = 'kubernetes.io/docs/reference/node/node-status';

/** Statuses of healthy nodes: the conditions of kubelets and cloud providers, and those of kubernetes/node-problem-detector (config). */
const HEALTHY_NODE: Readonly<Record<string, readonly string[]>> = {
  Ready: ['True'],
  ...Object.fromEntries([
    'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable', 'KernelDeadlock', 'ReadonlyFilesystem', 'CorruptDockerOverlay2',
    'FrequentKubeletRestart', 'FrequentDockerRestart', 'FrequentContainerdRestart', 'FrequentUnregisterNetDevice', 'KubeletUnhealthy', 'ContainerRuntimeUnhealthy',
  ].map((type) => [type, ['False']])),
};

/** Conditions of machines that are not met from their creation on until their nodes run, the last six of machines of a KubeadmControlPlane. */
const STARTING: readonly string[] = [
  'BootstrapConfigReady', 'InfrastructureReady', 'NodeHealthy', 'NodeReady', 'APIServerPodHealthy', 'ControllerManagerPodHealthy',
  'SchedulerPodHealthy', 'EtcdPodHealthy', 'EtcdMemberHealthy', 'NodeKubeadmLabelsAndTaintsSet',
];

/**
 * Statuses of healthy machines
 * (kubernetes-sigs/cluster-api api/core/v1beta2/machine_types.go, api/controlplane/kubeadm/v1beta2/kubeadm_control_plane_types.go, v1.14.2).
 */
const HEALTHY_MACHINE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(STARTING.map((type) => [type, ['True']])),
  // Of a machine in a rollout, an update, a deletion or a pause, nothing is broken.
  ...Object.fromEntries(['UpToDate', 'Updating', 'Deleting', 'Paused'].map((type) => [type, ['True', 'False']])),
};

/** Types that no condition has: words of `kubectl get nodes`, and conditions of earlier releases. */
const NO_TYPES: readonly string[] = ['NotReady', 'SchedulingDisabled', 'Unschedulable', 'Unreachable', 'OutOfDisk', 'ConfigOK'];

const STATUSES: readonly string[] = ['True', 'False', 'Unknown'];
// The pattern of the schema for conditions of machines. For those of nodes there is none.
const TYPE = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/** The time in which a machine boots, joins and gets its pod network: no upstream limit. */
const STARTUP_SECONDS = 300;

/** Twice the node-monitor-grace-period of the node controller, which is 50 s. */
const READY_SECONDS = 100;

const HEALTHY: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-HEALTHY',
  title: 'A health check must not watch a state of healthy nodes or machines: each machine is replaced soon after it is ready, without end.',
  source: `${TARGETS} (nodeChecks, machineChecks), v1.14.2; ${NODE_STATUS}`,
  trap: true,
  kinds: KINDS,
  example: { failing: watching('Ready', 'True'), corrected: watching('Ready', 'False') },
  check: (object) => eachCondition(object, ({ path, type, status, ofNode }) => {
    const healthy = statusesOf(ofNode, type);
    return healthy?.includes(status) ? [{
      path: [...path, 'status'],
      message: `healthy ${ofNode ? 'nodes' : 'machines'} have ${type} ${status}, so that each machine would be replaced, without end`,
      fix: watchFix(type, ofNode),
    }] : [];
  }),
};

const NEVER: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-NEVER',
  title: 'A health check must watch conditions and states that exist: no machine is replaced otherwise.',
  source: `${TARGETS} (nodeChecks, machineChecks), v1.14.2; ${NODE_STATUS}`,
  trap: true,
  kinds: KINDS,
  example: { failing: watching('Ready', 'false'), corrected: watching('Ready', 'False') },
  check: (object) => eachCondition(object, ({ path, type, status, ofNode }) => {
    const unknown = unknownType(type, ofNode);
    if (unknown) return [{ ...unknown, path: [...path, 'type'] }];
    // The schema of conditions of machines accepts no other status.
    return !ofNode || STATUSES.includes(status) ? [] : [{
      path: [...path, 'status'],
      message: `${JSON.stringify(status)} is not a status of a condition, so that no node ever has it`,
      accepted: STATUSES.join(', '),
      fix: statusFix(type, status),
    }];
  }),
};

const TIMEOUT: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-TIMEOUT',
  title: 'An unhealthy condition must hold for some time: with a timeout of 0, machines are replaced at its first change.',
  source: `${TARGETS} (nodeChecks, machineChecks), v1.14.2`,
  trap: true,
  kinds: KINDS,
  example: { failing: watching('Ready', 'Unknown', 0), corrected: watching('Ready', 'Unknown') },
  check: (object) => eachCondition(object, ({ path, timeout, seconds }) => (seconds === 0 ? [{
    path: [...path, timeout], message: 'a timeout of 0 replaces machines at the first change of the condition', accepted: 'durations above 0', fix: 'write some minutes',
  }] : [])),
};

const SHORT: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-SHORT',
  title: `A health check should leave machines ${STARTUP_SECONDS / 60} minutes to start, and nodes ${READY_SECONDS} seconds to become ready again: those that need longer are replaced again and again.`,
  source: `${TARGETS} (needsRemediation), v1.14.2; node-monitor-grace-period of kube-controller-manager`,
  trap: true,
  warning: true,
  kinds: KINDS,
  example: { failing: healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 60'), corrected: healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 1200') },
  check: (object) => [
    ...healthChecks(object).flatMap((place): Finding[] => {
      const seconds = startupSeconds(object, place);
      // Less than 30 seconds are refused.
      return seconds === undefined || seconds < 30 || seconds >= STARTUP_SECONDS ? [] : [{
        path: place.startup,
        message: `a machine that is not a node after ${seconds} seconds is replaced, and so is the next one`,
        accepted: `${STARTUP_SECONDS} seconds and more, or 0 for no limit`,
        fix: 'give machines the time that they need to get their disk, boot and join, such as 20 minutes',
      }];
    }),
    ...eachCondition(object, ({ path, type, status, timeout, seconds = 0, ofNode }) => {
      const [needed, what] = ofNode ? [type === 'Ready' ? READY_SECONDS : 0, 'a restart or a short failure of the network takes longer']
        : [STARTING.includes(type) ? STARTUP_SECONDS : 0, 'every machine is in this state until it has started'];
      return seconds === 0 || seconds >= needed || !['False', 'Unknown'].includes(status) ? [] : [{
        path: [...path, timeout], message: `${type} ${status} for ${seconds} seconds replaces the machine: ${what}`, accepted: `${needed} seconds and more`, fix: 'write some minutes more',
      }];
    }),
  ],
};

/** Rules for the conditions that a health check watches, and for how long. */
export const HEALTH_CHECK_CONDITIONS: readonly ManifestRule[] = [HEALTHY, NEVER, TIMEOUT, SHORT];

function eachCondition(object: ManifestObject, check: (condition: WatchedCondition) => Finding[]): Finding[] {
  return healthChecks(object).flatMap((place) => watchedConditions(object, place)).flatMap(check);
}

function statusesOf(ofNode: boolean, type: string): readonly string[] | undefined {
  const healthy = ofNode ? HEALTHY_NODE : HEALTHY_MACHINE;
  return Object.hasOwn(healthy, type) ? healthy[type] : undefined;
}

/** A type of condition that nodes or machines never have. One that is not known may be of another controller. */
function unknownType(type: string, ofNode: boolean): Omit<Finding, 'path'> | undefined {
  if (statusesOf(ofNode, type)) return undefined;
  const who = ofNode ? 'node' : 'machine';
  const [own, others] = ofNode ? [HEALTHY_NODE, HEALTHY_MACHINE] : [HEALTHY_MACHINE, HEALTHY_NODE];
  // Ready is a condition of machines, too, which another rule refuses.
  if (Object.hasOwn(others, type) && (ofNode || type !== 'Ready')) {
    return { message: `${type} is a condition of ${ofNode ? 'machines' : 'nodes'}, and no ${who} has it`, fix: watchFix(type, !ofNode) };
  }
  const meant = nearestName(type, Object.keys(own), 1);
  if (meant === undefined && !NO_TYPES.includes(type) && (!ofNode || TYPE.test(type))) return undefined;
  return {
    message: `no ${who} has a condition ${JSON.stringify(type)}`, accepted: Object.keys(own).slice(0, 5).join(', '), fix: watchFix(meant ?? (ofNode ? 'Ready' : 'NodeHealthy'), ofNode),
  };
}

/** Fix that names the unhealthy status, because the status that the user wrote may be the healthy one. */
function watchFix(type: string, ofNode: boolean): string {
  const status = unhealthyStatus(type, ofNode);
  return status === undefined ? 'remove the condition' : `watch ${type} with the status "${status}" in ${ofNode ? 'unhealthyNodeConditions' : 'unhealthyMachineConditions'}`;
}

/** Fix of a status of a node's condition that is none: what differs in case only is meant, unless healthy nodes have it. */
function statusFix(type: string, status: string): string {
  const meant = STATUSES.find((known) => known.toLowerCase() === status.toLowerCase());
  if (meant !== undefined && !statusesOf(true, type)?.includes(meant)) return `write ${JSON.stringify(meant)}`;
  const unhealthy = unhealthyStatus(type, true);
  return unhealthy === undefined ? 'write the status of nodes that are broken' : `write ${JSON.stringify(unhealthy)}`;
}

/** The status of broken nodes or machines; undefined for a condition of healthy ones only, or of another controller. */
function unhealthyStatus(type: string, ofNode: boolean): string | undefined {
  const healthy = statusesOf(ofNode, type);
  if (healthy?.length !== 1) return undefined;
  return healthy[0] === 'True' ? 'False' : 'True';
}

function watching(type: string, status: string, seconds = 300): string {
  return healthCheckYaml(`checks:\n  unhealthyNodeConditions:\n    - type: ${type}\n      status: "${status}"\n      timeoutSeconds: ${seconds}`);
}
