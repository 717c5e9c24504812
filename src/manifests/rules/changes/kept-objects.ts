import { namespaceOf, nameOf } from '../../objects/manifest-object';
import { ManifestIndex } from '../manifest-index';

/**
 * True if everything is still written but objects of a kind: what these applied was not meant to go with them.
 *
 * @param old everything that was written before
 * @param now everything that is written now
 * @param kind `group/Kind` of the objects that may be gone
 */
export function othersStay(old: ManifestIndex, now: ManifestIndex, kind: string): boolean {
  return old.kinds().filter((other) => other !== kind).every((other) => (
    old.all(other).every((object) => now.find(other, namespaceOf(object), nameOf(object)) !== undefined)));
}
