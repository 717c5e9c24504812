import { NANO, parseQuantity } from './quantity';

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
    const amount = parseQuantity(String(quantity));
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
