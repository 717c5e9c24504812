import { isV1beta1, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { topologyPath, workerPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, numberAt, objectsAt, stringAt } from '../../values/fields';
import { parseGoDuration } from '../../values/go-duration';
import { ofOneObject } from '../of-one-object';

const NANOSECONDS = 1_000_000_000n;

/** Where a health check has what. */
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

function durationSeconds(text: unknown): number | undefined {
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
