import { rollingAmounts } from './kind-effects';
import { Comparison } from './paired-objects';
import { PlannedEffect } from './plan-model';
import { MachineCount } from '../landscape/cluster-model';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { Effect } from '../rules/changes/effects';
import { MACHINE_DEPLOYMENT } from '../rules/cluster-api/cluster-api-kinds';
import { OLDEST_WORKER, VersionSkew, versionSkew } from '../rules/cluster-api/preflight-checks';
import { fieldAt } from '../values/fields';
import { SemanticVersion } from '../values/semantic-version';

/**
 * The effects on a pool whose new machines do not come: its rollout is paused, or the versions of the pool and its control plane are too far apart.
 * A pool that is paused is scaled nevertheless; a pool of which machines may be unavailable is without these until new ones come.
 *
 * Sources: kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/machinedeployment_controller.go (reconcile),
 * machinedeployment_rollout_rollingupdate.go (reconcileOldMachineSetsRollingUpdate),
 * core/reconcilers/machineset/machineset_controller.go (createMachines), v1.14.2.
 *
 * @param effect what becomes of the machines otherwise
 * @param pool the pool in the later state
 * @param size how many machines it has
 * @param comparison both states
 * @param isNew true if there is no MachineSet of it
 */
export function heldEffects(
  effect: PlannedEffect, pool: ManifestObject, size: MachineCount | undefined, comparison: Pick<Comparison, 'now' | 'differences'>, isNew = false,
): PlannedEffect[] {
  if (groupKind(pool) !== MACHINE_DEPLOYMENT || (effect.effect !== Effect.MACHINES && effect.effect !== Effect.SCALED)) return [effect];
  if (isRolloutPaused(pool) && (isNew || effect.effect === Effect.MACHINES)) return [{ ...effect, waitsFor: 'spec.paused of the pool is removed' }];
  const skew = versionSkew(pool, comparison.now);
  // Another version that is refused holds back the pools that have it.
  if (!skew || isRefused(skew.plane, comparison)) return [effect];
  const waiting = { ...effect, waitsFor: agreementWords(skew) };
  const unavailable = effect.effect === Effect.MACHINES && effect.atATime !== 0 && size ? rollingAmounts(pool, size.maximum).unavailable : 0;
  const most = Math.min(unavailable, effect.count?.maximum ?? 0);
  return most > 0 ? [waiting, { effect: Effect.DELETED, reasons: ['the rollout begins with them, and no others come'], count: { minimum: Math.min(most, effect.count!.minimum), maximum: most } }]
    : [waiting];
}

/** True if a MachineDeployment makes no other MachineSet until it is resumed. */
export function isRolloutPaused(pool: ManifestObject | undefined): boolean {
  return pool !== undefined && groupKind(pool) === MACHINE_DEPLOYMENT && fieldAt(pool, 'spec', 'paused') === true;
}

function isRefused(object: ManifestObject, { differences }: Pick<Comparison, 'differences'>): boolean {
  return differences.some(({ after, refusals, heldBy }) => after === object && (refusals ?? heldBy) !== undefined);
}

function agreementWords({ pool, controlPlane, isKubeadm }: VersionSkew): string {
  if (pool.major > controlPlane.major || pool.minor > controlPlane.minor) return `the control plane has Kubernetes ${minorOf(pool)}`;
  return `the pool has Kubernetes ${minorOf(isKubeadm ? controlPlane : { ...controlPlane, minor: controlPlane.minor - OLDEST_WORKER })}`;
}

function minorOf({ major, minor }: SemanticVersion): string {
  return `${major}.${minor}`;
}
