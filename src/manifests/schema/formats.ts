import { isIPv6 } from 'node:net';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { parseGoDuration } from '../values/go-duration';
import { parseIp } from '../values/ip-address';

/**
 * Formats of strings that API servers know. They ignore others.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go; the last two from 1.34.
 */
const STRING_FORMATS: readonly string[] = [
  'bsonobjectid', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uuid', 'uuid3', 'uuid4', 'uuid5', 'isbn', 'isbn10', 'isbn13', 'creditcard',
  'ssn', 'hexcolor', 'rgbcolor', 'byte', 'password', 'date', 'duration', 'datetime', 'date-time', 'k8s-short-name', 'k8s-long-name',
];

/** A schema without a type, such as that of a number or a text, is taken for one of texts. */
const FORMATS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  [undefined, STRING_FORMATS], ['string', STRING_FORMATS], ['integer', ['int32', 'int64']], ['number', ['float', 'double']],
]);

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Formats whose grammar is short enough to be checked here; the API server checks the others. */
const TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  'byte': (text) => text !== '' && BASE64.test(text),
  'cidr': (text) => isCidr(text),
  'date': isDate,
  'date-time': (text) => isDate(DATE_TIME.exec(text)?.[1] ?? ''),
  'duration': isDuration,
  // Names may stand before an address in angle brackets (Go net/mail ParseAddress).
  'email': (text) => EMAIL.test(/^[^<>@]*<([^<>]*)>$/.exec(text)?.[1] ?? text.trim()),
  'ipv4': (text) => !text.includes(':') && isIp(text),
  'ipv6': (text) => text.includes(':') && isIp(text),
  'mac': (text) => MAC.test(text),
  'uri': isUri,
  'uuid': (text) => UUID.test(text),
};

/** Bytes in pairs with colons or dashes, or in fours with dots, as many as an address of Ethernet or InfiniBand has (Go net.ParseMAC). */
const MAC = /^(?:[0-9a-f]{12}|(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2}|(?:[0-9a-f]{2}\1){14})?[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}(?:(?:[0-9a-f]{4}\.)|(?:[0-9a-f]{4}\.){7})?[0-9a-f]{4})$/i;
const LONG_DURATION = /\d+\s*(?:ns|us|µs|ms|s|m|h|hr|d|w|(?:nano|micro|milli|sec|min|hour|day|week|wk)[A-Za-zµ]*)(?![A-Za-zµ])/i;

/** True for a duration of Go, or a text with a number and a unit (kube-openapi pkg/validation/strfmt/duration.go). */
function isDuration(text: string): boolean {
  return parseGoDuration(text) !== undefined || LONG_DURATION.test(text);
}

const ATOM = String.raw`[^\s()<>[\]:;@\\,."]+`;
const EMAIL = new RegExp(String.raw`^(?:${ATOM}(?:\.${ATOM})*|"[^"]*")@(?:${ATOM}(?:\.${ATOM})*|\[[^\]]*\])$`);

/** True for an address, also one with leading zeros, and an IPv4 address in IPv6 (k8s.io/utils/net ParseIPSloppy). */
function isIp(text: string): boolean {
  return isIPv6(text) ? !text.includes('%') : parseIp(text.replace(/(^|\.)0+(?=\d)/g, '$1'))?.family === 'IPv4';
}

/** True for an address with the length of a prefix (k8s.io/utils/net ParseCIDRSloppy). */
function isCidr(text: string): boolean {
  const [, address, length] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  return address !== undefined && isIp(address) && Number(length) <= (address.includes(':') ? 128 : 32);
}

