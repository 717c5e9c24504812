import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, EffectsOf, groupEffects, ObjectUpdate } from '../rules/changes/effects';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { DeliveryFacts } from '../rules/provider';
import { providers } from '../validation/providers';
import { fieldAt, isFields, isFilled } from '../values/fields';

/** Adds the effect of deliveries that select Clusters by labels, and select a changed Cluster newly or no longer. */
export function withSelections(effects: EffectsOf): EffectsOf {
  return (update) => groupEffects([...selectionEffects(update), ...effects(update)]);
}

function selectionEffects({ before, after, old, now }: ObjectUpdate): ChangeEffect[] {
  const deliveries = providers().flatMap((provider) => provider.deliveries ?? []);
  return deliveries.flatMap((facts) => now.all(facts.kind).flatMap((delivery) => {
    const former = old.find(facts.kind, namespaceOf(delivery), nameOf(delivery));
    if (!former || namespaceOf(delivery) !== namespaceOf(after)) return [];
    const [was, is] = [isSelected(before, former, facts), isSelected(after, delivery, facts)];
    if (was === is) return [];
    const effect = is || facts.keepsRemoved?.(delivery) ? Effect.IN_PLACE : Effect.DELETED;
    return [{ effect, reasons: [`${String(delivery.kind)} ${nameOf(delivery)} selects it${is ? '' : ' no longer'}`] }];
  }));
}

function isSelected(cluster: ManifestObject, delivery: ManifestObject, { target }: DeliveryFacts): boolean {
  const chosen = target(delivery);
  if (chosen.by !== 'selector') return false;
  if (chosen.emptySelectsNone && (!isFilled(chosen.selector) || isEmptySelector(chosen.selector))) return false;
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return selects(chosen.selector, isFields(labels) ? labels : {});
}
