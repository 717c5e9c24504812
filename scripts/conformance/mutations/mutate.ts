import { FIELD_MUTATIONS } from './field-mutations';
import { IDENTITY_MUTATIONS } from './identity-mutations';
import { Mutant, Mutation } from './mutation';
import { placesIn } from './places';
import { SCHEMA_MUTATIONS } from './schema-mutations';
import { VALUE_MUTATIONS } from './value-mutations';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { Random } from '../random';
import { isPlain, rawJson } from '../raw-json';

const MUTATIONS: readonly Mutation[] = [...FIELD_MUTATIONS, ...VALUE_MUTATIONS, ...IDENTITY_MUTATIONS, ...SCHEMA_MUTATIONS];
const TWO_AT_ONCE = 0.08;

/**
 * Changes an object in one way, or now and then in two.
 *
 * @param object the object, of which nothing is changed
 * @param others other objects that are written together with it
 * @param random decides what is done
 * @returns something that differs from the object
 */
export function mutate(object: ManifestObject, others: readonly ManifestObject[], random: Random): Mutant {
  const first = once(object, others, random);
  if (!random.chance(TWO_AT_ONCE) || !isPlain(first.object)) return first;
  const second = once(first.object, others, random);
  return rawJson(second.object) === rawJson(object) ? first : { object: second.object, words: `${first.words}; ${second.words}` };
}

function once(object: ManifestObject, others: readonly ManifestObject[], random: Random): Mutant {
  const text = rawJson(object);
  const source = { object, places: placesIn(object), others: others.length > 0 ? others : [object], random };
  for (;;) {
    const mutant = random.pickWeighted(MUTATIONS).mutate(source);
    if (mutant && rawJson(mutant.object) !== text) return mutant;
  }
}
