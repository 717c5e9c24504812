import { FileAppliers } from './file-appliers';
import { ManifestState } from './manifest-state';
import { ReadObject } from './placed-objects';
import { ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../systems/providers';
import { sameValue } from '../values/fields';

/** Most deliveries that fill in one another. */
const MOST_ROUNDS = 10;

/** A part of a path that a delivery of the delivery fills in. */
const VARIABLE = '${';

/**
 * The objects of a state, with the paths of deliveries as other deliveries fill them in: which folder is applied follows from that. A delivery stays as
 * it is where several give it different paths.
 */
export function filledDeliveries(state: Pick<ManifestState, 'objects' | 'root' | 'builtFor' | 'kustomizations' | 'within'>): readonly ReadObject[] {
  let objects = state.objects;
  for (let round = 0; round < MOST_ROUNDS && objects.some(isOpen); round++) {
    const found = { ...state, objects };
    const appliers = new FileAppliers(found);
    const index = new ManifestIndex(objects.filter(({ pack }) => !pack).map(({ object }) => object));
    let isChanged = false;
    objects = objects.map((read) => {
      const filled = isOpen(read) ? filledIn(read, appliers, index) : undefined;
      isChanged ||= filled !== undefined;
      return filled ? { ...read, object: filled } : read;
    });
    if (!isChanged) break;
  }
  return objects;
}

function isOpen({ object, pack }: ReadObject): boolean {
  return !pack && deliveryFacts(object)?.folders?.(object).some(({ path }) => path.includes(VARIABLE)) === true;
}

/** A delivery as others apply it; undefined if that is not known, or no other path. */
function filledIn({ object, place }: ReadObject, appliers: FileAppliers, index: ManifestIndex): ManifestObject | undefined {
  const [first, ...others] = appliers.of(place.file).map((delivery) => deliveryFacts(delivery)?.rewrites?.(delivery, index)?.(object) ?? object);
  const pathsOf = (one: ManifestObject) => deliveryFacts(one)?.folders?.(one).map(({ path }) => path);
  if (!first || sameValue(pathsOf(first), pathsOf(object)) || others.some((other) => !sameValue(pathsOf(other), pathsOf(first)))) return undefined;
  return first;
}
