import { PoolParts } from './cluster-parts';
import { MAX_SIZE, MIN_SIZE } from '../rules/cluster-api/autoscaler-annotations';
import { call, duration, instance, PageCall, PageFields } from '../rules/page-expression';
import { storedObject } from '../stored/stored-objects';
import { fieldAt, Fields, isFields, listAt, numberAt, objectsAt, stringAt } from '../values/fields';
import { nodeLabelRoute } from '../values/labels';
import { prefixedVersion } from '../values/semantic-version';

/** The properties of a pool that do not depend on the kind of its machines. What they leave out becomes patches. */
export function poolSettings({ deployment, healthCheck }: PoolParts, clusterVersion: string | undefined, autoscaled: boolean): PageFields {
  const stored = storedObject(deployment);
  const machine = fieldAt(stored, 'spec', 'template', 'spec');
  const version = stringAt(machine, 'version');
  const deletion = fieldAt(machine, 'deletion');
  return {
    size: poolSize(stored, autoscaled),
    kubernetesVersion: version === undefined || sameVersion(version, clusterVersion) ? undefined : version,
    labels: syncedLabels(fieldAt(stored, 'spec', 'template', 'metadata', 'labels')),
    failureDomain: stringAt(machine, 'failureDomain'),
    rollout: rolloutOf(fieldAt(stored, 'spec', 'rollout', 'strategy')),
    healthCheck: healthCheckOf(healthCheck && storedObject(healthCheck), stored),
    ...Object.fromEntries(['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'].map((name) => {
      const seconds = numberAt(deletion, `${name}Seconds`);
      return [name, seconds === undefined ? undefined : duration(seconds)];
    })),
  };
}

/** True if a pool states both bounds of the autoscaler. */
export function isAutoscaled({ deployment }: PoolParts): boolean {
  return [MIN_SIZE, MAX_SIZE].every((name) => /^\d+$/.test(stringAt(deployment, 'metadata', 'annotations', name) ?? ''));
}

function poolSize(deployment: unknown, autoscaled: boolean): PageCall {
  const [minimum, maximum] = [MIN_SIZE, MAX_SIZE].map((name) => Number(stringAt(deployment, 'metadata', 'annotations', name)));
  return autoscaled ? call('PoolSize.between', minimum, maximum) : call('PoolSize.fixed', numberAt(deployment, 'spec', 'replicas') ?? 1);
}

function sameVersion(one: string, other: string | undefined): boolean {
  return other !== undefined && prefixedVersion(one) === prefixedVersion(other);
}

/** Labels of machines that Cluster API copies to nodes. */
function syncedLabels(labels: unknown): PageFields | undefined {
  const entries = Object.entries(isFields(labels) ? labels : {}).filter(([key, value]) => typeof value === 'string' && nodeLabelRoute(key) === 'synced');
  return entries.length === 0 ? undefined : Object.fromEntries(entries) as PageFields;
}

function rolloutOf(strategy: unknown): PageCall | undefined {
  if (stringAt(strategy, 'type') === 'OnDelete') return call('RolloutStrategy.onDelete');
  const [surge, unavailable] = ['maxSurge', 'maxUnavailable'].map((name) => fieldAt(strategy, 'rollingUpdate', name));
  if ((surge ?? 1) === 1 && (unavailable ?? 0) === 0) return undefined;
  const [maxSurge, maxUnavailable] = [machineCount(surge, 1), machineCount(unavailable, 0)];
  return call('RolloutStrategy.rollingUpdate', { maxSurge, maxUnavailable });
}

/** A number or percentage of machines; undefined for the default. */
function machineCount(value: unknown, usual?: number): PageCall | undefined {
  if (typeof value === 'number') return value === usual ? undefined : call('MachineCount.absolute', value);
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : call('MachineCount.percent', Number(percent));
}

/**
 * The health check of machines.
 *
 * @param check the health check as it is stored
 * @param deployment the pool as it is stored
 */
export function healthCheckOf(check: unknown, deployment?: unknown): PageCall {
  if (check === undefined) return call('HealthCheck.none');
  const startup = numberAt(check, 'spec', 'checks', 'nodeStartupTimeoutSeconds');
  return call('HealthCheck.of', {
    nodeStartupTimeout: startup === undefined ? undefined : duration(startup),
    unhealthyNodeConditions: conditionsOf(check, 'unhealthyNodeConditions'),
    unhealthyMachineConditions: conditionsOf(check, 'unhealthyMachineConditions'),
    maxUnhealthy: machineCount(fieldAt(check, 'spec', 'remediation', 'triggerIf', 'unhealthyLessThanOrEqualTo')),
    maxInFlight: machineCount(fieldAt(deployment, 'spec', 'remediation', 'maxInFlight'), 1),
  });
}

function conditionsOf(check: unknown, list: string): PageFields[] | undefined {
  if (listAt(check, 'spec', 'checks', list).length === 0) return undefined;
  return objectsAt(check, 'spec', 'checks', list).map(([condition]: readonly [Fields, number]) => ({
    type: stringAt(condition, 'type'), status: stringAt(condition, 'status'), timeout: duration(numberAt(condition, 'timeoutSeconds') ?? 0),
  }));
}

/** An object as the class for objects of any kind. */
export function manifestPart(name: string, object: unknown, own: PageFields = {}, without: readonly string[] = []): PageCall {
  const spec = fieldAt(object, 'spec');
  const kept = isFields(spec) ? Object.fromEntries(Object.entries(spec).filter(([key, value]) => !without.includes(key) && value !== null)) : {};
  return instance(name, {
    apiVersion: stringAt(object, 'apiVersion'),
    kind: stringAt(object, 'kind'),
    ...own,
    spec: Object.keys(kept).length === 0 ? undefined : kept as PageFields,
  });
}
