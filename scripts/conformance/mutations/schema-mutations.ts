import { fieldWords, inWords, Mutation, MutationSource } from './mutation';
import { pickPlace, Place, replaced, rootNode } from './places';
import { breakingValue, fittingValue } from './schema-values';
import { SchemaNode } from '../../../src/manifests/schema/schema-node';
import { isFields } from '../../../src/manifests/values/fields';

/** Mutations of what schemas say of fields: they reach fields that no example sets. */
export const SCHEMA_MUTATIONS: readonly Mutation[] = [
  adding('field added', 7, fittingValue, () => true),
  adding('field added with an odd value', 4, breakingValue, () => true),
  // A map that has one of a few fields, none of which is demanded, is often one that may have only one.
  adding('second of exclusive fields', 2, fittingValue, isChoice),
  setting('value within the limits', 4, fittingValue),
  setting('value beyond the limits', 3, breakingValue),
];

type ValueOf = (node: SchemaNode, random: MutationSource['random']) => unknown;

function adding(name: string, weight: number, valueOf: ValueOf, isFor: (place: Place) => boolean): Mutation {
  return {
    name,
    weight,
    mutate: ({ object, places, random }) => {
      const root = { path: [], value: object, node: rootNode(object) };
      const maps = [...random.chance(0.1) ? [root] : [], ...places].filter((place) => isFor(place) && absentFields(place).length > 0);
      if (maps.length === 0) return undefined;
      const map = pickPlace(maps, random);
      const [field, node] = random.pick(absentFields(map));
      const value = valueOf(node, random);
      return { object: replaced(object, [...map.path, field], value), words: `${name}: ${fieldWords([...map.path, field])} ${inWords(value)}` };
    },
  };
}

function setting(name: string, weight: number, valueOf: ValueOf): Mutation {
  return {
    name,
    weight,
    mutate: ({ object, places, random }) => {
      const known = places.filter(({ node }) => node?.type !== undefined);
      if (known.length === 0) return undefined;
      const { path, value: old, node } = pickPlace(known, random);
      const value = valueOf(node!, random);
      return { object: replaced(object, path, value), words: `${name}: ${fieldWords(path)} ${inWords(old)} becomes ${inWords(value)}` };
    },
  };
}

function isChoice({ value, node }: Place): boolean {
  const { fields = new Map(), required = [] } = node ?? {};
  return isFields(value) && Object.keys(value).length === 1 && fields.size > 1 && fields.size <= 8 && required.length <= 1;
}

/** Fields that a map may have, and has not. */
function absentFields({ path, value, node }: Place): [string, SchemaNode][] {
  if (!isFields(value)) return [];
  return [...node?.fields ?? []].filter(([name]) => !Object.hasOwn(value, name) && !(path.length === 0 && name === 'status'));
}
