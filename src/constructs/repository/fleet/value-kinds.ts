import { Size } from 'cdk8s';
import { FleetIntegerOptions } from './fleet-value-options';
import { valueText } from './listed-cluster';
import { checkCidr } from '../../../manifests/values/cidr';
import { nearestName } from '../../../manifests/values/nearest-name';

/** The value, or the reason why it cannot be read. */
export type Reading<T> = { readonly value: T } | { readonly fault: ValueFault };

/** The problem of a value. */
export interface ValueFault {
  readonly message: string;
  readonly accepted?: string;
  readonly fix: string;
}

const SEPARATOR = ';';
const WHOLE = /^[+-]?\d+$/;
const SIZE = /^([1-9]\d*)(Ki|Mi|Gi|Ti|Pi)$/;
const SIZES: { readonly [unit: string]: (amount: number) => Size } = {
  Ki: (amount) => Size.kibibytes(amount),
  Mi: (amount) => Size.mebibytes(amount),
  Gi: (amount) => Size.gibibytes(amount),
  Ti: (amount) => Size.tebibytes(amount),
  Pi: (amount) => Size.pebibyte(amount),
};

/** Reads a string. A YAML number is rejected: its spelling is lost, as in 1.10 and 007. */
export function readString(value: unknown, oneOf?: readonly string[]): Reading<string> {
  if (typeof value !== 'string') return { fault: { message: `${valueText(value)} is not a string`, fix: 'put it in quotes' } };
  if (oneOf === undefined || oneOf.includes(value)) return { value };
  const nearest = nearestName(value, oneOf);
  return {
    fault: {
      message: `${valueText(value)} is not accepted`,
      accepted: oneOf.map(valueText).join(', '),
      fix: nearest === undefined ? 'write one of them' : `did you mean ${valueText(nearest)}?`,
    },
  };
}

/** Reads a list of strings: a YAML list, or a string with semicolons as separators. */
export function readStrings(value: unknown, oneOf?: readonly string[]): Reading<string[]> {
  const parts: readonly unknown[] = typeof value === 'string' ? value.split(SEPARATOR).map((part) => part.trim()).filter((part) => part !== '') : listOf(value);
  const texts: string[] = [];
  for (const part of parts) {
    const reading = readString(part, oneOf);
    if ('fault' in reading) return reading;
    texts.push(reading.value);
  }
  return { value: texts };
}

/** Reads a whole number, or a string that contains one. */
export function readInteger(value: unknown, { min = 0, max = Infinity }: FleetIntegerOptions): Reading<number> {
  const number = typeof value === 'string' && WHOLE.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max) return { value: number };
  const isWhole = typeof number === 'number' && Number.isInteger(number);
  return {
    fault: {
      message: isWhole ? `${number} is too ${number < min ? 'small' : 'large'}` : `${valueText(value)} is not a whole number`,
      accepted: `whole numbers from ${min}${max === Infinity ? '' : ` to ${max}`}`,
      fix: 'write the number without a unit',
    },
  };
}

/** Reads a boolean, or a string that contains one: spreadsheets write TRUE and FALSE. */
export function readFlag(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return { value };
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return { fault: { message: `${valueText(value)} is neither true nor false`, accepted: 'true, false', fix: 'write one of them' } };
}

/** Reads a size in powers of 1024. */
export function readSize(value: unknown): Reading<Size> {
  const [, amount, unit] = typeof value === 'string' ? SIZE.exec(value) ?? [] : [];
  if (unit !== undefined && Number.isSafeInteger(Number(amount))) return { value: SIZES[unit](Number(amount)) };
  return {
    fault: { message: `${valueText(value)} is not a size`, accepted: 'a positive whole number with the unit Ki, Mi, Gi, Ti or Pi, such as "16Gi"', fix: 'correct the size' },
  };
}

/** Reads CIDR blocks: a list, or a string with semicolons as separators. */
export function readCidrs(value: unknown): Reading<string[]> {
  const reading = readStrings(value);
  if ('fault' in reading) return reading;
  const fault = reading.value.map((text) => checkCidr(text)).find((message) => message !== undefined);
  return fault === undefined ? reading : { fault: { message: fault, fix: 'correct the block; separate several blocks with semicolons, or use a list' } };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
