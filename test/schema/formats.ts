import { isIPv4, isIPv6 } from 'node:net';

const INT32 = 2 ** 31;

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d{2}:\d{2})$/i;
const DURATION = /^\d+(\.\d+)?\s*(ns|us|µs|ms|s|m|h|d|w|nanos?|micros?|millis?|seconds?|minutes?|hours?|days?|weeks?)$/i;
const HOSTNAME = /^[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*$/;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type FormatCheck = (value: never) => boolean;

/** Tells whether a value keeps to a `format` that API servers check. */
const FORMATS: Readonly<Record<string, FormatCheck>> = {
  'int32': (value: number) => value >= -INT32 && value < INT32,
  'int64': (value: number) => value >= -(2 ** 63) && value < 2 ** 63,
  'float': () => true,
  'double': () => true,
  'password': () => true,
  'byte': (value: string) => BASE64.test(value),
  'date': (value: string) => DATE.test(value),
  'date-time': (value: string) => isDateTime(value),
  'datetime': (value: string) => isDateTime(value),
  'duration': (value: string) => DURATION.test(value) || /^[-+]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(value),
  'ipv4': (value: string) => isIPv4(value),
  'ipv6': (value: string) => isIPv6(value),
  'cidr': (value: string) => isCidr(value),
  'hostname': (value: string) => value.length <= 255 && HOSTNAME.test(value),
  'email': (value: string) => /^[^\s@]+@[^\s@]+$/.test(value),
  'uri': (value: string) => URL.canParse(value) || value.startsWith('/'),
  'uuid': (value: string) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
};

/** Whether this module can check a format; an API server ignores the ones it does not know. */
export function knowsFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, format);
}

/** Whether a string or number of the right type keeps to the format; true for formats nobody checks. */
export function hasFormat(format: string, value: string | number): boolean {
  if (!knowsFormat(format)) return true;
  const wantsNumber = ['int32', 'int64', 'float', 'double'].includes(format);
  if (wantsNumber !== (typeof value === 'number')) return true;
  return FORMATS[format](value as never);
}

/** Whether a text is an address with a prefix length, host bits allowed, as `netip.ParsePrefix` reads it. */
export function isCidr(text: string): boolean {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  return match !== null && isAddress(match[1]) && Number(match[2]) <= (isIPv4(match[1]) ? 32 : 128);
}

/** Whether a text is an IP address without zone, and not an IPv4 address in IPv6 clothes. */
export function isAddress(text: string): boolean {
  if (isIPv4(text)) return true;
  return isIPv6(text) && !text.includes('%') && !/^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/.test(new URL(`http://[${text}]`).hostname);
}

function isDateTime(text: string): boolean {
  const [date, time] = [text.slice(0, 10), text.slice(11)];
  return DATE.test(date) && /^t$/i.test(text.charAt(10)) && TIME.test(time);
}
