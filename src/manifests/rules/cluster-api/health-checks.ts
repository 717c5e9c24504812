import { CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, CORE_WEBHOOKS, isV1beta1, lacksSpec, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { topologyPath, workerPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { parseIntOrPercent } from '../../values/counts';
import { fieldAt, FieldPath, numberAt, objectsAt, stringAt } from '../../values/fields';
import { parseGoDuration } from '../../values/go-duration';
import { nearestName } from '../../values/nearest-name';
import { ofOneObject } from '../of-one-object';
import { healthCheckYaml } from './example-manifests';
import { allOf, Finding, findingsAt } from '../../values/finding';
import { checkLabelSelector, isEmptySelector } from '../label-selectors';
import { ManifestRule } from '../manifest-rule';

const NANOSECONDS = 1_000_000_000n;

/** Paths of a health check and its fields. */
export interface HealthCheckPlace {
  /** The health check itself. */
  readonly path: FieldPath;
  readonly startup: FieldPath;
  readonly limit: FieldPath;
  readonly range: FieldPath;
  readonly nodeConditions: FieldPath;
  readonly machineConditions: FieldPath;
}

/** The health checks in an object: a MachineHealthCheck's own, or those of a Cluster's topology and of a ClusterClass. */
export const healthChecks = ofOneObject((object: ManifestObject): readonly HealthCheckPlace[] => {
  return healthCheckPaths(object).map((path) => (isV1beta1(object) ? {
    path,
    startup: [...path, 'nodeStartupTimeout'],
    limit: [...path, 'maxUnhealthy'],
    range: [...path, 'unhealthyRange'],
    nodeConditions: [...path, 'unhealthyConditions'],
    machineConditions: [...path, 'unhealthyMachineConditions'],
  } : {
    path,
    startup: [...path, 'checks', 'nodeStartupTimeoutSeconds'],
    limit: [...path, 'remediation', 'triggerIf', 'unhealthyLessThanOrEqualTo'],
    range: [...path, 'remediation', 'triggerIf', 'unhealthyInRange'],
    nodeConditions: [...path, 'checks', 'unhealthyNodeConditions'],
    machineConditions: [...path, 'checks', 'unhealthyMachineConditions'],
  }));
});

/** Whole seconds that a machine may take to become a node; undefined where nothing is said that can be read. */
export function startupSeconds(object: ManifestObject, { startup }: HealthCheckPlace): number | undefined {
  if (!isV1beta1(object)) {
    const seconds = fieldAt(object, ...startup);
    return typeof seconds === 'number' ? seconds : undefined;
  }
  return durationSeconds(fieldAt(object, ...startup));
}

/** A condition that makes machines unhealthy. */
export interface WatchedCondition {
  readonly path: FieldPath;
  readonly type: string;
  readonly status: string;

  /** Name of the field with the timeout. */
  readonly timeout: string;

  /** Whole seconds of the timeout; undefined if it cannot be read. */
  readonly seconds?: number;

  /** True if it is a condition of the node, false if it is one of the machine. */
  readonly ofNode: boolean;
}

/** The conditions that a health check watches. */
export function watchedConditions(object: ManifestObject, { nodeConditions, machineConditions }: HealthCheckPlace): WatchedCondition[] {
  const timeout = isV1beta1(object) ? 'timeout' : 'timeoutSeconds';
  return [nodeConditions, machineConditions].flatMap((list) => objectsAt(object, ...list).flatMap(([condition, index]): WatchedCondition[] => {
    const [type, status] = [stringAt(condition, 'type'), stringAt(condition, 'status')];
    if (type === undefined || status === undefined) return [];
    const seconds = isV1beta1(object) ? durationSeconds(condition.timeout) : numberAt(condition, timeout);
    return [{ path: [...list, index], type, status, timeout, seconds, ofNode: list === nodeConditions }];
  }));
}

/** Whole seconds of a duration; undefined if it is none. */
export function durationSeconds(text: unknown): number | undefined {
  const duration = typeof text === 'string' ? parseGoDuration(text) : undefined;
  return duration === undefined ? undefined : Number(duration / NANOSECONDS);
}

function healthCheckPaths(object: ManifestObject): FieldPath[] {
  if (groupKind(object) === MACHINE_HEALTH_CHECK) return [['spec']];
  const root = topologyPath(object);
  if (!root) return [];
  const field = isV1beta1(object) ? 'machineHealthCheck' : 'healthCheck';
  return [[...root, 'controlPlane'], ...workerPaths(object, 'machineDeployments')].map((path) => [...path, field]);
}

/** Kinds with health checks. */
export const HEALTH_CHECK_KINDS = [CLUSTER, CLUSTER_CLASS, MACHINE_HEALTH_CHECK];
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinehealthcheck,cluster,clusterclass}.go`;
const SCHEMA = 'kubernetes-sigs/cluster-api core/config/crd/bases/cluster.x-k8s.io_machinehealthchecks.yaml (x-kubernetes-validations)';
/** Fewer are refused, but 0. */
export const SHORTEST_STARTUP_SECONDS = 30;
const DERIVED_CONDITIONS = ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'];

const SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-SELECTOR',
  title: 'The selector of a MachineHealthCheck must be valid and not empty.',
  source: `${CORE_WEBHOOKS}/machinehealthcheck.go`,
  kinds: [MACHINE_HEALTH_CHECK],
  example: { failing: healthCheckYaml('', 'matchLabels: {}'), corrected: healthCheckYaml('') },
  check: (object) => {
    const selector = lacksSpec(object) ? {} : fieldAt(object, 'spec', 'selector');
    return allOf(
      findingsAt(['spec', 'selector'], checkLabelSelector(selector)),
      isEmptySelector(selector) ? [{
        path: ['spec', 'selector'], message: 'it is empty', fix: 'select the machines of one pool by cluster.x-k8s.io/deployment-name',
      }] : [],
    );
  },
};

const OWN_CLUSTER: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-CLUSTER',
  title: 'A MachineHealthCheck must select machines of its own cluster.',
  source: `${CORE_WEBHOOKS}/machinehealthcheck.go`,
  kinds: [MACHINE_HEALTH_CHECK],
  example: {
    failing: healthCheckYaml('', `matchLabels:\n  ${CLUSTER_NAME_LABEL}: acme-2`),
    corrected: healthCheckYaml('', `matchLabels:\n  ${CLUSTER_NAME_LABEL}: acme`),
  },
  check: (object) => {
    const selected = stringAt(object, 'spec', 'selector', 'matchLabels', CLUSTER_NAME_LABEL);
    const own = stringAt(object, 'spec', 'clusterName');
    return selected === undefined || own === undefined || selected === own ? [] : [{
      path: ['spec', 'selector', 'matchLabels', CLUSTER_NAME_LABEL],
      message: `it selects machines of ${JSON.stringify(selected)}, and spec.clusterName is ${JSON.stringify(own)}`,
      fix: 'leave this label out, or name the cluster that spec.clusterName names',
    }];
  },
};

const STARTUP: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-STARTUP',
  title: 'The node startup timeout must be 0, which means no limit, or at least 30 seconds.',
  source: WEBHOOKS,
  kinds: HEALTH_CHECK_KINDS,
  example: {
    failing: healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 20'),
    corrected: healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 1200'),
  },
  check: (object) => healthChecks(object).flatMap((place) => {
    const seconds = startupSeconds(object, place);
    return seconds === undefined || seconds === 0 || seconds >= SHORTEST_STARTUP_SECONDS ? [] : [{
      path: place.startup, message: `${seconds} seconds is too short`, accepted: '0, or 30 seconds and more', fix: 'give machines the time that they need to boot and join, such as 20 minutes',
    }];
  }),
};

const LIMIT: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-LIMIT',
  title: 'The limit of unhealthy machines must be a whole number or a percentage.',
  source: WEBHOOKS,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: limited('"2"'), corrected: limited('2') },
  check: (object) => healthChecks(object).flatMap(({ limit }) => {
    const value = fieldAt(object, ...limit);
    return typeof value !== 'string' || parseIntOrPercent(value) ? [] : [{
      path: limit, message: `${JSON.stringify(value)} is neither a number nor a percentage`, accepted: 'a number such as 2, or a string such as "40%"', fix: 'write a number without quotes, or a percentage with them',
    }];
  }),
};

const CONDITION: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-CONDITION',
  title: 'A health check must not watch machine conditions that are derived from its result.',
  source: SCHEMA,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: watchingMachine('Ready'), corrected: watchingMachine('NodeHealthy') },
  check: (object) => healthChecks(object).flatMap(({ machineConditions }) => (
    objectsAt(object, ...machineConditions).filter(([condition]) => DERIVED_CONDITIONS.includes(stringAt(condition, 'type') ?? '')).map(([condition, index]) => ({
      path: [...machineConditions, index, 'type'],
      message: `"${stringAt(condition, 'type')}" follows from the health check itself`,
      accepted: `conditions of machines other than ${DERIVED_CONDITIONS.join(', ')}`,
      fix: 'watch the condition that lies behind it, or the node\'s Ready condition',
    }))
  )),
};

function limited(limit: string): string {
  return healthCheckYaml(`remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: ${limit}`);
}

function watchingMachine(type: string): string {
  return healthCheckYaml(`checks:\n  unhealthyMachineConditions:\n    - type: ${type}\n      status: "False"\n      timeoutSeconds: 300`);
}

/** Source of the checks. */
export const TARGETS = 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_targets.go';
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
export const STARTING: readonly string[] = [
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

const HEALTHY: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-HEALTHY',
  title: 'A health check must not watch a state of healthy nodes or machines: each machine is replaced soon after it is ready, without end.',
  source: `${TARGETS} (nodeChecks, machineChecks), v1.14.2; ${NODE_STATUS}`,
  trap: true,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: watchingNode('True'), corrected: watchingNode('False') },
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
  source: `${TARGETS} (nodeChecks, machineChecks), v1.14.2; ${NODE_STATUS}; kubernetes/kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go`,
  trap: true,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: watchingNode('false'), corrected: watchingNode('False') },
  check: (object) => eachCondition(object, ({ path, type, status, ofNode }) => {
    const unknown = unknownType(type, ofNode);
    if (unknown) return [{ ...unknown, path: [...path, 'type'] }];
    if (ofNode && type === 'NetworkUnavailable' && status === 'Unknown') {
      return [{
        path: [...path, 'status'], message: 'the node controller sets the other conditions of a silent node to Unknown, and not this one', fix: 'watch Ready with the status "Unknown"',
      }];
    }
    // The schema of conditions of machines accepts no other status.
    return !ofNode || STATUSES.includes(status) ? [] : [{
      path: [...path, 'status'],
      message: `${JSON.stringify(status)} is not a status of a condition, so that no node ever has it`,
      accepted: STATUSES.join(', '),
      fix: statusFix(type, status),
    }];
  }),
};

/** Place of the template of external remediation. */
function remediationPaths(object: ManifestObject): FieldPath[] {
  const path = isV1beta1(object) ? ['remediationTemplate'] : ['remediation', 'templateRef'];
  return healthChecks(object).map((place) => [...place.path, ...path]);
}

const REMEDIATION: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-REMEDIATION',
  title: 'The template of external remediation must be a remediation template: of another one Cluster API makes objects that remedy nothing, for each unhealthy machine.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go (patchUnhealthyTargets), v1.14.2',
  trap: true,
  kinds: HEALTH_CHECK_KINDS,
  example: { failing: remedied('ExampleMachineTemplate'), corrected: remedied('ExampleRemediationTemplate') },
  check: (object) => remediationPaths(object).flatMap((path) => {
    const kind = stringAt(object, ...path, 'kind');
    return kind === undefined || !/(?:Machine|Cluster|ControlPlane|Config)Template$/.test(kind) ? [] : [{
      path: [...path, 'kind'], message: `a ${kind} remedies no machine`, accepted: 'kinds that end with RemediationTemplate', fix: 'leave the template out, so that Cluster API replaces the machine itself',
    }];
  }),
};

function remedied(kind: string): string {
  return healthCheckYaml(`remediation:\n  templateRef:\n    apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\n    kind: ${kind}\n    name: acme`);
}

/** Checks each condition that the health checks of an object watch. */
export function eachCondition(object: ManifestObject, check: (condition: WatchedCondition) => Finding[]): Finding[] {
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

/** A health check that watches the condition Ready of nodes. */
export function watchingNode(status: string, seconds = 300): string {
  return healthCheckYaml(`checks:\n  unhealthyNodeConditions:\n    - type: Ready\n      status: "${status}"\n      timeoutSeconds: ${seconds}`);
}

/** Rules for the selector and the conditions of health checks. */
export const HEALTH_CHECKS: readonly ManifestRule[] = [SELECTOR, OWN_CLUSTER, STARTUP, LIMIT, CONDITION, HEALTHY, NEVER, REMEDIATION];
