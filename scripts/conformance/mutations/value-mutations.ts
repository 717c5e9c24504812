import { Mutation } from './mutation';
import { placeMutation } from './place-mutation';
import { Place } from './places';
import { isFields } from '../../../src/manifests/values/fields';
import { Random } from '../random';
import { raw } from '../raw-json';

const HOSTILE = [
  ' ', '\t', '\n', 'a b', ' x', 'x ', 'ä', '漢字', '\u0001', '\u200b', '\u202e', '😀', '"', '\\', '$(id)', '${x}', '{{ x }}', '{{', '../..', '/', '-', '--', '.', '_',
  'a/b/c', '%00', '<script>', 'null', 'true', '1', '0x1f', '~', '*', 'UPPER', 'a..b', 'a_b', '-a', 'a-', '.a', 'a.', 'x:y', 'x@y', 'http://', '[::1]', '=', ',', '\u00a0',
];
const LENGTHS = [17, 33, 64, 65, 128, 254, 257, 300, 513, 1025, 2049, 10_241];
const NUMBERS = [-1, 0, 1, 2, -2_147_483_648, 2_147_483_647, 2_147_483_648, 4_294_967_296, 65_535, 65_536, 1.5, 1e15, Number.MAX_SAFE_INTEGER];
// No number is too large for a float: that is a text in YAML, and an error in JSON.
const RAW_NUMBERS = ['1.0', '1e3', '-0', '9223372036854775807', '9223372036854775808', '99999999999999999999'];
const DURATIONS = ['5m', '1d', '5', '-5m', '1.5h', '5 m', '1h30m', '10s', '0s', '', 'PT5M', '5M', '100ms', '1w'];
const BLOCKS = [
  '10.0.0.1/8', '10.0.0.0/33', '10.0.0.0', '10.0.0/8', '300.0.0.0/8', '::1/128', 'fd00::/129', '10.0.0.0/-1', '10.0.0.0/08', '010.0.0.0/8',
  'fd00::/108', '0.0.0.0/0', '10.0.0.0/16 ', 'example.com', '1.2.3', '10.244.0.0/16', '::ffff:10.0.0.0/104',
];
const HOSTS = ['Example.com', 'exa_mple.com', '-example.com', 'example..com', 'example.com.', '*.example.com', 'example.com:443', 'https://example.com', '1.2.3.4', '::1', 'localhost', 'ftp://example.com', 'oci://example.com/x', 'example', ''];
const VERSIONS = ['1.34.2', 'v1.34', '1.34', 'v1', 'latest', 'v1.34.2.3', 'v01.34.2', 'v1.34.2+build.1', 'v1.34.2-rc.1', 'V1.34.2', ' v1.34.2', 'v1.34.x', '', 'v1.35.4', 'v1.30.0', 'v0.0.0', '>=1.0.0', 'v1.34.2-', 'v1.34.02'];
const VALUES: readonly unknown[] = [null, {}, [], '', 0, false, true, 'x', 1, -1, 1.5, [null], [{}], ['x'], [1], { x: 'y' }, { name: 'x' }];

const DURATION = /^(\d+(\.\d+)?(ms|s|m|h))+$/;
const BLOCK = /^[\da-f.:]+(\/\d+)?$/i;
const HOST = /^([a-z]+:\/\/)?[a-z0-9-]+(\.[a-z0-9-]+)+([:/].*)?$/;
const VERSION = /^v?\d+\.\d+(\.\d+)?([-+].*)?$/;

