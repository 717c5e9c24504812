import { Cidr } from './cidr';
import { formatIp, IpFamily, parseIp } from './ip-address';

/** Consecutive IP addresses. */
export interface AddressRange {
  readonly family: IpFamily;

  /** First address as a number. */
  readonly first: bigint;

  /** Last address as a number. */
  readonly last: bigint;
}

/**
 * Reads one address, a range with a hyphen, or a block: `192.0.2.10`, `192.0.2.10-192.0.2.20`, `192.0.2.0/28`. The host bits of a block do
 * not count.
 *
 * Source: kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/poolutil/pool.go (AddressToIPSet).
 *
 * @returns the range, or undefined if the text is none
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const hyphen = text.indexOf('-');
  if (hyphen >= 0) return rangeBetween(text.slice(0, hyphen), text.slice(hyphen + 1));
  if (!text.includes('/')) return rangeBetween(text, text);
  const block = Cidr.parse(text);
  return block && { family: block.family, first: block.first, last: block.last };
}

/** The range from one address to another one; undefined unless they are addresses of one family, in this order. */
function rangeBetween(from: string, to: string): AddressRange | undefined {
  const [first, last] = [parseIp(from), parseIp(to)];
  if (!first || !last || first.family !== last.family || first.value > last.value) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

/** True if two ranges have an address in common. */
export function rangesOverlap(one: AddressRange, other: AddressRange): boolean {
  return one.family === other.family && one.first <= other.last && other.first <= one.last;
}

/** The addresses that two ranges have in common. */
export function commonRange(one: AddressRange, other: AddressRange): AddressRange | undefined {
  if (!rangesOverlap(one, other)) return undefined;
  return { family: one.family, first: one.first > other.first ? one.first : other.first, last: one.last < other.last ? one.last : other.last };
}

/** True if all addresses of a range are in another one. */
export function rangeCovers(outer: AddressRange, inner: AddressRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

/**
 * The addresses of ranges without those of others, each once, in their order.
 *
 * @param ranges the ranges
 * @param excluded ranges that are taken away
 */
export function remainingRanges(ranges: readonly AddressRange[], excluded: readonly AddressRange[] = []): AddressRange[] {
  return excluded.reduce((rest, hole) => rest.flatMap((range) => withoutRange(range, hole)), mergedRanges(ranges));
}

/** Number of addresses in ranges that do not overlap. */
export function addressCount(ranges: readonly AddressRange[]): bigint {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
}

/** The range as text: `192.0.2.10`, or `192.0.2.10-192.0.2.20`. */
export function formatAddressRange({ family, first, last }: AddressRange): string {
  const [from, to] = [first, last].map((value) => formatIp({ family, value }));
  return from === to ? from : `${from}-${to}`;
}

function mergedRanges(ranges: readonly AddressRange[]): AddressRange[] {
  const sorted = [...ranges].sort((one, other) => compare(one.family, other.family) || compare(one.first, other.first));
  const merged: AddressRange[] = [];
  for (const range of sorted) {
    const before = merged.at(-1);
    if (before?.family !== range.family || range.first > before.last + 1n) merged.push(range);
    else if (range.last > before.last) merged[merged.length - 1] = { ...before, last: range.last };
  }
  return merged;
}

function withoutRange(range: AddressRange, hole: AddressRange): AddressRange[] {
  if (!rangesOverlap(range, hole)) return [range];
  return [
    ...(range.first < hole.first ? [{ ...range, last: hole.first - 1n }] : []),
    ...(range.last > hole.last ? [{ ...range, first: hole.last + 1n }] : []),
  ];
}

function compare<T extends bigint | string>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
