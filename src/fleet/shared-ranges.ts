import { cutText, NamedCluster, nameText } from './cluster-names';
import { FLEET_RULES } from './rules';
import { Cidr } from '../network/cidr';
import { Problem } from '../validation/problem';

/** A range of addresses of a cluster. */
export interface ClusterRange<Owner> {
  readonly owner: Owner;

  /** What has the addresses: "pods" or "Services". */
  readonly what: string;
  readonly range: Cidr;
}

/** A range, and one of another owner that has addresses of it. */
export interface SharedRange<Owner> {
  readonly of: ClusterRange<Owner>;
  readonly with: ClusterRange<Owner>;
}

/**
 * Finds each range that has an address in common with a range of another owner that begins before it, or, of those that begin with the same
 * address, is larger or comes first. As many ranges as overlap are found, not as many pairs.
 *
 * Sorted by their beginning, a range overlaps with one before it if that one's end is not before its own beginning. It is enough to know the
 * one that ends last, and the one of anybody else that does: one of the two belongs to another owner.
 */
export function sharedRanges<Owner>(ranges: readonly ClusterRange<Owner>[]): SharedRange<Owner>[] {
  const shared: SharedRange<Owner>[] = [];
  let last: ClusterRange<Owner> | undefined;
  let lastOfOthers: ClusterRange<Owner> | undefined;
  for (const one of [...ranges].sort(compare)) {
    const other = last?.owner === one.owner ? lastOfOthers : last;
    if (other && other.range.family === one.range.family && other.range.last >= one.range.first) shared.push({ of: one, with: other });
    if (!last || endsLater(one, last)) {
      if (last && last.owner !== one.owner) lastOfOthers = last;
      last = one;
    } else if (last.owner !== one.owner && (!lastOfOthers || endsLater(one, lastOfOthers))) {
      lastOfOthers = one;
    }
  }
  return shared;
}

/** Checks that clusters of one network have no address in common. */
export function checkRanges(network: string, ranges: readonly ClusterRange<NamedCluster>[]): Problem[] {
  const groups = new Map<ClusterRange<NamedCluster>, ClusterRange<NamedCluster>[]>();
  for (const { of: inner, with: outer } of sharedRanges(ranges)) {
    const group = groups.get(outer);
    if (group) group.push(inner);
    else groups.set(outer, [inner]);
  }
  return [...groups].map(([{ owner, what, range }, inner]) => ({
    rule: FLEET_RULES.ranges,
    property: `${owner._place()} network`,
    message: `in network "${network}", ${what} of ${nameText(owner)} have ${range}, and addresses of it have `
      + cutText(inner, (other) => `${other.what} of ${nameText(other.owner)} with ${other.range}`),
    fix: 'give each cluster ranges of its own; if nothing is routed between them, put them into different networks, or into none',
  }));
}

/** By family, beginning and size. */
function compare({ range: one }: ClusterRange<unknown>, { range: other }: ClusterRange<unknown>): number {
  if (one.family !== other.family) return one.family < other.family ? -1 : 1;
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  return one.prefixLength - other.prefixLength;
}

/** What is of another family ends before everything. */
function endsLater({ range: one }: ClusterRange<unknown>, { range: other }: ClusterRange<unknown>): boolean {
  return one.family !== other.family || one.last > other.last;
}
