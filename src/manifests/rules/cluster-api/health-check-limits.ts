import { MAX_SIZE, MIN_SIZE } from './autoscaler-annotations';
import {
  CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, isV1beta1, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL,
} from './cluster-api-kinds';
import { classMetadata, classOf, healthCheckOf, saysWhen, workersOf } from './cluster-classes';
import { membersOf, membersOfCluster } from './cluster-members';
import { healthCheckYaml, poolYaml } from './example-manifests';
import { healthChecks } from './health-checks';
import { rolloutPaths } from './machine-places';
import { machineLabelsOf } from './pool-selectors';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { IntOrPercent, parseIntOrPercent } from '../../values/counts';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, numberAt, stringAt } from '../../values/fields';
import { checkLabelSelector, isEmptySelector, SelectedObjects, selects } from '../label-selectors';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';
import { partOf, partReference } from '../references/object-references';

/** Annotation of a health check with the number of hosts that its machines can be on. */
export const HOSTS_ANNOTATION = 'cdk8s-cluster-api/hosts';

/**
 * Number of machines of a pool that are lost with one host, if they are spread evenly over the hosts.
 *
 * @param hosts number of hosts; undefined if it is not known: there are two, and they may hold two machines unevenly, since the scheduler
 * spreads only where it can
 */
export function lostWithOneHost(machines: number, hosts?: number): number {
  if (hosts !== undefined) return Math.ceil(machines / hosts);
  return machines <= 2 ? machines : Math.ceil(machines / 2);
}

const CONTROLLER = 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go';
const RANGE_TEXT = /^\[(\d+)-(\d+)\]$/;
const LARGEST_UINT32 = 2 ** 32 - 1;
const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

const RANGE: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-RANGE',
  title: 'The range of unhealthy machines must not start above its end: no machine is replaced otherwise.',
  source: `${CONTROLLER} (getUnhealthyRange)`,
  trap: true,
  kinds: [CLUSTER, CLUSTER_CLASS, MACHINE_HEALTH_CHECK],
  example: { failing: ranged('[5-2]'), corrected: ranged('[2-5]') },
  check: (object) => healthChecks(object).flatMap(({ range }) => {
    const text = stringAt(object, ...range);
    const match = text === undefined ? null : RANGE_TEXT.exec(text);
    if (!match || (Number(match[1]) <= Number(match[2]) && Number(match[2]) <= LARGEST_UINT32)) return [];
    return [{
      path: range, message: `${JSON.stringify(text)} is not a range that the controller can use`, accepted: 'a range such as "[2-5]", in 32 bits', fix: 'write the smaller number first',
    }];
  }),
};

/** Kinds whose machines have labels that are not looked at. */
const OTHER_POOLS: readonly string[] = [MACHINE_POOL, 'cluster.x-k8s.io/MachineSet', 'cluster.x-k8s.io/Machine'];

const POOLS = new SelectedObjects(machineLabelsOf);

/** Most health checks that one is compared with, and pools that a finding names. */
const MOST_OTHERS = 20;

const OVERLAP: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-OVERLAP',
  title: 'A machine must not be watched by two MachineHealthChecks: it is undefined which of them replaces it, and when.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/automated-machine-management/healthchecking.md',
  trap: true,
  kinds: [MACHINE_HEALTH_CHECK],
  example: {
    failing: `${healthCheckYaml('')}---\n${healthCheckYaml('', `matchLabels:\n  ${CLUSTER_NAME_LABEL}: acme`, 'acme')}---\n${poolYaml({})}`,
    corrected: `${healthCheckYaml('')}---\n${poolYaml({})}`,
  },
  check: (object, index) => {
    const watchers = watchersOf(membersOf(object, index), index);
    const shared = new Map<ManifestObject, ManifestObject[]>();
    for (const owner of watchedOwners(object, index)) {
      // Two that overlap are reported once; of many, those with the first ones.
      for (const other of (watchers.get(owner) ?? []).slice(0, MOST_OTHERS)) {
        if (other === object) break;
        const both = shared.get(other);
        if (both) both.push(owner);
        else shared.set(other, [owner]);
      }
    }
    return [...shared].map(([other, both]) => ({
      path: ['spec', 'selector'],
      message: `machines of ${shortList(both.map((owner) => JSON.stringify(nameOf(owner))))} are watched by ${JSON.stringify(nameOf(other))} too`,
      fix: 'give each pool one health check, and select by cluster.x-k8s.io/deployment-name',
    }));
  },
};

