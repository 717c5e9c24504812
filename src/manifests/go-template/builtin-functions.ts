import { TemplateFault } from './faults';
import { goFunction, GoFunctions } from './functions';
import { sprintf } from './printf';
import { byteLength, goText, GoValue, isEmpty, isNil, kindOf } from './values';
import { isFields } from '../values/fields';

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': '#34', '\'': '#39' };

/**
 * Functions that Go's templates have.
 *
 * Source: Go text/template/funcs.go.
 */
export const BUILTIN_FUNCTIONS: GoFunctions = {
  and: goFunction('any ...any', () => undefined),
  or: goFunction('any ...any', () => undefined),
  not: goFunction('any', (value: GoValue) => isEmpty(value)),
  len: goFunction('any', lengthOf),
  index: goFunction('any ...any', (value: GoValue, ...keys: GoValue[]) => keys.reduce(itemOf, value)),
  print: goFunction('...any', (...values: GoValue[]) => printed(values)),
  printf: goFunction('string ...any', (format: string, ...values: GoValue[]) => sprintf(format, values)),
  println: goFunction('...any', (...values: GoValue[]) => `${values.map(goText).join(' ')}\n`),
  html: goFunction('...any', (...values: GoValue[]) => printed(values).replace(/[&<>"']/g, (sign) => `&${ENTITIES[sign]};`)),
  urlquery: goFunction('...any', (...values: GoValue[]) => encodeURIComponent(printed(values)).replace(/[!'()*]/g, percent).replaceAll('%20', '+')),
  eq: goFunction('any ...any', (first: GoValue, ...others: GoValue[]) => {
    if (others.length === 0) throw new TemplateFault('missing argument for comparison');
    return others.some((other) => isEqual(first, other));
  }),
  ne: goFunction('any any', (first: GoValue, other: GoValue) => !isEqual(first, other)),
  lt: goFunction('any any', (first: GoValue, other: GoValue) => isLess(first, other)),
  le: goFunction('any any', (first: GoValue, other: GoValue) => isLess(first, other) || isEqual(first, other)),
  gt: goFunction('any any', (first: GoValue, other: GoValue) => !(isLess(first, other) || isEqual(first, other))),
  ge: goFunction('any any', (first: GoValue, other: GoValue) => !isLess(first, other)),
};

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Values beside each other, with a space between those that are no texts. */
function printed(values: readonly GoValue[]): string {
  return values.map((value, index) => {
    const isSpaced = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
    return `${isSpaced ? ' ' : ''}${goText(value)}`;
  }).join('');
}

function lengthOf(value: GoValue): bigint {
  if (typeof value === 'string') return BigInt(byteLength(value));
  if (Array.isArray(value)) return BigInt(value.length);
  if (kindOf(value) === 'map') return BigInt(Object.keys(value as object).length);
  throw new TemplateFault(isNil(value) ? 'len of nil pointer' : `len of type ${kindOf(value)}`);
}

function itemOf(value: GoValue, key: GoValue): GoValue {
  if (Array.isArray(value) || typeof value === 'string') {
    if (typeof key !== 'bigint') throw new TemplateFault(`cannot index slice/array with type ${kindOf(key)}`);
    const list = typeof value === 'string' ? [...Buffer.from(value)].map(BigInt) : value;
    if (key < 0n || key >= BigInt(list.length)) throw new TemplateFault(`index out of range: ${key}`);
    return list[Number(key)];
  }
  if (kindOf(value) !== 'map') throw new TemplateFault(isNil(value) ? 'index of untyped nil' : `can't index item of type ${kindOf(value)}`);
  if (typeof key !== 'string') throw new TemplateFault('value has no type string, which is the type of the keys');
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

const BASIC: readonly string[] = ['string', 'int', 'float64', 'bool'];

function isEqual(one: GoValue, other: GoValue): boolean {
  const [kind, otherKind] = [kindOf(one), kindOf(other)];
  if (kind === 'invalid' || otherKind === 'invalid') return kind === otherKind;
  if (kind !== otherKind) throw new TemplateFault('incompatible types for comparison');
  if (!BASIC.includes(kind)) throw new TemplateFault('non-comparable type');
  return one === other;
}

function isLess(one: GoValue, other: GoValue): boolean {
  const [kind, otherKind] = [kindOf(one), kindOf(other)];
  if ([kind, otherKind].some((each) => !BASIC.includes(each) || each === 'bool')) throw new TemplateFault('invalid type for comparison');
  if (kind !== otherKind) throw new TemplateFault('incompatible types for comparison');
  return (one as string) < (other as string);
}
