import { Cidr } from './cidr';
import { parseIp } from './ip-address';

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
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Those whose grammar is short enough to be looked at here; the API server looks at the others. */
const TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  'byte': (text) => BASE64.test(text),
  'cidr': (text) => Cidr.parse(text) !== undefined,
  'date': (text) => DATE.test(text),
  'date-time': (text) => DATE_TIME.test(text),
  'ipv4': (text) => parseIp(text)?.family === 'IPv4',
  'ipv6': (text) => parseIp(text)?.family === 'IPv6',
  'uuid': (text) => UUID.test(text),
};

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
