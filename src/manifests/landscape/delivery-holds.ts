import { ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../systems/providers';

/** The reason that a delivery applies no change by itself, in parts of sentences. */
export interface DeliveryHold {
  /** Its state, as a predicate. */
  readonly is: string;

  /** The state at the beginning of a note. */
  readonly label: string;

  /** The event that ends it. */
  readonly until: string;

  /** A note of the change that ends it. */
  readonly ended: string;

  /** True if a delivery may apply the commit that begins the state: it sees it as soon as what applies the delivery. */
  readonly beginsLate: boolean;
}

const SUSPENDED: DeliveryHold = {
  is: 'is suspended',
  label: 'suspended',
  until: 'it is resumed',
  ended: 'resumed: changes made while it was suspended are applied now',
  beginsLate: true,
};

const MANUAL: DeliveryHold = {
  is: 'does not sync by itself',
  label: 'no automated sync',
  until: 'a user syncs it',
  ended: 'it syncs by itself from now on: changes made before are applied now',
  beginsLate: false,
};

const NO_OBJECTS = new ManifestIndex([]);

/** The reason that a delivery applies no change by itself; undefined if it does. */
export function deliveryHold(delivery: ManifestObject, index = NO_OBJECTS): DeliveryHold | undefined {
  const { suspended = false, isManual = false } = deliveryFacts(delivery)?.read?.(delivery, index) ?? {};
  if (suspended) return SUSPENDED;
  return isManual ? MANUAL : undefined;
}

/**
 * True if a delivery is suspended from now on, and may apply the commit that says so before that is applied itself.
 *
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_indexers.go (requestsForRevisionChangeOf, which enqueues all Kustomizations of
 * a source at the same time), v1.9.4.
 *
 * @param before the delivery as it was; undefined if it is new
 */
export function isSuspendedLate(before: ManifestObject | undefined, after: ManifestObject | undefined): boolean {
  return before !== undefined && after !== undefined && !deliveryHold(before) && deliveryHold(after)?.beginsLate === true;
}
