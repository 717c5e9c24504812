import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { Effect } from '../../rules/changes/effects';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { ChangeCheck } from '../../validation/change-check';
import { transitionRules } from '../../validation/transition-rules';
import { Comparison, Difference } from '../paired-objects';
import { ChangeKind, PlannedConsequences, PlannedEffect, Undo } from '../plan-model';

/** Effects that a revert has as well, in the other direction, in words. */
const REPEATED: readonly (readonly [effect: Effect, words: string])[] = [
  [Effect.MOVED, 'moves the data back in the same way'],
  [Effect.MACHINES, 'replaces the machines again'],
  [Effect.DELETED, 'creates other machines'],
];

/** The rules of changes that refuse or harm, by the comparison that they are found for. */
const CHECKS = new WeakMap<Comparison, ChangeCheck>();

/**
 * Outcome of a revert of a part; undefined if it need not be said. A server refuses a revert by the same rules as any change.
 *
 * @param differences the differences of the part
 * @param effects its effects
 * @param lost what is lost
 */
export function revertOf(
  differences: readonly Difference[], effects: readonly PlannedEffect[], lost: PlannedConsequences['lost'], comparison: Comparison,
): PlannedConsequences['undo'] {
  if (differences.every(({ shown }) => shown.change === ChangeKind.CREATED)) return undefined;
  for (const { before, after, made, shown } of differences) {
    if (made) {
      // Its Cluster is reverted, which is told of that.
      const former = comparison.old.find(CLUSTER, namespaceOf(made.cluster), nameOf(made.cluster));
      if (former && revertRefusal(former, made.cluster, comparison)) return undefined;
    } else if (before && after && !shown.inTenant && shown.change !== ChangeKind.MOVED) {
      const found = revertRefusal(before, after, comparison);
      if (found) return found;
    }
  }
  if (lost.length > 0) return { revert: Undo.WITHOUT_DATA };
  const repeated = REPEATED.find(([kind]) => effects.some(({ effect, count }) => (
    effect === kind && (kind !== Effect.DELETED || (count?.maximum ?? 0) > 0))));
  return repeated && { revert: Undo.POSSIBLE, why: repeated[1] };
}

/** Refusal of a revert by a server, or harm of a lower version that it accepts. */
function revertRefusal(before: ManifestObject, after: ManifestObject, comparison: Comparison): PlannedConsequences['undo'] {
  const { old, now } = comparison;
  let check = CHECKS.get(comparison);
  if (!check) CHECKS.set(comparison, check = new ChangeCheck(transitionRules().filter(({ warning }) => !warning)));
  const found = check.check({ before: after, after: before, old: now, now: old })
    .find(({ rule, path }) => !rule.elsewhere && (!rule.trap || path.at(-1) === 'version'));
  return found && { revert: found.rule.trap ? Undo.HARMFUL : Undo.REFUSED, why: clause(found.rule.title) };
}

/** A sentence as part of another one. */
function clause(sentence: string): string {
  return sentence.replace(/^(?:A|The) /, (word) => word.toLowerCase()).replace(/\.$/, '');
}