/** Other values in the places of fields. */
export const VALUE_MUTATIONS: readonly Mutation[] = [
  placeMutation('value of another type', 4, () => true, ({ value }, { random }) => ofAnotherType(value, random)),
  placeMutation('odd value', 2, () => true, ({ value }, { random }) => random.pick(VALUES.filter((odd) => JSON.stringify(odd) !== JSON.stringify(value)))),
  placeMutation('odd number', 4, isNumber, ({ value }, { random }) => {
    const numbers = [...NUMBERS, -Number(value) - 1, Number(value) * 1000 + 7].filter((odd) => odd !== value);
    return random.chance(0.2) ? raw(random.pick(RAW_NUMBERS)) : random.pick(numbers);
  }),
  placeMutation('odd text', 6, isText, ({ value }, { random }) => oddText(String(value), random)),
  placeMutation('other choice', 3, ({ node }) => node?.enum !== undefined, ({ value, node }, { random }) => {
    const choices = [...node!.enum!, ...node!.enum!.filter((choice) => typeof choice === 'string').flatMap((choice) => [choice.toLowerCase(), `${choice}s`]), 'Other', ''];
    return random.pick(choices.filter((choice) => choice !== value));
  }),
  placeMutation('list for a map', 1, ({ value }) => isFields(value), ({ value }) => [value]),
  placeMutation('map for a list', 1, ({ value }) => Array.isArray(value), ({ value }) => Object.fromEntries((value as unknown[]).map((item, index) => [`key${index}`, item]))),
  placeMutation('list without entries', 1, ({ value }) => Array.isArray(value) && value.length > 0, () => []),
  placeMutation('list with many entries', 1, ({ value }) => Array.isArray(value) && value.length > 0, ({ value }, { random }) => {
    const count = random.pick([2, 3, 11, 33, 65, 101, 201]);
    return Array.from({ length: count }, (_, index) => numbered((value as unknown[])[0], index));
  }),
  placeMutation('other duration', 2, isDuration, ({ value }, { random }) => (
    random.chance(0.2) ? random.pick([0, 5, -1, 600]) : random.pick(DURATIONS.filter((odd) => odd !== value)))),
  placeMutation('other block of addresses', 2, textLike(BLOCK), ({ value }, { random }) => random.pick(BLOCKS.filter((odd) => odd !== value))),
  placeMutation('other host', 2, textLike(HOST), ({ value }, { random }) => random.pick(HOSTS.filter((odd) => odd !== value))),
  placeMutation('other version', 2, textLike(VERSION), ({ value }, { random }) => random.pick(VERSIONS.filter((odd) => odd !== value))),
];

function isNumber({ value }: Place): boolean {
  return typeof value === 'number';
}

function isText({ value }: Place): boolean {
  return typeof value === 'string';
}

function isDuration({ path, value }: Place): boolean {
  return (typeof value === 'string' && DURATION.test(value)) || (typeof value === 'number' && /Seconds$/.test(String(path[path.length - 1])));
}

function textLike(pattern: RegExp): (place: Place) => boolean {
  return ({ value }) => typeof value === 'string' && value.length < 300 && pattern.test(value);
}

function ofAnotherType(value: unknown, random: Random): unknown {
  switch (typeof value) {
    case 'string': return random.pick<unknown>([1, 0, true, false, 1.5, [value], { value }, {}, Number(value) || 7]);
    case 'number': return random.pick<unknown>([String(value), 'many', true, value + 0.5, [value], {}, `${value}Mi`, `${value}%`]);
    case 'boolean': return random.pick<unknown>([String(value), 'yes', 1, 0, [value], {}, '']);
    default: return Array.isArray(value)
      ? random.pick<unknown>(['x', 1, {}, value.join(','), value[0] ?? 'x', true])
      : random.pick<unknown>(['x', 1, [], true, Object.keys(value ?? {}), Object.values(value ?? {})]);
  }
}

function oddText(text: string, random: Random): string {
  const fill = /^[A-Za-z0-9]/.test(text) ? text.charAt(0) : 'x';
  const at = random.below(text.length + 1);
  const odd = random.pick(HOSTILE);
  const options = ['', odd, `${text.slice(0, at)}${odd}${text.slice(at)}`, text.padEnd(random.pick(LENGTHS), fill), fill.repeat(random.pick(LENGTHS)), text.toUpperCase(), `${text}.x`, `${text}/x`];
  return random.pick(options.filter((option) => option !== text));
}

/** A copy of an entry that differs from the others. */
function numbered(entry: unknown, index: number): unknown {
  if (typeof entry === 'string') return `${entry}${index}`;
  if (typeof entry === 'number') return entry + index;
  if (!isFields(entry)) return entry;
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, key === 'name' || key === 'key' ? numbered(value, index) : value]));
}
