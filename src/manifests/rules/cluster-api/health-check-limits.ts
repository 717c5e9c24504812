import { CLUSTER, isV1beta1, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { classMetadata, classOf, healthCheckOf, saysWhen, workersOf } from './cluster-classes';
import { healthCheckYaml, poolYaml } from './example-manifests';
import { healthChecks } from './health-check-places';
import { ownerSize, watchedOwners } from './health-check-traps';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, stringAt } from '../../values/fields';
import { IntOrPercent, parseIntOrPercent } from '../int-or-percent';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';

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

export const HEALTH_CHECK_LIMITS: readonly ManifestRule[] = [ROUNDED];

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
