import { cutText, NamedCluster, nameText } from './cluster-names';
import { FLEET_RULES } from './rules';
import { Cidr } from '../../../manifests/values/cidr';
import { Problem } from '../../../manifests/values/problem';

/** An address range of a cluster. */
export interface ClusterRange<Owner> {
  readonly owner: Owner;

  /** The user of the addresses: "pods" or "Services". */
  readonly what: string;
  readonly range: Cidr;
}

/** Two overlapping ranges of different owners. */
export interface SharedRange<Owner> {
  readonly of: ClusterRange<Owner>;
  readonly with: ClusterRange<Owner>;
}

/**
 * Finds each range that overlaps with an earlier range of another owner. The order is: start address, then size (largest first), then
 * position. Returns at most one pair per range, not all pairs.
 *
 * In a list sorted by start address, a range overlaps with an earlier one whose end is not before its own start. Two earlier ranges
 * suffice: the range that ends last, and the last-ending range of any other owner. One of the two belongs to another owner.
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

/** Checks that the ranges of clusters in one network do not overlap. */
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
    message: `in network "${network}", ${what} of ${nameText(owner)} have ${range}, which overlaps with `
      + cutText(inner, (other) => `${other.what} of ${nameText(other.owner)} with ${other.range}`),
    fix: 'give each cluster its own ranges; if the clusters do not route to each other, use different networks, or leave network unset',
  }));
}

/** Sorts by family, start address and size. */
function compare({ range: one }: ClusterRange<unknown>, { range: other }: ClusterRange<unknown>): number {
  if (one.family !== other.family) return one.family < other.family ? -1 : 1;
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  return one.prefixLength - other.prefixLength;
}

/** A range of another family always ends earlier. */
function endsLater({ range: one }: ClusterRange<unknown>, { range: other }: ClusterRange<unknown>): boolean {
  return one.family !== other.family || one.last > other.last;
}
