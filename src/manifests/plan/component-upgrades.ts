import { Difference } from './paired-objects';
import { PlannedEffect } from './plan-model';
import { Effect } from '../rules/changes/effects';
import { upgradeText } from '../rules/components';
import { ManifestIndex } from '../rules/manifest-index';
import { changedComponents } from '../validation/installed-components';

/** Effects and notes of the components of the management cluster that a part upgrades. */
export interface PlannedUpgrades {
  readonly effects: readonly PlannedEffect[];
  readonly notes: readonly string[];
}

const SHOWN_AS_EFFECT: readonly Effect[] = [Effect.MACHINES, Effect.PODS, Effect.UNKNOWN];

/**
 * Returns what upgrades of components do.
 *
 * @param differences the differences of the part
 * @param effects the effects of these differences
 */
export function plannedUpgrades(
  differences: readonly Difference[], effects: readonly PlannedEffect[], old: ManifestIndex, now: ManifestIndex,
): PlannedUpgrades {
  const found = new Map(differences.flatMap(({ before, after, shown }) => (
    after && !shown.inTenant ? changedComponents(before, after, old, now).map((change) => [change.component.title, change] as const) : [])));
  if (found.size === 0) return { effects, notes: [] };
  const upgrades = [...found.values()].map((change) => ({
    text: upgradeText(change.component.title, change),
    change: `${change.from} -> ${change.to}`,
    does: change.component.effects?.(change, now) ?? { effect: Effect.UNKNOWN, notes: [] },
  }));
  const named = effects.map((effect) => (effect.effect === Effect.RELEASE ? {
    ...effect,
    reasons: [
      ...upgrades.map(({ text }) => text),
      ...effect.reasons.filter((reason) => !upgrades.some(({ change }) => reason.endsWith(` ${change}`))),
    ],
  } : effect));
  const more = upgrades.filter(({ does }) => SHOWN_AS_EFFECT.includes(does.effect)).map(({ text, does: { effect, pods } }): PlannedEffect => ({
    effect, reasons: [text], ...(pods !== undefined && { count: { minimum: pods, maximum: pods } }),
  }));
  return { effects: [...more, ...named], notes: upgrades.flatMap(({ does }) => does.notes) };
}
