import { AppliedState } from './applied-state';
import { objectKey } from './file-appliers';
import { ReadObject } from './placed-objects';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { KeptChanges } from '../rules/delivery-facts';
import { deliveryFacts } from '../systems/providers';
import { sameValue } from '../values/fields';

/** A manifest of which a delivery does not apply all changes. */
export interface KeptManifest {
  /** As it is written. */
  readonly read: ReadObject;

  /** As it is in the cluster then. */
  readonly applied: ManifestObject;

  /** Reason, as a sentence. */
  readonly because: string;
}

/**
 * Manifests of which their delivery does not apply all changes, because of marks or options.
 *
 * @param old the earlier state
 * @param now the later state
 */
export function keptManifests(old: AppliedState, now: AppliedState): readonly KeptManifest[] {
  const before = new Set(old.own.map(({ object }) => object));
  const candidates = now.own.flatMap((read) => {
    const delivery = before.has(read.object) ? undefined : onlyDelivery(read);
    const former = delivery && old.find(read, now);
    if (!delivery || !former || onlyDelivery(former) === undefined) return [];
    const kept = deliveryFacts(delivery)?.keepsOut?.(delivery, read.object, former.object);
    return kept && !sameValue(read.object, former.object) ? [{ read, delivery, kept }] : [];
  });
  if (candidates.length === 0) return [];
  const alone = new Map(candidates.filter(({ kept }) => kept.unlessOthersDiffer).map(({ read, delivery }) => [read.object, objectKey(delivery)]));
  const differing = alone.size === 0 ? new Set<string>() : deliveriesThatDiffer(old, now, new Set(alone.keys()));
  return candidates.filter(({ kept, delivery }) => !(kept.unlessOthersDiffer && differing.has(objectKey(delivery))))
    .map(({ read, delivery, kept }) => ({ read, applied: kept.applied, because: wordsOf(delivery, kept) }));
}

function wordsOf(delivery: ManifestObject, { because }: KeptChanges): string {
  return `${String(delivery.kind)} ${nameOf(delivery)} ${because}`;
}

/** The delivery that applies an object, if it can keep changes out. */
function onlyDelivery({ pack, appliers = [] }: ReadObject): ManifestObject | undefined {
  return !pack && appliers.length === 1 && deliveryFacts(appliers[0])?.keepsOut ? appliers[0] : undefined;
}

/** Deliveries of which another object differs, is new or is gone. */
function deliveriesThatDiffer(old: AppliedState, now: AppliedState, ignored: ReadonlySet<ManifestObject>): ReadonlySet<string> {
  const keysOf = (reads: readonly ReadObject[]) => reads.flatMap(({ appliers = [] }) => appliers.map(objectKey));
  return new Set(keysOf([
    ...now.own.filter((read) => !ignored.has(read.object) && !sameValue(old.find(read, now)?.object, read.object)),
    ...old.own.filter((read) => !now.find(read, old)),
  ]));
}
