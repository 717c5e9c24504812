import { NotComputed, TemplateFault } from './faults';
import { goFunction, GoFunctions, listOf } from './functions';
import { checkSize, deepEqual, goText, GoValue, GoVersion, isEmpty, isNil, joined, sortedKeys } from './values';
import { Fields, isFields } from '../values/fields';

/** Items of lists that are made. */
const MOST_ITEMS = 10_000;

/** Items that are compared each with each. */
const MOST_COMPARED = 100;

/**
 * Sprig's functions over numbers, lists and maps.
 *
 * Source: Masterminds/sprig v3.3.0 functions.go, numeric.go, list.go, dict.go, defaults.go; spf13/cast.
 */
export const DATA_FUNCTIONS: GoFunctions = {
  atoi: goFunction('string', (text: string) => (/^[+-]?\d+$/.test(text) ? BigInt(text) : 0n)),
  int: goFunction('any', integer),
  int64: goFunction('any', integer),
  float64: goFunction('any', float),
  toDecimal: goFunction('any', (value: GoValue) => (/^[+-]?[0-7]+$/.test(goText(value)) ? BigInt(Number.parseInt(goText(value), 8)) : 0n)),
  add1: goFunction('any', (value: GoValue) => integer(value) + 1n),
  add: goFunction('...any', (...values: GoValue[]) => values.map(integer).reduce((sum, value) => sum + value, 0n)),
  sub: goFunction('any any', (one: GoValue, other: GoValue) => integer(one) - integer(other)),
  mul: goFunction('any ...any', (...values: GoValue[]) => values.map(integer).reduce((product, value) => BigInt.asIntN(64, product * value), 1n)),
  div: goFunction('any any', (one: GoValue, other: GoValue) => integer(one) / divisor(other)),
  mod: goFunction('any any', (one: GoValue, other: GoValue) => integer(one) % divisor(other)),
  max: goFunction('any ...any', (...values: GoValue[]) => values.map(integer).reduce((most, value) => (value > most ? value : most))),
  biggest: goFunction('any ...any', (...values: GoValue[]) => values.map(integer).reduce((most, value) => (value > most ? value : most))),
  min: goFunction('any ...any', (...values: GoValue[]) => values.map(integer).reduce((least, value) => (value < least ? value : least))),
  maxf: goFunction('any ...any', (...values: GoValue[]) => Math.max(...values.map(float))),
  minf: goFunction('any ...any', (...values: GoValue[]) => Math.min(...values.map(float))),
  floor: goFunction('any', (value: GoValue) => Math.floor(float(value))),
  ceil: goFunction('any', (value: GoValue) => Math.ceil(float(value))),
  round: goFunction('any int', (value: GoValue, places: bigint) => {
    const digit = 10 ** Number(places) * float(value);
    return (digit - Math.trunc(digit) >= 0.5 ? Math.ceil(digit) : Math.floor(digit)) / 10 ** Number(places);
  }),
  until: goFunction('int', (count: bigint) => steps(0n, count, count < 0n ? -1n : 1n)),
  untilStep: goFunction('int int int', steps),
  seq: goFunction('...int', sequence),

  default: goFunction('any ...any', (fallback: GoValue, ...given: GoValue[]) => (isEmpty(given[0]) ? fallback : given[0])),
  empty: goFunction('any', isEmpty),
  coalesce: goFunction('...any', (...values: GoValue[]) => values.find((value) => !isEmpty(value))),
  all: goFunction('...any', (...values: GoValue[]) => !values.some(isEmpty)),
  any: goFunction('...any', (...values: GoValue[]) => !values.every(isEmpty)),
  ternary: goFunction('any any bool', (yes: GoValue, no: GoValue, is: boolean) => (is ? yes : no)),

  join: goFunction('string any', (separator: string, value: GoValue) => joined(strings(value), separator)),
  toStrings: goFunction('any', strings),
  sortAlpha: goFunction('any', (value: GoValue) => [...strings(value)].sort((one, other) => (one < other ? -1 : 1))),
  list: goFunction('...any', (...values: GoValue[]) => values),
  tuple: goFunction('...any', (...values: GoValue[]) => values),
  ...lists('append', 'any any', (list: GoValue, value: GoValue) => [...listOf(list, 'push on type'), value]),
  ...lists('push', 'any any', (list: GoValue, value: GoValue) => [...listOf(list, 'push on type'), value]),
  ...lists('prepend', 'any any', (list: GoValue, value: GoValue) => [value, ...listOf(list, 'prepend on type')]),
  ...lists('first', 'any', (list: GoValue) => listOf(list, 'find first on type')[0]),
  ...lists('last', 'any', (list: GoValue) => listOf(list, 'find last on type').at(-1)),
  ...lists('rest', 'any', (list: GoValue) => listOf(list, 'find rest on type').slice(1)),
  ...lists('initial', 'any', (list: GoValue) => listOf(list, 'find initial on type').slice(0, -1)),
  ...lists('reverse', 'any', (list: GoValue) => [...listOf(list, 'find reverse on type')].reverse()),
  ...lists('compact', 'any', (list: GoValue) => listOf(list, 'compact on type').filter((item) => !isEmpty(item))),
  ...lists('uniq', 'any', (list: GoValue) => distinct(listOf(list, 'find uniq on type'))),
  ...lists('without', 'any ...any', (list: GoValue, ...omitted: GoValue[]) => (
    listOf(list, 'find without on type').filter((item) => !omitted.some((other) => deepEqual(other, item))))),
  ...lists('has', 'any any', (needle: GoValue, list: GoValue) => (
    !isNil(list) && listOf(list, 'find has on type').some((item) => deepEqual(item, needle)))),
  ...lists('slice', 'any ...any', (value: GoValue, ...indices: GoValue[]) => {
    const list = listOf(value, 'slice type');
    const [start = 0, end = list.length] = indices.slice(0, 2).map((index) => Number(integer(index)));
    if (list.length === 0) return undefined;
    if (start < 0 || end > list.length || start > end) throw new TemplateFault('slice bounds out of range');
    return list.slice(start, end);
  }),
  ...lists('chunk', 'int any', (size: bigint, value: GoValue) => {
    const [list, count] = [listOf(value, 'chunk type'), Number(size)];
    if (count < 1) throw new TemplateFault('chunks of no size');
    return Array.from({ length: Math.ceil(list.length / count) }, (_, index) => list.slice(index * count, (index + 1) * count));
  }),
  concat: goFunction('...any', (...values: GoValue[]) => few(values.flatMap((value) => listOf(value, 'concat type')))),

  dict: goFunction('...any', (...values: GoValue[]) => {
    const map = emptyMap();
    for (let index = 0; index < values.length; index += 2) map[goText(values[index])] = index + 1 < values.length ? values[index + 1] : '';
    return map;
  }),
  get: goFunction('map string', (map: Fields, key: string) => (Object.hasOwn(map, key) ? map[key] : '')),
  set: goFunction('map string any', (map: Record<string, unknown>, key: string, value: GoValue) => {
    checkSize(value);
    if (holds(value, map)) throw new NotComputed('its map contains itself');
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    return map;
  }),
  unset: goFunction('map string', (map: Record<string, unknown>, key: string) => {
    delete map[key];
    return map;
  }),
  hasKey: goFunction('map string', (map: Fields, key: string) => Object.hasOwn(map, key)),
  pluck: goFunction('string ...map', (key: string, ...maps: Fields[]) => maps.filter((map) => Object.hasOwn(map, key)).map((map) => map[key])),
  keys: goFunction('...map', (...maps: Fields[]) => maps.flatMap(sortedKeys)),
  values: goFunction('map', (map: Fields) => sortedKeys(map).map((key) => map[key])),
  pick: goFunction('map ...string', (map: Fields, ...keys: string[]) => entries(map, (key) => keys.includes(key))),
  omit: goFunction('map ...string', (map: Fields, ...keys: string[]) => entries(map, (key) => !keys.includes(key))),
  ...lists('deepCopy', 'any', (value: GoValue) => structuredClone(value)),
  ...lists('merge', 'map ...map', (map: Record<string, unknown>, ...others: Fields[]) => merged(map, others, false)),
  ...lists('mergeOverwrite', 'map ...map', (map: Record<string, unknown>, ...others: Fields[]) => merged(map, others, true)),
  dig: goFunction('any any any ...any', (...values: GoValue[]) => {
    const [keys, fallback, map] = [values.slice(0, -2), values.at(-2), values.at(-1)];
    let found = map;
    for (const key of keys) {
      if (!isFields(found) || found instanceof GoVersion || typeof key !== 'string') throw new TemplateFault('dig goes through maps by texts');
      if (!Object.hasOwn(found, key)) return fallback;
      found = found[key];
    }
    return found;
  }),
};

