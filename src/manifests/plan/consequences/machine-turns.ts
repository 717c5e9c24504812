import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { Effect } from '../../rules/changes/effects';
import { isV1beta1 } from '../../rules/cluster-api/cluster-api-kinds';
import { healthChecksOf } from '../../rules/cluster-api/health-check-limits';
import { durationSeconds, healthChecks, startupSeconds } from '../../rules/cluster-api/health-checks';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, numberAt } from '../../values/fields';
import { PlannedEffect, PlannedTime, TurnStep } from '../plan-model';

/** Paths of the settings of machines in pools and control planes: the contract of control planes, and MachineDeployments. */
const MACHINES: readonly (readonly string[])[] = [['spec', 'machineTemplate', 'spec'], ['spec', 'machineTemplate'], ['spec', 'template', 'spec']];

/** The step that PodDisruptionBudgets hold up. */
export const DRAIN = 'drain';

/** A health check without a limit gets this one (api/core/v1beta2/machinehealthcheck_types.go, DefaultNodeStartupTimeoutSeconds). */
const DEFAULT_STARTUP = 600;

/**
 * A limit of the deletion of machines, in seconds; undefined if there is none: 0 is none, too.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (nodeDrainTimeoutExceeded), v1.14.2.
 *
 * @param owner the pool or control plane
 * @param name the field of v1beta1, such as `nodeDrainTimeout`
 */
export function deletionLimit(owner: ManifestObject, name: string): number | undefined {
  const limits = MACHINES.flatMap((path) => numberAt(owner, ...path, 'deletion', `${name}Seconds`) ?? durationSeconds(fieldAt(owner, ...path, name)) ?? []);
  return limits.find((limit) => limit > 0);
}

/** A limit of the deletion of machines as the version of an object calls it. */
export function limitName(owner: ManifestObject, name: string): string {
  return isV1beta1(owner) ? name : `${name}Seconds`;
}

/**
 * The time that machines of a pool or control plane take, by declared timeouts. Machines that are deleted without successors go at once, those
 * of a control plane one after the other. The infrastructure's own time has no limit.
 *
 * @param owner the pool or control plane
 * @param effect what becomes of the machines
 * @param isPool false for a control plane
 * @param index the objects of the management cluster
 * @param cluster name of the cluster
 */
export function machineTime(
  owner: ManifestObject, { effect, count, atATime }: PlannedEffect, isPool: boolean, index: ManifestIndex, cluster: string | undefined,
): PlannedTime | undefined {
  if (atATime === 0) return undefined;
  const isReplaced = effect === Effect.MACHINES;
  const most = count?.maximum;
  const turns = isReplaced ? most !== undefined && atATime ? Math.ceil(most / atATime) : undefined : isPool ? 1 : most;
  const limit = (name: string, field: string): TurnStep => {
    const seconds = deletionLimit(owner, field);
    return { name, ...(seconds !== undefined && { seconds }), field: limitName(owner, field) };
  };
  // Unlike the others, it has a default, of a few seconds.
  const deletion = limit('delete the node', 'nodeDeletionTimeout');
  const steps = [
    ...isReplaced ? [startStep(owner, index, cluster)] : [],
    limit(DRAIN, 'nodeDrainTimeout'),
    limit('detach volumes', 'nodeVolumeDetachTimeout'),
    ...deletion.seconds === undefined ? [] : [deletion],
  ];
  const turn = steps.reduce<number | undefined>((all, { seconds }) => (all === undefined || seconds === undefined ? undefined : all + seconds), 0);
  return { ...(turn !== undefined && turns !== undefined && { seconds: turn * turns }), ...(turns !== undefined && { turns }), steps };
}

/** A machine that is not a node in time is given up by the health check, and another one is tried. */
function startStep(owner: ManifestObject, index: ManifestIndex, cluster: string | undefined): TurnStep {
  const limits = healthChecksOf(owner, index, cluster).flatMap((check) => healthChecks(check).map((place) => (
    { seconds: startupSeconds(check, place) ?? DEFAULT_STARTUP, field: `${limitName(check, 'nodeStartupTimeout')} of MachineHealthCheck ${nameOf(check)}` })));
  const shortest = limits.filter(({ seconds }) => seconds > 0).sort((one, other) => one.seconds - other.seconds)[0];
  return { name: 'start', ...(shortest ?? { field: 'health check' }) };
}
