import { ChangeEffect, Effect, reason } from './effects';
import { FieldChange } from './field-changes';
import { ManifestObject } from '../../objects/manifest-object';
import { isSet, stringAt } from '../../values/fields';

/** Fields with a date from which on older machines are replaced, in both versions of the API. */
const AFTER: readonly string[] = ['spec.rollout.after', 'spec.rolloutAfter'];

/** Fields with the days before certificates of machines end. */
const BEFORE: readonly string[] = ['spec.rollout.before.certificatesExpiryDays', 'spec.rolloutBefore.certificatesExpiryDays'];

const DAY = 24 * 60 * 60 * 1000;

/** True if a field decides by the age of machines which of them are replaced. */
export function isRolloutDate({ path }: FieldChange): boolean {
  return [...AFTER, ...BEFORE].includes(path.join('.'));
}

/**
 * Effect of a changed date of a rollout. The age of machines is in the cluster alone.
 *
 * Sources: kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/mdutil/util.go (FindNewAndOldMachineSets),
 * util/collections/machine_filters.go (ShouldRolloutAfter, ShouldRolloutBefore), v1.14.0.
 *
 * @param change the changed field
 * @param most the largest number of machines
 */
export function rolloutDateEffect(change: FieldChange, most: number): ChangeEffect {
  const [isAfter, text] = AFTER.includes(change.path.join('.')) ? [true, reason(change, { word: 'rollout after' })]
    : [false, reason(change, { word: 'days before certificates end' })];
  if (!isSet(change.after)) return { effect: Effect.IN_PLACE, reasons: [text] };
  const machines = { minimum: 0, maximum: most };
  if (!isAfter) {
    // Of fewer days, those that are concerned have been replaced.
    if (Number(change.after) <= Number(change.before)) return { effect: Effect.IN_PLACE, reasons: [text] };
    const end = Date.now() + Number(change.after) * DAY;
    const aged = (machine: ManifestObject) => Date.parse(stringAt(machine, 'status', 'certificatesExpiryDate') ?? '') < end;
    return { effect: Effect.MACHINES, reasons: [`${text}: those whose certificates end within ${String(change.after)} days`], machines, aged };
  }
  if (Date.parse(String(change.after)) > Date.now()) {
    return { effect: Effect.IN_PLACE, reasons: [`${text}: on that date machines are replaced that were created before it`] };
  }
  const aged = (machine: ManifestObject) => Date.parse(stringAt(machine, 'metadata', 'creationTimestamp') ?? '') < Date.parse(String(change.after));
  return { effect: Effect.MACHINES, reasons: [`${text}: those that were created before it`], machines, aged };
}
