import { cutText, NamedCluster, namesText, nameText } from './listed-cluster';
import { Cidr } from '../../../manifests/values/cidr';
import { formatHostPort } from '../../../manifests/values/dns';
import { formatIp, parseIp } from '../../../manifests/values/ip-address';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ApiServerAddress } from '../../contracts/api-server-address';

/** Addresses that are unique within one network only: RFC 1918, RFC 6598, RFC 4193. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map((text) => Cidr.parse(text)!);

/** Placeholders for an unknown address: several API servers may have them. */
const UNSPECIFIED = ['0.0.0.0', '::'];

/** A cluster and the published address of its API server. */
interface PublishedCluster extends NamedCluster {
  readonly network?: string;
}

const ADDRESS_RULE: Rule = {
  id: 'TC-FLEET-ADDRESS-TAKEN',
  title: 'The address of an API server must be unique: host names and public addresses in the fleet, private addresses in their network.',
  source: 'RFC 1918, RFC 4193, RFC 6598 (addresses that are unique within one network only)',
};

/** Checks that no two API servers are published at one address. */
export function checkAddresses(clusters: readonly { readonly cluster: PublishedCluster; readonly published?: ApiServerAddress }[]): Problem[] {
  const owners = new Map<string, { readonly address: string; readonly clusters: PublishedCluster[] }>();
  for (const { cluster, published } of clusters) {
    if (published === undefined || UNSPECIFIED.includes(published.host)) continue;
    const address = formatHostPort(canonical(published.host), published.port);
    const key = `${isPrivate(published.host) ? cluster.network ?? '' : ''} ${address}`;
    const owner = owners.get(key);
    if (owner) owner.clusters.push(cluster);
    else owners.set(key, { address, clusters: [cluster] });
  }
  return [...owners.values()].filter(({ clusters: { length } }) => length > 1).map(({ address, clusters: all }) => ({
    rule: ADDRESS_RULE,
    property: all[1]._place(),
    message: `${address} is the address of the API servers of ${namesText(all)}`,
    fix: 'give each API server its own address',
  }));
}

function isPrivate(host: string): boolean {
  return PRIVATE.some((range) => range.contains(host));
}

/** Normalizes a host: names in any case, IPv6 addresses with or without zeros. */
function canonical(host: string): string {
  const address = parseIp(host);
  return address ? formatIp(address) : host.toLowerCase();
}

/** An address range of a cluster. */
export interface ClusterRange<Owner> {
  readonly owner: Owner;

  /** The user of the addresses: "pods" or "Services". */
  readonly what: string;
  readonly range: Cidr;
}

/** Two overlapping ranges of different owners. */
interface SharedRange<Owner> {
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

const RANGES_RULE: Rule = {
  id: 'TC-FLEET-RANGE-OVERLAP',
  title: 'The pod and Service ranges of clusters in one network must not overlap.',
  source: 'docs.cilium.io network/clustermesh (pod ranges of all clusters are unique)',
};

/** Checks that the ranges of clusters in one network do not overlap. */
export function checkRanges(network: string, ranges: readonly ClusterRange<NamedCluster>[]): Problem[] {
  const groups = new Map<ClusterRange<NamedCluster>, ClusterRange<NamedCluster>[]>();
  for (const { of: inner, with: outer } of sharedRanges(ranges)) {
    const group = groups.get(outer);
    if (group) group.push(inner);
    else groups.set(outer, [inner]);
  }
  return [...groups].map(([{ owner, what, range }, inner]) => ({
    rule: RANGES_RULE,
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
