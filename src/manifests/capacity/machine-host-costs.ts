import { CapacityOptions } from './capacity-model';
import { HostGroup, MachineHost, MachinesOnHosts } from './machine-hosts';
import { PlacedPods } from './pod-group';
import { Cost, Prices } from './prices';
import { rolloutName } from './simulation';
import { compareTexts } from '../landscape/place';

/** Costs of hosts that take one machine each. */
export interface MachineHostCosts {
  readonly prices: Prices;

  /** All hosts; undefined if one has no price. */
  readonly hosts?: number;

  /** Names of hosts without a price. */
  readonly unpriced: readonly string[];

  /** By cluster: its machines at the smallest size on the cheapest hosts that they select, and at the largest on the most expensive ones. */
  readonly clusters: ReadonlyMap<string, Cost>;
}

/** Numbers of machines before and after a change. */
export interface MachineHostChange {
  readonly before: MachineNumbers;
  readonly after: MachineNumbers;

  /** The costs of the machines before and after, where the hosts have prices. */
  readonly costs?: { readonly before: Cost; readonly after: Cost };
}

/** Numbers of machines, each of which needs a host. */
export interface MachineNumbers {
  readonly minimum: number;
  readonly maximum: number;

  /** At the largest size, with the further machines of the rollout that has the most. */
  readonly rollout: number;
}

/** The price of a host: that of the first entry whose labels it has. */
function priceOf({ labels }: MachineHost, { machineHosts }: Prices): number | undefined {
  return machineHosts.find((entry) => Object.entries(entry.labels).every(([key, value]) => labels[key] === value))?.price;
}

/** Costs of the hosts, and of each cluster's machines on them. */
export function machineHostCosts({ groups, hosts }: MachinesOnHosts, prices: Prices): MachineHostCosts {
  const each = hosts.map((host) => priceOf(host, prices));
  const unpriced = hosts.filter((_, index) => each[index] === undefined).map(({ name }) => name);
  const clusters = new Map<string, Cost>();
  for (const group of groups) {
    const cost = groupCost(group, each);
    if (!cost) continue;
    const { minimum, maximum } = clusters.get(group.cluster ?? '') ?? { minimum: 0, maximum: 0 };
    clusters.set(group.cluster ?? '', { minimum: minimum + cost.minimum, maximum: maximum + cost.maximum });
  }
  return {
    prices,
    ...(unpriced.length === 0 && { hosts: each.reduce<number>((sum, price) => sum + price!, 0) }),
    unpriced,
    clusters: new Map([...clusters].sort(([one], [other]) => compareTexts(one, other))),
  };
}

/**
 * Bounds of the cost of a group's machines. Machines without a host that they select have the price of the hosts that they do: of further ones of
 * the kind. Undefined if hosts have no price.
 */
function groupCost({ minimum, maximum, hosts }: HostGroup, each: readonly (number | undefined)[]): Cost | undefined {
  const prices = hosts.map((host) => each[host]);
  if (prices.length === 0 || prices.includes(undefined)) return undefined;
  const sorted = (prices as number[]).sort((one, other) => one - other);
  const sum = (count: number, from: readonly number[], beyond: number) => (
    from.slice(0, count).reduce((soFar, price) => soFar + price, 0) + Math.max(0, count - from.length) * beyond);
  return { minimum: sum(minimum, sorted, sorted[0]), maximum: sum(maximum, [...sorted].reverse(), sorted.at(-1)!) };
}

/** The cost of a change in hosts that take one machine each, and in money. */
export function machineHostChange(before: PlacedPods, after: PlacedPods, options: CapacityOptions, prices?: Prices): MachineHostChange {
  const [was, is] = prices && prices.machineHosts.length > 0 ? [before, after].map(({ onHosts }) => totalCost(onHosts, prices)) : [];
  return { before: machineNumbers(before, options), after: machineNumbers(after, options), ...(was && is && { costs: { before: was, after: is } }) };
}

function machineNumbers({ onHosts, clusters }: PlacedPods, options: CapacityOptions): MachineNumbers {
  const groups = onHosts?.groups ?? [];
  const surges = new Map<string, number>();
  for (const { cluster, surge } of groups) {
    const name = rolloutName(cluster, clusters, options);
    if (name !== undefined) surges.set(name, (surges.get(name) ?? 0) + surge);
  }
  const maximum = groups.reduce((sum, group) => sum + group.maximum, 0);
  return { minimum: groups.reduce((sum, group) => sum + group.minimum, 0), maximum, rollout: maximum + Math.max(0, ...surges.values()) };
}

/** Undefined if the machines of a group have no known price. */
function totalCost(machines: MachinesOnHosts | undefined, prices: Prices): Cost | undefined {
  if (!machines) return { minimum: 0, maximum: 0 };
  const each = machines.hosts.map((host) => priceOf(host, prices));
  const costs = machines.groups.map((group) => groupCost(group, each));
  if (costs.includes(undefined)) return undefined;
  const sum = (bound: keyof Cost) => (costs as Cost[]).reduce((soFar, cost) => soFar + cost[bound], 0);
  return { minimum: sum('minimum'), maximum: sum('maximum') };
}
