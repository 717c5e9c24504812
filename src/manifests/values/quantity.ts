import { scalarText } from './fields';
import { readOnce } from './read-once';

// The form that controller-gen gives to quantities in schemas; an exponent is a whole number, since
// resource.ParseQuantity reads it with ParseInt.
const QUANTITY = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

const MULTIPLIERS: Readonly<Record<string, readonly [base: bigint, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [2n, 10],
  Mi: [2n, 20],
  Gi: [2n, 30],
  Ti: [2n, 40],
  Pi: [2n, 50],
  Ei: [2n, 60],
};

/** Number of parts of a quantity in one unit: quantities are counted in thousand-millionths. */
export const NANO = 1_000_000_000n;

const LARGEST = (2n ** 63n - 1n) * NANO;
const LARGEST_EXPONENT = 40;

/**
 * Reads a Kubernetes quantity such as `500m`, `1.5`, `4Gi`, `2e3`, exactly.
 *
 * Like the API server it rounds away from zero what is finer than a thousand-millionth.
 * Source: `k8s.io/apimachinery` `pkg/api/resource` `ParseQuantity`.
 *
 * @returns the quantity in thousand-millionths of one (`NANO` of them make 1), or undefined if the text is not a quantity
 */
export const parseQuantity = readOnce((text: string): bigint | undefined => {
  const match = QUANTITY.exec(text);
  if (!match) {
    return undefined;
  }
  const [, sign, number, suffix = ''] = match;
  const [base, exponent] = MULTIPLIERS[suffix] ?? [10n, suffix === '' ? 0 : Number(suffix.slice(1))];
  if (Math.abs(exponent) > LARGEST_EXPONENT && base === 10n) {
    return undefined;
  }
  const [whole, fraction = ''] = number.split('.');
  let numerator = BigInt(`${whole}${fraction}` || '0') * NANO;
  let denominator = 10n ** BigInt(fraction.length);
  if (exponent >= 0) {
    numerator *= base ** BigInt(exponent);
  } else {
    denominator *= base ** BigInt(-exponent);
  }
  const rounded = (numerator + denominator - 1n) / denominator;
  return sign === '-' ? -rounded : rounded;
});

/**
 * Orders two quantities; both must be valid.
 *
 * @returns a negative number if the first is smaller, a positive one if it is larger, 0 if they are equal (`1000m` and `1`)
 */
export function compareQuantities(one: string, other: string): number {
  const difference = valid(one) - valid(other);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Requirements of a quantity beside its grammar. */
export interface QuantityRules {
  /**
   * True if 0 is refused.
   *
   * @default false
   */
  readonly positive?: boolean;

  /**
   * True if fractions are refused, as for bytes and devices: `100m` of memory is a tenth of a byte.
   *
   * @default false
   */
  readonly whole?: boolean;
}

/**
 * Checks a quantity; negative ones are never accepted.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkQuantity(text: string, rules: QuantityRules = {}): string | undefined {
  // JavaScript, and YAML that a program has read, may bring numbers, which not every field that holds quantities takes.
  if (typeof text !== 'string') {
    return `${String(text)} is not text; accepted is a quantity in quotes, such as "500m", "1.5", "4Gi" or "2e3"`;
  }
  const value = parseQuantity(text);
  if (value === undefined) {
    return `"${text}" is not a quantity; accepted is a number with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei`
      + ' or an exponent, such as "500m", "1.5", "4Gi" or "2e3"';
  }
  if (value < 0n || (rules.positive && value === 0n)) {
    return `"${text}" is ${value < 0n ? 'negative' : 'zero'}; accepted are quantities ${rules.positive ? 'above 0' : 'from 0'}`;
  }
  if (rules.whole && value % NANO !== 0n) {
    return `"${text}" is not a whole number${text.endsWith('m') ? ' ("m" means thousandths; "M" and "Mi" mean millions)' : ''};`
      + ' accepted are whole quantities such as "512Mi" or "2"';
  }
  return value > LARGEST ? `"${text}" is larger than 2^63-1, to which Kubernetes cuts it; accepted are smaller quantities` : undefined;
}

function valid(text: string): bigint {
  const value = parseQuantity(text);
  if (value === undefined) {
    throw new Error(`"${text}" is not a quantity`);
  }
  return value;
}

/** Amounts of resources in thousand-millionths of one. */
export interface Amounts {
  readonly [resource: string]: bigint;
}

const MILLI = NANO / 1000n;
const MEBIBYTE = 1024n * 1024n * NANO;

/** Reads a map of quantities; entries that are none are left to those who check them. */
export function amountsOf(quantities: unknown): Amounts {
  const entries = typeof quantities === 'object' && quantities !== null ? Object.entries(quantities) : [];
  return Object.fromEntries(entries.flatMap(([resource, quantity]) => {
    const amount = parseQuantity(scalarText(quantity));
    return amount === undefined ? [] : [[resource, amount]];
  }));
}

/** The sum of amounts, resource by resource. */
export function sumOf(all: readonly Amounts[]): Amounts {
  const sums = new Map<string, bigint>();
  for (const [resource, amount] of all.flatMap((amounts) => Object.entries(amounts))) {
    sums.set(resource, (sums.get(resource) ?? 0n) + amount);
  }
  return Object.fromEntries(sums);
}

/** The larger of two amounts, resource by resource. */
export function largerOf(one: Amounts, other: Amounts): Amounts {
  return Object.fromEntries([...Object.keys(one), ...Object.keys(other)].map((resource) => {
    const [a, b] = [one[resource] ?? 0n, other[resource] ?? 0n];
    return [resource, a > b ? a : b];
  }));
}

/** An amount as a quantity, rounded up to what is readable: thousandths of a CPU, MiB, whole objects. */
export function amountText(resource: string, amount: bigint): string {
  if (/(^|\.)cpu$/.test(resource)) return unitText(amount, MILLI, 1000n, 'm', '');
  if (/memory$|storage$|hugepages-/.test(resource)) return unitText(amount, MEBIBYTE, 1024n, 'Mi', 'Gi');
  return `${roundUp(amount, NANO)}`;
}

/** A sum as a quantity. Where it is many MiB, the GiB that it fits into stand behind it, for quotas are written in those. */
export function totalText(resource: string, amount: bigint): string {
  const text = amountText(resource, amount);
  return /^\d{5,}Mi$/.test(text) ? `${text} (${roundUp(amount, 1024n * MEBIBYTE)}Gi in whole GiB)` : text;
}

function unitText(amount: bigint, small: bigint, factor: bigint, smallUnit: string, largeUnit: string): string {
  const count = roundUp(amount, small);
  return count % factor === 0n ? `${count / factor}${largeUnit}` : `${count}${smallUnit}`;
}

function roundUp(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}
