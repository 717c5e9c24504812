import { isV1beta1, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { topologyPath, workerPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../manifests/manifest-object';
import { fieldAt, FieldPath, stringAt } from '../../values/fields';
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
  readonly machineConditions: FieldPath;
}

/** The health checks in an object: a MachineHealthCheck's own, or those of a Cluster's topology and of a ClusterClass. */
export const healthChecks = ofOneObject((object: ManifestObject): readonly HealthCheckPlace[] => {
  return healthCheckPaths(object).map((path) => (isV1beta1(object) ? {
    path,
    startup: [...path, 'nodeStartupTimeout'],
    limit: [...path, 'maxUnhealthy'],
    range: [...path, 'unhealthyRange'],
    machineConditions: [...path, 'unhealthyMachineConditions'],
  } : {
    path,
    startup: [...path, 'checks', 'nodeStartupTimeoutSeconds'],
    limit: [...path, 'remediation', 'triggerIf', 'unhealthyLessThanOrEqualTo'],
    range: [...path, 'remediation', 'triggerIf', 'unhealthyInRange'],
    machineConditions: [...path, 'checks', 'unhealthyMachineConditions'],
  }));
});

/** Whole seconds that a machine may take to become a node; undefined where nothing is said that can be read. */
export function startupSeconds(object: ManifestObject, { startup }: HealthCheckPlace): number | undefined {
  if (!isV1beta1(object)) {
    const seconds = fieldAt(object, ...startup);
    return typeof seconds === 'number' ? seconds : undefined;
  }
  const text = stringAt(object, ...startup);
  const duration = text === undefined ? undefined : parseGoDuration(text);
  return duration === undefined ? undefined : Number(duration / NANOSECONDS);
}

function healthCheckPaths(object: ManifestObject): FieldPath[] {
  if (groupKind(object) === MACHINE_HEALTH_CHECK) return [['spec']];
  const root = topologyPath(object);
  if (!root) return [];
  const field = isV1beta1(object) ? 'machineHealthCheck' : 'healthCheck';
  return [[...root, 'controlPlane'], ...workerPaths(object, 'machineDeployments')].map((path) => [...path, field]);
}
