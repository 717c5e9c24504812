import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, EffectsOf, groupEffects, ObjectUpdate } from '../rules/changes/effects';
import { DeliveryFacts } from '../rules/delivery-facts';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { providers } from '../systems/providers';
import { fieldAt, isFields, isFilled, sameValue } from '../values/fields';

/** Adds the effect of deliveries that select Clusters by labels: they select a changed Cluster newly or no longer, or take values from it. */
export function withSelections(effects: EffectsOf): EffectsOf {
  return (update) => groupEffects([...selectionEffects(update), ...effects(update)]);
}

function selectionEffects({ before, after, old, now }: ObjectUpdate): ChangeEffect[] {
  const deliveries = providers().flatMap((provider) => provider.deliveries ?? []);
  return deliveries.flatMap((facts) => now.all(facts.kind).flatMap((delivery) => {
    const target = facts.target(delivery);
    if (namespaceOf(delivery) !== namespaceOf(after) && !(target.by === 'selector' && target.everywhere)) return [];
    const former = old.find(facts.kind, namespaceOf(delivery), nameOf(delivery));
    if (!former) return [];
    const [was, is] = [isSelected(before, former, facts), isSelected(after, delivery, facts)];
    if (was === is) return is ? valueEffects([former, delivery], facts, { before, after, old, now }) : [];
    const effect = is || facts.keepsRemoved?.(delivery) ? Effect.IN_PLACE : Effect.DELETED;
    return [{ effect, reasons: [`${String(delivery.kind)} ${nameOf(delivery)} selects it${is ? '' : ' no longer'}`] }];
  }));
}

/** The effect of a delivery with the same values before and after that a changed Cluster gives others. What changes in the delivery is its own effect. */
function valueEffects(
  [former, delivery]: readonly [former: ManifestObject, delivery: ManifestObject], { layers, appliesOnce }: DeliveryFacts,
  { before, after, old, now }: Pick<ObjectUpdate, 'before' | 'after' | 'old' | 'now'>,
): ChangeEffect[] {
  if (!layers || appliesOnce?.(delivery) || !sameValue(former.spec, delivery.spec)) return [];
  const [was, is] = [layers(former, old, before), layers(delivery, now, after)];
  return sameValue(was, is) ? [] : [{ effect: Effect.RELEASE, reasons: [`values of ${String(delivery.kind)} ${nameOf(delivery)} are taken from it`] }];
}

/** True if a delivery that selects Clusters by labels selects a Cluster. */
export function isSelected(cluster: ManifestObject, delivery: ManifestObject, { target }: DeliveryFacts): boolean {
  const chosen = target(delivery);
  if (chosen.by !== 'selector') return false;
  if (chosen.named?.includes(`${namespaceOf(cluster) ?? ''}/${nameOf(cluster) ?? ''}`)) return true;
  if (chosen.emptySelectsNone && (!isFilled(chosen.selector) || isEmptySelector(chosen.selector))) return false;
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return selects(chosen.selector, isFields(labels) ? labels : {});
}
