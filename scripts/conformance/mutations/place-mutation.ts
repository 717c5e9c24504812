import { fieldWords, inWords, Mutation, MutationSource } from './mutation';
import { pickPlace, Place, replaced } from './places';

/**
 * A mutation that puts another value in one place.
 *
 * @param name what is done
 * @param weight how often it is chosen
 * @param isFor places that it can be done in
 * @param change the value to put there; undefined to leave the field out
 */
export function placeMutation(
  name: string, weight: number, isFor: (place: Place) => boolean, change: (place: Place, source: MutationSource) => unknown,
): Mutation {
  return {
    name,
    weight,
    mutate: (source) => {
      const places = source.places.filter(isFor);
      if (places.length === 0) return undefined;
      const place = pickPlace(places, source.random);
      const value = change(place, source);
      return {
        object: replaced(source.object, place.path, value),
        words: `${name}: ${fieldWords(place.path)} ${inWords(place.value)} becomes ${inWords(value)}`,
      };
    },
  };
}