const NOTHING: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-NOTHING',
  title: 'The selector of a MachineHealthCheck should select machines of its cluster, by labels of the template of a pool: no machine is ever replaced otherwise.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_targets.go (getMachinesFromMHC), issue 2861',
  trap: true,
  warning: true,
  elsewhere: true,
  kinds: [MACHINE_HEALTH_CHECK],
  example: {
    failing: `${healthCheckYaml('', 'matchLabels:\n  nodepool: none')}---\n${poolYaml({})}`,
    corrected: `${healthCheckYaml('')}---\n${poolYaml({})}`,
  },
  check: (object, index) => {
    const selector = fieldAt(object, 'spec', 'selector');
    const pools = membersOf(object, index, MACHINE_DEPLOYMENT);
    if (pools.length === 0 || !isFields(selector) || isEmptySelector(selector) || checkLabelSelector(selector).length > 0) return [];
    // Machines of other control planes, of pools without a MachineDeployment and of a topology may have further labels.
    const labels = [fieldAt(selector, 'matchLabels'), ...listAt(selector, 'matchExpressions')];
    const text = JSON.stringify(labels);
    // A variable stands for anything, and what fills it in may also patch labels of pools.
    const isOfOthers = /cluster\.x-k8s\.io\/(?!cluster-name|deployment-name)/.test(text) || text.includes('${');
    const name = stringAt(object, 'spec', 'clusterName');
    const cluster = index.find(CLUSTER, namespaceOf(object), name);
    const plane = cluster && partReference(cluster, 'controlPlaneRef')?.kind;
    const isPlaneKnown = plane === undefined || knownKind(plane)?.hosted === true || controlPlaneOf(object, name ?? '', index) !== undefined;
    const hasOthers = OTHER_POOLS.some((kind) => membersOf(object, index, kind).length > 0) || isSet(cluster, 'spec', 'topology');
    return isOfOthers || hasOthers || !isPlaneKnown || watchedOwners(object, index).length > 0 ? [] : [{
      path: ['spec', 'selector'],
      message: 'it selects no machine of the pools of its cluster that were read',
      fix: `select cluster.x-k8s.io/deployment-name: ${nameOf(pools[0])}, or a label in spec.template.metadata.labels of a pool`,
    }];
  },
};

const NONE: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-NONE',
  title: 'A health check should allow at least one unhealthy machine: with none, the first unhealthy machine is one too many, and no machine is ever replaced.',
  source: `${CONTROLLER} (isAllowedRemediation)`,
  trap: true,
  warning: true,
  kinds: [CLUSTER, CLUSTER_CLASS, MACHINE_HEALTH_CHECK],
  example: {
    failing: healthCheckYaml('remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: 0'),
    corrected: healthCheckYaml('remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: 1'),
  },
  check: (object) => healthChecks(object).flatMap(({ limit, range }) => {
    const value = fieldAt(object, ...limit);
    return isSet(object, ...range) || !/^0+%?$/.test(String(value)) ? [] : [{
      path: limit, message: 'no machine may be unhealthy: the first one that is stops every replacement', fix: 'write 1, or a share of the machines, or leave it out',
    }];
  }),
};

