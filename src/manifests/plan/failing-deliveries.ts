import { AppliedStates } from '../landscape/applied-objects';
import { objectKey } from '../landscape/file-appliers';
import { ReadObject } from '../landscape/placed-objects';
import { ManifestObject } from '../objects/manifest-object';

/** A difference that may be of a delivery. */
interface DeliveryDifference {
  readonly after?: ManifestObject;
  readonly fails?: string;
}

/**
 * Differences with those of deliveries that fail, also where they are the same: their folders are not there any more.
 *
 * @param found the differences
 * @param states what is applied in both states
 * @param sameObject makes the difference of an object that is the same
 */
export function withFailing<T extends DeliveryDifference>(
  found: readonly T[], { before, after, failing }: Pick<AppliedStates, 'before' | 'after' | 'failing'>, sameObject: (was: ReadObject, read: ReadObject) => T,
): readonly T[] {
  if (failing.size === 0) return found;
  const differing = new Set(found.map((difference) => difference.after));
  const same = after.flatMap((read) => {
    if (!failing.has(read.object) || differing.has(read.object)) return [];
    const was = before.find(({ object }) => objectKey(object) === objectKey(read.object));
    return was ? [sameObject(was, read)] : [];
  });
  return [...found, ...same].map((difference) => {
    const fails = difference.after && failing.get(difference.after);
    return fails === undefined ? difference : { ...difference, fails };
  });
}
