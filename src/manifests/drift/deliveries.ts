import { LiveObjects, markingOf } from '../landscape/live-objects';
import { ManifestObject } from '../objects/manifest-object';
import { DeliveryFacts } from '../rules/delivery-facts';
import { ManifestIndex } from '../rules/manifest-index';

const NO_OBJECTS = new ManifestIndex([]);

/** The delivery of a living object. */
export interface LivingDelivery {
  /** Such as `Kustomization acme`. */
  readonly words: string;

  /** The same for all objects of one delivery. */
  readonly key: string;
  readonly facts: DeliveryFacts;

  /** The object that delivers; undefined where it is neither in the cluster's dump nor among the manifests. */
  readonly object?: ManifestObject;
  readonly isSuspended: boolean;
}

/**
 * Finds what delivers a living object, by the marks that it left.
 *
 * @param living the object
 * @param live the objects of the cluster
 * @param manifests the manifests
 */
export function deliveryOf(living: ManifestObject, live: LiveObjects, manifests: ManifestIndex): LivingDelivery | undefined {
  const mark = markingOf(living);
  if (!mark) return undefined;
  const { facts, namespace, name } = mark;
  const stub = { apiVersion: `${facts.kind.slice(0, facts.kind.indexOf('/'))}/v1`, kind: facts.kind.slice(facts.kind.indexOf('/') + 1), metadata: { namespace, name } };
  const object = live.find(stub) ?? manifests.find(facts.kind, namespace, name);
  return {
    words: `${stub.kind} ${name}`,
    key: JSON.stringify([facts.kind, namespace, name]),
    facts,
    object,
    isSuspended: object !== undefined && facts.read?.(object, NO_OBJECTS).suspended === true,
  };
}