function lists(name: string, types: string, call: (...values: never[]) => GoValue): GoFunctions {
  const made = goFunction(types, call);
  return { [name]: made, [`must${name[0].toUpperCase()}${name.slice(1)}`]: made };
}

function emptyMap(): Record<string, GoValue> {
  return Object.create(null) as Record<string, GoValue>;
}

function entries(map: Fields, isKept: (key: string) => boolean): GoValue {
  return Object.fromEntries(Object.entries(map).filter(([key]) => isKept(key)));
}

function few(list: readonly GoValue[]): readonly GoValue[] {
  if (list.length > MOST_ITEMS) throw new NotComputed('its lists are too long');
  return list;
}

function holds(value: GoValue, map: unknown): boolean {
  return value === map || (typeof value === 'object' && value !== null && Object.values(value).some((inner) => holds(inner, map)));
}

function integer(value: GoValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : 0n;
  if (typeof value !== 'string') return 0n;
  const [, sign, digits] = /^([+-]?)(\w+?)(?:\.0*)?$/.exec(value) ?? [];
  const octal = digits?.replace(/^0(?=\d)/, '0o');
  if (octal === undefined || !/^(?:\d+|0[xX][\dA-Fa-f]+|0[oO][0-7]+|0[bB][01]+)$/.test(octal)) return 0n;
  return BigInt(octal) * (sign === '-' ? -1n : 1n);
}