const CONTROL = /[\0-\x1f\x7f]/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const ESCAPES = /%(?![0-9A-Fa-f]{2})/;
const HOST = /^(?:[\w.~!$&'()*+,;=:[\]<>"-]|[^\0-\x7f]|%(?:25|[89A-Fa-f][0-9A-Fa-f]))*$/;
const USER = /^(?:[\w.:~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})*$/;

/** True for an address with a scheme, or an absolute path (Go net/url ParseRequestURI, to which an address has no fragment). */
function isUri(text: string): boolean {
  if (text === '' || CONTROL.test(text)) return false;
  if (text === '*') return true;
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const [rest] = text.slice(scheme.length).split('?');
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !ESCAPES.test(rest);
  const [authority] = rest.slice(2).split('/', 1);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const [, literal] = /^\[(.*?)(?:%25.*)?\](?::\d*)?$/.exec(host) ?? [];
  const isHost = host.startsWith('[') ? parseIp(literal ?? '')?.family === 'IPv6' : /^[^:]*(?::\d*)?$/.test(host);
  return USER.test(authority.slice(0, Math.max(0, at))) && isHost && HOST.test(host) && !ESCAPES.test(rest.slice(2 + authority.length));
}

/** True for a day of the calendar (kube-openapi pkg/validation/strfmt/date.go, Go time.Parse). */
function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Names of the formats for values of a type; there are none but for texts and numbers. */
export function formatsOf(type: string | undefined): readonly string[] {
  return FORMATS.get(type) ?? [];
}

/** True if a text cannot have a format. */
export function breaksFormat(format: string, text: string): boolean {
  return Object.hasOwn(TESTS, format) && !TESTS[format](text);
}

/** True if a number does not fit into the size that a format names. */
export function exceedsFormat(format: string, value: number): boolean {
  const bits = format === 'int32' ? 31 : 63;
  return format.startsWith('int') && (value < -(2 ** bits) || value >= 2 ** bits);
}

/**
 * The number that server-side apply stores in an int32 field of Kubernetes' own kinds: the last 32 bits. Other ways to write an object reject it.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/runtime/converter.go (fromUnstructured).
 */
export function wrapped(value: number): number | undefined {
  return Number.isSafeInteger(value) ? Number(BigInt.asIntN(32, BigInt(value))) : undefined;
}

/** Larger expressions are not compiled: their matching takes a step for each instruction and character. */
const LARGEST_PROGRAM = 10_000;

/** Longer texts are not matched. */
const LONGEST_TEXT = 65_536;

/** So many compiled expressions are kept. */
const MOST_KEPT = 1000;

const COMPILED = new Map<string, RE2JS | RE2JSSyntaxException | undefined>();

/**
 * Returns why the API server refuses a regular expression; undefined for one that it accepts or that is too large to be compiled here.
 *
 * @param pattern the expression in the syntax of Go (RE2)
 */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return compiled instanceof RE2JSSyntaxException ? compiled.message.replace(/^error parsing regexp: /, '') : undefined;
}

/**
 * Returns whether a text has a match, as the API server does, in time that is linear in the text. Expressions and texts are those of manifests, and
 * backtracking, as JavaScript does it, takes exponential time for some of them.
 *
 * @param pattern the expression in the syntax of Go (RE2)
 * @param text the text
 * @returns undefined if the expression is refused, or if it or the text is too large to be matched here
 */
export function matchesGoPattern(pattern: string, text: string): boolean | undefined {
  const compiled = compile(pattern);
  if (!(compiled instanceof RE2JS) || text.length > LONGEST_TEXT) return undefined;
  if (text.length > LONGEST_MATCHED) return compiled.test(text);
  let texts = MATCHED.get(compiled);
  if (!texts) MATCHED.set(compiled, texts = new Map());
  let matches = texts.get(text);
  if (matches === undefined) {
    if (texts.size === MOST_MATCHED) texts.clear();
    texts.set(text, matches = compiled.test(text));
  }
  return matches;
}

/** Results for short texts, by expressions: the objects of a fleet share most of theirs. */
const MATCHED = new WeakMap<RE2JS, Map<string, boolean>>();
const LONGEST_MATCHED = 100;
const MOST_MATCHED = 200;

/**
 * Returns an expression that is compiled; undefined if it is refused, or if it or one of the texts that it is for is too large to be matched here.
 *
 * @param pattern the expression in the syntax of Go (RE2)
 * @param texts the texts
 */
export function goPattern(pattern: string, ...texts: readonly string[]): RE2JS | undefined {
  const compiled = compile(pattern);
  return compiled instanceof RE2JS && texts.every((text) => text.length <= LONGEST_TEXT) ? compiled : undefined;
}

function compile(pattern: string): RE2JS | RE2JSSyntaxException | undefined {
  if (COMPILED.has(pattern)) return COMPILED.get(pattern);
  if (COMPILED.size >= MOST_KEPT) COMPILED.clear();
  const compiled = pattern.length <= LARGEST_PROGRAM && programSize(pattern) <= LARGEST_PROGRAM ? compiledOrFault(pattern) : undefined;
  COMPILED.set(pattern, compiled);
  return compiled;
}

function compiledOrFault(pattern: string): RE2JS | RE2JSSyntaxException | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // Newer releases of Go know more names of character classes.
    return CLASS_NAME.test(error.message) ? undefined : error;
  }
}

const CLASS_NAME = /invalid character class range: `\\p/i;

const TOKENS = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]|[()]|\{(\d+)(?:,(\d*))?\}|[^]/g;

/** About how many instructions an expression has: repetitions with a count are written out. */
function programSize(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(TOKENS)) {
    if (token === '(') {
      groups.push(0);
      continue;
    }
    const added = least === undefined ? 0 : last * Math.max(Number(least), Number(most ?? 0)) - last;
    if (token === ')' && groups.length > 1) last = groups.pop()!;
    else last = least === undefined ? token.length : last + added;
    groups[groups.length - 1] += token === ')' || least === undefined ? last : added;
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

/** A format of texts in Kubernetes' own kinds, which Go reads in a way of its own. */
interface GoFormat {
  readonly words: string;
  readonly reads: (text: string) => boolean;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d([.,]\d+)?(Z|[+-]([01]\d|2[0-4]):[0-5]\d)$/;
const MICRO_TIME = /\d\.\d{6}(Z|[+-])/;

/**
 * The formats, as schemas name them.
 *
 * Source: Go encoding/base64, which takes line breaks; kubernetes/apimachinery pkg/apis/meta/v1/{time,micro_time}.go.
 */
const GO_FORMATS: Readonly<Record<string, GoFormat>> = {
  'go-bytes': { words: 'base64', reads: (text) => BASE64.test(text.replace(/[\r\n]/g, '')) },
  'go-time': { words: 'a time such as 2026-05-01T10:00:00Z', reads: isTime },
  'go-micro-time': { words: 'a time with six digits of a second, such as 2026-05-01T10:00:00.000000Z', reads: (text) => isTime(text) && MICRO_TIME.test(text) },
};

/** A format in words, if a text cannot have it. */
export function brokenGoFormat(format: string, text: string): string | undefined {
  return Object.hasOwn(GO_FORMATS, format) && !GO_FORMATS[format].reads(text) ? GO_FORMATS[format].words : undefined;
}

function isTime(text: string): boolean {
  return TIME.test(text) && isDate(text.slice(0, 'YYYY-MM-DD'.length));
}
