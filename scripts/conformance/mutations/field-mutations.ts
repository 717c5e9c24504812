import { fieldWords, Mutation } from './mutation';
import { placeMutation } from './place-mutation';
import { pickPlace, Place, replaced, valueAt } from './places';
import { isFields } from '../../../src/manifests/values/fields';
import { Random } from '../random';
import { withKeyTwice } from '../raw-json';

/** Fields and entries: removed, misspelt, written twice, moved. */
export const FIELD_MUTATIONS: readonly Mutation[] = [
  placeMutation('field removed', 4, () => true, () => undefined),
  {
    name: 'field renamed',
    weight: 3,
    mutate: ({ object, places, random }) => {
      const fields = places.filter(isField);
      if (fields.length === 0) return undefined;
      const { path, value } = pickPlace(fields, random);
      const name = misspelt(String(path[path.length - 1]), random);
      return { object: replaced(replaced(object, path, undefined), [...path.slice(0, -1), name], value), words: `field renamed: ${fieldWords(path)} becomes ${name}` };
    },
  },
  {
    name: 'key written twice',
    weight: 1,
    mutate: ({ object, places, random }) => {
      const fields = places.filter(isField);
      if (fields.length === 0) return undefined;
      const { path, value } = pickPlace(fields, random);
      const [holder, key] = [path.slice(0, -1), String(path[path.length - 1])];
      const map = withKeyTwice(valueAt(object, holder) as Record<string, unknown>, key, random.chance(0.5) ? value : null);
      return { object: replaced(object, holder, map), words: `key written twice: ${fieldWords(path)}` };
    },
  },
  {
    name: 'entry written twice',
    weight: 2,
    mutate: ({ object, places, random }) => {
      const lists = places.filter(({ value }) => Array.isArray(value) && value.length > 0);
      if (lists.length === 0) return undefined;
      const { path, value } = pickPlace(lists, random);
      const list = value as unknown[];
      const entry = random.pick(list);
      const copy = isFields(entry) && random.chance(0.4) ? Object.fromEntries(Object.entries(entry).slice(0, 1 + random.below(2))) : entry;
      return { object: replaced(object, path, [...list, copy]), words: `entry written twice: ${fieldWords(path)}` };
    },
  },
  {
    name: 'value of another field',
    weight: 2,
    mutate: ({ object, places, random }) => {
      const target = pickPlace(places, random);
      const sources = places.filter(({ path, value }) => typeOf(value) === typeOf(target.value) && !path.join('/').startsWith(target.path.join('/')));
      if (sources.length === 0) return undefined;
      const source = random.pick(sources);
      return { object: replaced(object, target.path, source.value), words: `value of another field: ${fieldWords(target.path)} gets that of ${fieldWords(source.path)}` };
    },
  },
  {
    name: 'field moved out',
    weight: 1,
    mutate: ({ object, places, random }) => {
      const deep = places.filter((place) => isField(place) && place.path.length > 2 && typeof place.path[place.path.length - 2] === 'string');
      if (deep.length === 0) return undefined;
      const { path, value } = pickPlace(deep, random);
      const target = [...path.slice(0, -2), path[path.length - 1]];
      return { object: replaced(replaced(object, path, undefined), target, value), words: `field moved out: ${fieldWords(path)} becomes ${fieldWords(target)}` };
    },
  },
];

/** True for a field of a map, false for an entry of a list. */
function isField({ path }: Place): boolean {
  return typeof path[path.length - 1] === 'string';
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

function misspelt(name: string, random: Random): string {
  const at = random.below(Math.max(1, name.length - 1));
  const options = [
    name.slice(0, at) + name.slice(at + 1),
    `${name.slice(0, at)}${name.charAt(at + 1)}${name.charAt(at)}${name.slice(at + 2)}`,
    `${name.slice(0, at)}${name.charAt(at)}${name.slice(at)}`,
    `${name}s`,
    name.charAt(0).toUpperCase() + name.slice(1),
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  ].filter((option) => option !== name && option !== '');
  return options.length === 0 ? `${name}x` : random.pick(options);
}