/** Nothing replaces old machines by itself, and no health check does. */
const ON_DELETE: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-ON-DELETE',
  title: 'With OnDelete, unhealthy machines of an earlier template are not replaced: Cluster API only replaces machines of the newest MachineSet.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go (reconcileUnhealthyMachines), v1.14.0, issue 13800',
  trap: true,
  warning: true,
  kinds: [MACHINE_DEPLOYMENT],
  example: {
    failing: `${poolYaml({ spec: 'rollout:\n  strategy:\n    type: OnDelete' })}---\n${healthCheckYaml('')}`,
    corrected: `${poolYaml({ spec: 'rollout:\n  strategy:\n    type: RollingUpdate' })}---\n${healthCheckYaml('')}`,
  },
  check: (object, index) => rolloutPaths(object).filter((path) => stringAt(object, ...path, 'type') === 'OnDelete').flatMap((path) => {
    const checks = healthChecksOf(object, index);
    return checks.length === 0 ? [] : [{
      path: [...path, 'type'],
      message: `${checks.map((check) => JSON.stringify(nameOf(check))).join(', ')} watches the pool, and after a change its unhealthy machines are replaced only once they are deleted by hand`,
      fix: 'delete unhealthy machines by hand while a change is pending, and write RollingUpdate when it may be rolled out',
    }];
  }),
};

function ranged(range: string): string {
  return healthCheckYaml(`remediation:\n  triggerIf:\n    unhealthyInRange: "${range}"`);
}

