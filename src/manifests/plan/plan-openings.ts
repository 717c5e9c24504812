import { Difference } from './paired-objects';
import { PlannedOpening, PlannedPart } from './plan-model';
import { deliveryHold } from '../landscape/delivery-holds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { inTurn, Openings } from '../rules/delivery-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../systems/providers';
import { sameValue } from '../values/fields';
import { zonedText } from '../values/time-zones';

/** The times at which deliveries apply a change that is merged at one time. */
export class OpeningSearch {
  private readonly known = new Map<ManifestObject, Openings | undefined>();

  /**
   * @param at time at which the change is merged, in milliseconds since 1970
   * @param old the objects of the management cluster before
   * @param now those after the change
   */
  public constructor(private readonly at: number, private readonly old: ManifestIndex, private readonly now: ManifestIndex) {}

  /** When all differences of a part are applied; undefined if one of them is applied at once, or they are applied at different times. */
  public ofPart(differences: readonly Difference[]): PlannedOpening | undefined {
    // Objects that the topology controller makes follow the Cluster.
    const [first, ...others] = differences.filter(({ made }) => !made).map((difference) => this.ofDifference(difference));
    return first && others.every((other) => sameValue(first, other)) ? first : undefined;
  }

  private ofDifference({ appliers, before, after }: Difference): PlannedOpening | undefined {
    const [first, ...others] = appliers.map((delivery) => this.ofDelivery(delivery));
    const applied = first && others.every((other) => other) ? first : undefined;
    // A new object is not suspended yet.
    const own = before && after && !deliveryHold(after, this.now) ? deliveryFacts(after)?.ownOpenings?.(after, this.now, this.old) : undefined;
    const openings = applied && own ? inTurn(applied, own) : applied ?? own;
    return openings && this.planned(openings);
  }

  private planned(openings: Openings): PlannedOpening | undefined {
    const next = openings.next(this.at);
    const until = next === this.at ? openings.end(next) : undefined;
    // A window that is open and never closes holds nothing back.
    if (next === this.at && until === undefined) return undefined;
    return {
      timeZone: openings.timeZone,
      ...(next !== undefined && next !== this.at && { next: new Date(next).toISOString() }),
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    };
  }

  /** A delivery that is removed does nothing any more, in no window; one that is suspended, or that a user syncs, waits for no window either. */
  private ofDelivery(delivery: ManifestObject): Openings | undefined {
    if (!this.known.has(delivery)) {
      const later = this.now.find(groupKind(delivery), namespaceOf(delivery), nameOf(delivery));
      this.known.set(delivery, later && !deliveryHold(later, this.now) ? deliveryFacts(later)?.openings?.(later, this.now, this.old) : undefined);
    }
    return this.known.get(delivery);
  }
}

/** When a change is applied, in words. */
function openingWords({ next, until, timeZone }: PlannedOpening): string {
  if (next !== undefined) return `applied at the next opening of its window: ${zonedText(Date.parse(next), timeZone)}`;
  return until === undefined ? 'applied in no window that is known' : `applied at once: its window is open until ${zonedText(Date.parse(until), timeZone)}`;
}

/** The parts of a cluster with notes of when they are applied, and the note of all of them if that is the same. */
export function withOpenings(parts: readonly PlannedPart[]): { readonly parts: readonly PlannedPart[]; readonly notes: readonly string[] } {
  const [first, ...others] = parts.filter(({ objects }) => objects.some(({ made }) => !made)).map(({ opening }) => opening);
  if (first && others.every((other) => sameValue(first, other))) return { parts, notes: [openingWords(first)] };
  return { parts: withOwnOpenings(parts), notes: [] };
}

/** Parts, each with a note of when it is applied. */
export function withOwnOpenings(parts: readonly PlannedPart[]): readonly PlannedPart[] {
  return parts.map((part) => (part.opening ? { ...part, notes: [...part.notes, openingWords(part.opening)] } : part));
}
