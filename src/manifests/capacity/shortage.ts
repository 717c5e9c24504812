import { concerns, Demand } from './demand';
import { Counted } from './host';
import { Placement } from './placement';
import { NamedGroup } from './pod-group';

/** A number of pods of a demand. */
export interface Wanted {
  readonly demand: Demand;
  readonly count: number;
}

/** A proof that pods do not fit. */
export interface Shortage {
  /**
   * `host`: no host is for the pods; `size`: none is large enough for one of them; `sum`: a resource of the hosts does not suffice for all;
   * `pieces`: the hosts do not hold so many pods of that size; `domains`: no two may be in one domain, and there are too few;
   * `selected`: the groups select too few hosts.
   */
  readonly kind: 'host' | 'size' | 'sum' | 'pieces' | 'domains' | 'selected';

  /** The resource that is short, the requirement that no host meets, or the label of the domains. */
  readonly what: string;
  readonly wanted: number;
  readonly available: number;

  /** Indices of the hosts that the pods may run on, without those that are lost. */
  readonly hosts: readonly number[];
  readonly groups: readonly NamedGroup[];
}

/** Pods with the same requests that may run on the same hosts. */
interface Class {
  readonly hosts: readonly number[];
  readonly requests: Counted;
  readonly wanted: Wanted[];
  count: number;
}

/** The requirement that no host meets where all that the pods may run on are lost. */
export const NOT_LOST = 'a host that is not lost';

const MOST_SETS = 200;
const MOST_SIZES = 40;

/**
 * Finds a proof that pods do not fit on what is free. None is no proof that they do.
 *
 * @param all the pods
 * @param free hosts that hold nothing of that; lost ones are closed
 * @param lost indices of lost hosts
 */
export function findShortage(all: readonly Wanted[], free: Placement, lost: readonly number[]): Shortage | undefined {
  const gone = new Set(lost);
  const classes = classesOf(all.filter(({ count }) => count > 0), gone);
  for (const found of classes) {
    const single = singleShortage(found, free);
    if (single) return single;
  }
  for (const { demand, count } of all) {
    const domains = domainShortage(demand, count, gone, free);
    if (domains) return domains;
  }
  const sets = [...new Map(classes.map(({ hosts }) => [hosts.join(), hosts])).values()].sort((one, other) => other.length - one.length);
  for (const hosts of sets.slice(0, MOST_SETS)) {
    const inside = classes.filter(isWithin(hosts));
    const short = sumShortage(inside, hosts, free) ?? pieceShortage(inside, hosts, free);
    if (short) return short;
  }
  return undefined;
}

/** Finds the pods that may run on some of these hosts, and on no others. Many have the same list of hosts. */
function isWithin(hosts: readonly number[]): (one: Class) => boolean {
  const all = new Set(hosts);
  const known = new Map<readonly number[], boolean>();
  return ({ hosts: own }) => {
    let isInside = known.get(own);
    if (isInside === undefined) known.set(own, isInside = own.length <= all.size && own.every((host) => all.has(host)));
    return isInside;
  };
}

function classesOf(all: readonly Wanted[], gone: ReadonlySet<number>): Class[] {
  const classes = new Map<string, Class>();
  const sets = new Map<string, readonly number[]>();
  for (const { demand, count } of all) {
    const { key: setKey, hosts } = demand.eligibility;
    let left = sets.get(setKey);
    if (!left) sets.set(setKey, left = gone.size === 0 ? hosts : hosts.filter((host) => !gone.has(host)));
    const found = classes.get(demand.size);
    if (found) {
      found.wanted.push({ demand, count });
      found.count += count;
    } else {classes.set(demand.size, { hosts: left, requests: demand.requests, wanted: [{ demand, count }], count });}
  }
  return [...classes.values()];
}

function groupsOf(classes: readonly Class[]): NamedGroup[] {
  return classes.flatMap(({ wanted }) => wanted.map(({ demand }) => demand.group));
}

function singleShortage(found: Class, free: Placement): Shortage | undefined {
  const { hosts, requests, count } = found;
  const groups = groupsOf([found]);
  const { missing } = found.wanted[0].demand.eligibility;
  if (hosts.length === 0) return { kind: 'host', what: missing ?? NOT_LOST, wanted: count, available: 0, hosts, groups };
  if (free.roomFor(hosts, requests) > 0) return undefined;
  const largest = (resource: string) => hosts.reduce((most, host) => Math.max(most, free.freeOn([host], resource)), 0);
  const [what, wanted] = [...requests].find(([resource, amount]) => largest(resource) < amount) ?? [...requests][0];
  return { kind: 'size', what, wanted, available: largest(what), hosts, groups };
}

function domainShortage(demand: Demand, count: number, gone: ReadonlySet<number>, free: Placement): Shortage | undefined {
  const { group, antiAffinity, eligibility } = demand;
  for (const term of antiAffinity) {
    if (!concerns(term, group)) continue;
    const { topologyKey } = term;
    const hosts = eligibility.hosts.filter((host) => !gone.has(host));
    const domains = free.domainsOf(hosts, topologyKey);
    if (count > domains) return { kind: 'domains', what: topologyKey, wanted: count, available: domains, hosts, groups: [group] };
  }
  return undefined;
}

function sumShortage(inside: readonly Class[], hosts: readonly number[], free: Placement): Shortage | undefined {
  const sums = new Map<string, number>();
  for (const { requests, count } of inside) for (const [resource, amount] of requests) sums.set(resource, (sums.get(resource) ?? 0) + amount * count);
  for (const [what, wanted] of sums) {
    const available = free.freeOn(hosts, what);
    if (wanted > available) {
      const having = hosts.filter((host) => free.freeOn([host], what) > 0);
      return { kind: 'sum', what, wanted, available, hosts: having, groups: groupsOf(inside.filter(({ requests }) => requests.has(what))) };
    }
  }
  return undefined;
}

/** Of pods that request at least so much, no more fit than of pods that request exactly so much. */
function pieceShortage(inside: readonly Class[], hosts: readonly number[], free: Placement): Shortage | undefined {
  const sizes = new Map<string, Counted>();
  for (const { requests } of inside) {
    sizes.set(JSON.stringify([...requests]), requests);
    for (const [resource, amount] of requests) sizes.set(JSON.stringify([[resource, amount]]), new Map([[resource, amount]]));
  }
  const more = (one: Counted, other: Counted, resource: string) => (other.get(resource) ?? 0) - (one.get(resource) ?? 0);
  const largest = [...sizes.values()].sort((one, other) => more(one, other, 'memory') || more(one, other, 'cpu'));
  for (const size of largest.slice(0, MOST_SIZES)) {
    const larger = inside.filter(({ requests }) => [...size].every(([resource, amount]) => (requests.get(resource) ?? 0) >= amount));
    const wanted = larger.reduce((sum, { count }) => sum + count, 0);
    const available = free.roomFor(hosts, size);
    if (wanted > available) {
      const what = [...size].sort(([one], [other]) => weight(one) - weight(other))[0][0];
      return { kind: 'pieces', what, wanted, available, hosts, groups: groupsOf(larger) };
    }
  }
  return undefined;
}

function weight(resource: string): number {
  return resource === 'memory' ? 0 : resource === 'cpu' ? 1 : 2;
}
