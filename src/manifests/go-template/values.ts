import { NotComputed, TemplateFault } from './faults';
import { Fields, isFields } from '../values/fields';

/** A value of Go: an integer is a bigint, other numbers are of type float64, as all numbers of JSON are. */
export type GoValue = unknown;

/** Length of texts that are computed, in characters. */
export const LONGEST = 1_000_000;

/** A semantic version, with the fields and methods that templates know. */
export class GoVersion {
  public constructor(public readonly fields: Readonly<Record<string, GoValue>>, public readonly text: string) {}
}

/** The kind of a value, as Go calls it. */
export function kindOf(value: GoValue): string {
  if (isNil(value)) return 'invalid';
  if (Array.isArray(value)) return 'slice';
  if (value instanceof GoVersion) return 'ptr';
  switch (typeof value) {
    case 'string': return 'string';
    case 'bigint': return 'int';
    case 'number': return 'float64';
    case 'boolean': return 'bool';
    default: return 'map';
  }
}

const TYPES: Readonly<Record<string, string>> = { invalid: '<nil>', slice: '[]interface {}', map: 'map[string]interface {}', ptr: '*semver.Version' };

/** The type of a value, as Go prints it. */
export function typeOf(value: GoValue): string {
  const kind = kindOf(value);
  return TYPES[kind] ?? kind;
}

/** True if a value is nil. */
export function isNil(value: GoValue): value is null | undefined {
  return value === undefined || value === null;
}

/** True if a value counts as false: it is empty, zero or nil. */
export function isEmpty(value: GoValue): boolean {
  if (isNil(value) || value === false || value === '' || value === 0 || value === 0n) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && !(value instanceof GoVersion) && Object.keys(value).length === 0;
}

/** Values within one value. */
const MOST_VALUES = 100_000;

/**
 * A value that can be walked through: small templates make values that contain others many times.
 *
 * @returns how many lists and maps it consists of
 */
export function checkSize(...values: readonly GoValue[]): number {
  const sizes = new Map<unknown, number>();
  const sizeOf = (value: GoValue): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    sizes.set(value, Infinity);
    const size = Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 1);
    sizes.set(value, size);
    return size;
  };
  if (values.some((value) => sizeOf(value) > MOST_VALUES)) throw new NotComputed('its values are too large');
  return sizes.size;
}

/** A value as `%v` prints it. */
export function goText(value: GoValue): string {
  if (isNil(value)) return '<nil>';
  if (Array.isArray(value)) return limited(`[${value.map(goText).join(' ')}]`);
  if (value instanceof GoVersion) return value.text;
  if (typeof value === 'number') return floatText(value);
  if (isFields(value)) return limited(`map[${sortedKeys(value).map((key) => `${key}:${goText(value[key])}`).join(' ')}]`);
  return `${value as string}`;
}

/** The keys of a map, in the order in which Go prints them. */
export function sortedKeys(map: Fields): string[] {
  return Object.keys(map).sort((one, other) => (one < other ? -1 : 1));
}

/** A float as `%v` prints it. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits, exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 6) return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return value.toString();
}

/** A text, if it is not too long. */
export function limited(text: string): string {
  if (text.length > LONGEST) throw new NotComputed('its result is too long');
  return text;
}

/** Texts with a separator, if the result is not too long. */
export function joined(texts: readonly string[], separator: string): string {
  if (separator.length * texts.length > LONGEST) throw new NotComputed('its result is too long');
  return limited(texts.join(separator));
}

const ESCAPES: Readonly<Record<string, string>> = { 'a': '\x07', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\', '\'': '\'', '"': '"' };

/** The text that a literal in quotes of Go means. */
export function unquoted(literal: string): string {
  if (literal.startsWith('`')) return literal.slice(1, -1).replaceAll('\r', '');
  return literal.slice(1, -1).replace(/\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([0-7]{3})|([^]))/g, (_, byte, four, eight, octal, sign) => {
    const code = (byte ?? four ?? eight) as string | undefined;
    if (code !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)));
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal as string, 8));
    const escape = ESCAPES[sign as string];
    if (escape === undefined) throw new TemplateFault(`bad string ${literal}`);
    return escape;
  });
}

const SIGNS = new Map(Object.entries(ESCAPES).filter(([name]) => name !== '\'').map(([name, sign]) => [sign, `\\${name}`]));

/** A text in double quotes, as `%q` prints it. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\\p{C}\p{Z}]/gu, (sign) => {
    if (sign === ' ') return sign;
    const code = sign.codePointAt(0)!;
    return SIGNS.get(sign) ?? (code < 0x80 ? `\\x${hex(code, 2)}` : code < 0x1_0000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`);
  })}"`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** The JSON of a value, with its keys sorted, as Go writes it. */
export function goJson(value: GoValue, indent?: number): string {
  checkSize(value);
  const text = JSON.stringify(plain(value), undefined, indent);
  return limited(text.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}`));
}

/** A value as plain JSON, with its keys sorted. */
export function plain(value: GoValue): unknown {
  if (isNil(value)) return null;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof GoVersion) return value.text;
  return isFields(value) ? Object.fromEntries(sortedKeys(value).map((key) => [key, plain(value[key])])) : value;
}

/** True if values are of one type, and equal, as `reflect.DeepEqual` compares them. */
export function deepEqual(one: GoValue, other: GoValue): boolean {
  checkSize(one, other);
  return isSame(one, other);
}

function isSame(one: GoValue, other: GoValue): boolean {
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isFields(one) || !isFields(other)) return one === other || (isNil(one) && isNil(other));
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

/** The length of a text in bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Bytes of a text. */
export function byteSlice(text: string, start: number, end?: number): string {
  const bytes = Buffer.from(text);
  const last = end ?? bytes.length;
  if (start < 0 || last > bytes.length || start > last) throw new TemplateFault('slice bounds out of range');
  return bytes.subarray(start, last).toString();
}