function float(value: GoValue): number {
  if (typeof value === 'string') return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : 0;
  return typeof value === 'number' ? value : Number(integer(value));
}

function divisor(value: GoValue): bigint {
  const number = integer(value);
  if (number === 0n) throw new TemplateFault('integer divide by zero');
  return number;
}

function steps(start: bigint, stop: bigint, step: bigint): bigint[] {
  if (stop < start ? step >= 0n : step <= 0n) return [];
  const distance = stop < start ? start - stop : stop - start;
  const size = step < 0n ? -step : step;
  const count = (distance + size - 1n) / size;
  if (count > BigInt(MOST_ITEMS)) throw new NotComputed('its lists are too long');
  return Array.from({ length: Number(count) }, (_, index) => start + BigInt(index) * step);
}

function sequence(...numbers: bigint[]): string {
  if (numbers.length === 0 || numbers.length > 3) return '';
  const [start, end] = numbers.length === 1 ? [1n, numbers[0]] : [numbers[0], numbers.at(-1)!];
  const direction = end < start ? -1n : 1n;
  const step = numbers.length === 3 ? numbers[1] : direction;
  return end < start && step > 0n ? '' : steps(start, end + direction, step).join(' ');
}

function strings(value: GoValue): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => !isNil(item)).map(goText);
  return isNil(value) ? [] : [goText(value)];
}

/** Items that differ: texts and numbers by themselves, and a few others each with each. */
function distinct(list: readonly GoValue[]): readonly GoValue[] {
  const plain = new Set<GoValue>();
  const others: GoValue[] = [];
  for (const item of list) {
    if (typeof item !== 'object' || item === null) plain.add(item ?? undefined);
    else if (!others.some((other) => deepEqual(other, item))) others.push(item);
    if (others.length > MOST_COMPARED) throw new NotComputed('its lists are too long');
  }
  const kept = new Set(others);
  return list.filter((item) => (typeof item === 'object' && item !== null ? kept.delete(item) : plain.delete(item ?? undefined)));
}

/** mergo sets what is empty; with overwriting, what is not empty in the other map. */
function merged(map: Record<string, unknown>, others: readonly Fields[], overwrites: boolean): GoValue {
  checkSize(map, ...others);
  for (const other of others) {
    for (const [key, value] of Object.entries(other)) {
      const known = Object.hasOwn(map, key) ? map[key] : undefined;
      if (isFields(known) && isFields(value)) merged(known as Record<string, unknown>, [value], overwrites);
      else if (isEmpty(known) || (overwrites && !isEmpty(value))) map[key] = structuredClone(value);
    }
  }
  return map;
}