function shortList(names: readonly string[]): string {
  const more = names.length - MOST_OTHERS;
  return `${names.slice(0, MOST_OTHERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const WATCHERS = new WeakMap<readonly ManifestObject[], ReadonlyMap<ManifestObject, readonly ManifestObject[]>>();

/** The health checks of a cluster, by whose machines they watch. */
function watchersOf(checks: readonly ManifestObject[], index: ManifestIndex): ReadonlyMap<ManifestObject, readonly ManifestObject[]> {
  const known = WATCHERS.get(checks);
  if (known) return known;
  const watchers = new Map<ManifestObject, ManifestObject[]>();
  for (const check of checks) {
    for (const owner of watchedOwners(check, index)) {
      const others = watchers.get(owner);
      if (others) others.push(check);
      else watchers.set(owner, [check]);
    }
  }
  WATCHERS.set(checks, watchers);
  return watchers;
}

/**
 * The health checks that watch the machines of a pool, or of a control plane.
 *
 * @param pool the pool
 * @param cluster name of its cluster, which a control plane does not state
 */
export function healthChecksOf(
  pool: ManifestObject, index: ManifestIndex, cluster = stringAt(pool, 'spec', 'clusterName'),
): readonly ManifestObject[] {
  return watchersOf(membersOfCluster(namespaceOf(pool), cluster, index, MACHINE_HEALTH_CHECK), index).get(pool) ?? [];
}

/** Pools and control planes whose machines a health check selects. */
function watchedOwners(check: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const selector = fieldAt(check, 'spec', 'selector');
  const cluster = stringAt(check, 'spec', 'clusterName');
  if (!isFields(selector) || isEmptySelector(selector) || checkLabelSelector(selector).length > 0 || cluster === undefined) return [];
  const controlPlane = controlPlaneOf(check, cluster, index);
  return [
    ...POOLS.of(membersOf(check, index, MACHINE_DEPLOYMENT), selector),
    ...(controlPlane && selects(selector, controlPlaneLabels(controlPlane, cluster)) ? [controlPlane] : []),
  ];
}

function controlPlaneOf(check: ManifestObject, name: string, index: ManifestIndex): ManifestObject | undefined {
  const cluster = index.find(CLUSTER, namespaceOf(check), name);
  const controlPlane = cluster && partOf(cluster, 'controlPlaneRef', index);
  return controlPlane && groupKind(controlPlane) === KUBEADM_CONTROL_PLANE ? controlPlane : undefined;
}

/** Labels that Cluster API gives to the machines of a control plane, as far as they are known. */
export function controlPlaneLabels(owner: ManifestObject, cluster: string): Fields {
  const labels = fieldAt(owner, 'spec', 'machineTemplate', 'metadata', 'labels');
  return { ...(isFields(labels) && labels), [CLUSTER_NAME_LABEL]: cluster, [CONTROL_PLANE_LABEL]: '', 'cluster.x-k8s.io/control-plane-name': nameOf(owner) };
}

/** Number of machines of an owner, at least one where the autoscaler decides; undefined if it is unknown. */
export function ownerSize(owner: ManifestObject): { readonly minimum: number; readonly maximum: number } | undefined {
  const [least, most] = [MIN_SIZE, MAX_SIZE].map((name) => stringAt(owner, 'metadata', 'annotations', name)).map((bound) => (
    bound !== undefined && /^\d+$/.test(bound) ? Number(bound) : undefined));
  if (least !== undefined && most !== undefined) return { minimum: Math.max(1, least), maximum: most };
  // Without replicas the webhooks write 1.
  const replicas = fieldAt(owner, 'spec', 'replicas') === undefined ? 1 : numberAt(owner, 'spec', 'replicas');
  return replicas === undefined ? undefined : { minimum: replicas, maximum: replicas };
}

/** Machines that one pool or control plane owns. */
export interface WatchedMachines {
  /** Undefined if it is unknown. */
  readonly size?: { readonly minimum: number; readonly maximum: number };

  /** Kind of the machine template of a pool; undefined for a control plane, or if it is unknown. */
  readonly templateKind?: string;
}

/** The limit of a health check, and the machines that it is for. */
export interface HealthCheckLimit {
  /** Field of the limit, or the pool whose class has the limit. */
  readonly path: FieldPath;
  readonly limit: IntOrPercent;
  readonly watched: readonly WatchedMachines[];
}

const ROUNDED: ManifestRule = {
  id: 'TC-TRAP-HEALTH-CHECK-LIMIT',
  title: 'A percentage of unhealthy machines must be at least one machine of the minimum size of its pools: it is rounded down, and 0 replaces no machine.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go (getMaxUnhealthy)',
  trap: true,
  kinds: [CLUSTER, MACHINE_HEALTH_CHECK],
  example: {
    failing: `${limited('20%')}---\n${poolYaml({ spec: 'replicas: 4' })}`,
    corrected: `${limited('50%')}---\n${poolYaml({ spec: 'replicas: 4' })}`,
  },
  check: (object, index) => healthCheckLimits(object, index).flatMap(({ path, limit, watched }) => {
    const sizes = watched.map(({ size }) => size);
    // With an owner of unknown size, the machines may be more.
    if (!limit.isPercent || watched.length === 0 || sizes.includes(undefined)) return [];
    const machines = sizes.reduce<number>((sum, size) => sum + (size?.minimum ?? 0), 0);
    if (machines < 1 || Math.floor((machines * limit.amount) / 100) >= 1) return [];
    return [{
      path,
      message: `${limit.amount}% of ${machines} ${machines === 1 ? 'machine' : 'machines'} rounds down to 0, so that none is ever replaced`,
      accepted: `a number from 1, or at least ${Math.ceil(100 / machines)}%`,
      fix: 'write a number of machines',
    }];
  }),
};

function limited(limit: string): string {
  return healthCheckYaml(`remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: ${limit}`);
}

/** Limits in a MachineHealthCheck, or in the topology of a Cluster and in its class. A range wins over a limit, which is left out then. */
export function healthCheckLimits(object: ManifestObject, index: ManifestIndex): HealthCheckLimit[] {
  if (groupKind(object) === CLUSTER) return topologyLimits(object, index);
  const limits = healthChecks(object).flatMap(({ path }) => limitIn(object, fieldAt(object, ...path), path));
  return limits.length === 0 ? [] : limits.map((limit) => ({ ...limit, watched: watchedOwners(object, index).map(machinesOf) }));
}

function machinesOf(owner: ManifestObject): WatchedMachines {
  const templateKind = groupKind(owner) === MACHINE_DEPLOYMENT ? stringAt(owner, 'spec', 'template', 'spec', 'infrastructureRef', 'kind') : undefined;
  return { size: ownerSize(owner), templateKind };
}

/** Source: kubernetes-sigs/cluster-api exp/topology/scope/blueprint.go (MachineDeploymentMachineHealthCheckClass), v1.14.2. */
function topologyLimits(cluster: ManifestObject, index: ManifestIndex): HealthCheckLimit[] {
  const clusterClass = classOf(cluster, index);
  const classes = clusterClass ? workersOf(clusterClass, 'machineDeployments').map(([worker]) => worker) : [];
  const pools = workersOf(cluster, 'machineDeployments').flatMap(([pool, at]) => (
    ownerLimit(cluster, pool, ['spec', 'topology', 'workers', 'machineDeployments', at], clusterClass, classes.find((worker) => worker.class === pool.class))));
  const controlPlane = fieldAt(cluster, 'spec', 'topology', 'controlPlane');
  const controlPlaneClass = fieldAt(clusterClass, 'spec', 'controlPlane');
  if (!isFields(controlPlane)) return pools;
  return [...ownerLimit(cluster, controlPlane, ['spec', 'topology', 'controlPlane'], clusterClass, isFields(controlPlaneClass) ? controlPlaneClass : undefined), ...pools];
}

function ownerLimit(
  cluster: ManifestObject, owner: Fields, path: FieldPath, clusterClass: ManifestObject | undefined, ownerClass: Fields | undefined,
): HealthCheckLimit[] {
  const field = isV1beta1(cluster) ? 'machineHealthCheck' : 'healthCheck';
  const own = healthCheckOf(cluster, owner);
  if (own?.[isV1beta1(cluster) ? 'enable' : 'enabled'] === false) return [];
  // The whole health check of a topology replaces that of the class.
  const limits = saysWhen(own) || !clusterClass ? limitIn(cluster, own, [...path, field])
    : limitIn(clusterClass, healthCheckOf(clusterClass, ownerClass), []).map(({ limit }) => ({ limit, path }));
  if (limits.length === 0) return [];
  const ofClass = clusterClass && ownerClass ? fieldAt(classMetadata(clusterClass, ownerClass), 'annotations') : undefined;
  const ofOwner = fieldAt(owner, 'metadata', 'annotations');
  const annotations = { ...(isFields(ofClass) && ofClass), ...(isFields(ofOwner) && ofOwner) };
  // Annotations of a class that is not validated here may say another size.
  const isKnown = clusterClass !== undefined || owner.replicas !== undefined;
  const template = clusterClass && isV1beta1(clusterClass) ? ['template', 'infrastructure', 'ref', 'kind'] : ['infrastructure', 'templateRef', 'kind'];
  const size = isKnown ? ownerSize({ metadata: { annotations }, spec: { replicas: owner.replicas } }) : undefined;
  return limits.map((limit) => ({ ...limit, watched: [{ size, templateKind: stringAt(ownerClass, ...template) }] }));
}

function limitIn(object: ManifestObject, healthCheck: unknown, path: FieldPath): Pick<HealthCheckLimit, 'path' | 'limit'>[] {
  const [limit, range] = isV1beta1(object) ? [['maxUnhealthy'], ['unhealthyRange']]
    : ['unhealthyLessThanOrEqualTo', 'unhealthyInRange'].map((name) => ['remediation', 'triggerIf', name]);
  const given = parseIntOrPercent(fieldAt(healthCheck, ...limit));
  return !given || stringAt(healthCheck, ...range) !== undefined ? [] : [{ path: [...path, ...limit], limit: given }];
}

/** Rules for the machines that health checks may replace. */
export const HEALTH_CHECK_LIMITS: readonly ManifestRule[] = [RANGE, OVERLAP, NOTHING, NONE, ON_DELETE, ROUNDED];
