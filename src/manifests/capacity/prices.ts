import { Capacity, PodNumbers } from './capacity-model';
import { PODS } from './host';
import { checkFields, FileFault, labelsOf, listOf, mapOf, requiredText } from './hosts-file';
import { PodGroup } from './pod-group';
import { compareTexts } from '../landscape/place';
import { Fields, isFields } from '../values/fields';

/** Price of hosts with labels. */
export interface MachineHostPrice {
  readonly price: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** Prices of a time, in a currency. */
export interface Prices {
  readonly currency: string;
  readonly per: 'hour' | 'month';

  /** Of a host, by its kind. */
  readonly hosts: ReadonlyMap<string, number>;

  /** Of hosts that take one machine each: the first entry counts whose labels a host has. */
  readonly machineHosts: readonly MachineHostPrice[];

  /** Of what pods request: each CPU, each GiB of memory, each device. */
  readonly requests: ReadonlyMap<string, number>;
}

/** An amount of money at the smallest and at the largest size. */
export type Cost = PodNumbers;

/** Costs of hosts and clusters. */
export interface Costs {
  readonly prices: Prices;

  /** All hosts; undefined if the price of a kind is not in the list. */
  readonly hosts?: number;

  /** Kinds of hosts without a price. */
  readonly unpriced: readonly string[];

  /**
   * By cluster: what its pods request, by the prices of requests; else its share of all hosts at its largest, by the resource of which most is
   * requested. Of what is of no cluster, the key is empty.
   */
  readonly clusters: ReadonlyMap<string, Cost>;

  /** The resource by which hosts are shared; undefined where requests have prices. */
  readonly sharedBy?: string;
}

const FIELDS = ['currency', 'per', 'hosts', 'machineHosts', 'requests'] as const;
const TIMES = ['hour', 'month'] as const;

/** Reads a list of prices. */
export function pricesIn(values: readonly unknown[]): Prices {
  const [list] = values;
  if (values.length !== 1 || !isFields(list)) throw new FileFault('not one object with prices', `accepted fields: ${FIELDS.join(', ')}`);
  checkFields(list, FIELDS, 'the list of prices');
  const currency = requiredText(list, 'currency', '');
  const per = TIMES.find((time) => time === list.per);
  if (!per) {
    const given = list.per === undefined ? 'per is missing: a price needs its unit of time' : `per: ${JSON.stringify(list.per)} is no unit of time`;
    throw new FileFault(given, `accepted: ${TIMES.join(', ')}`);
  }
  const [hosts, requests] = [amounts(list, 'hosts'), amounts(list, 'requests')];
  const unknown = [...requests.keys()].find((resource) => resource !== 'cpu' && resource !== PODS && !isInBytes(resource) && !resource.includes('/'));
  if (unknown !== undefined) throw new FileFault(`requests.${unknown}: pods do not request it`, 'accepted: cpu, memory, ephemeral-storage, hugepages-1Gi, pods, and devices such as nvidia.com/gpu');
  const machineHosts = listOf(list, 'machineHosts', 'prices', '[{labels: {rack: r1}, price: 310}]').map((entry, index) => machineHostPrice(entry, `machineHosts[${index}]`));
  if (hosts.size + machineHosts.length + requests.size === 0) {
    throw new FileFault('there is no price', 'write hosts, with the price of each kind, machineHosts, with prices by labels, or requests, such as cpu and memory');
  }
  return { currency, per, hosts, machineHosts, requests };
}

function amounts(list: Fields, field: string): Map<string, number> {
  return new Map(Object.entries(mapOf(list, field, 'prices')).map(([name, price]): [string, number] => {
    return [name, priceAt(price, `${field}.${name}`)];
  }));
}

function priceAt(price: unknown, place: string): number {
  if (typeof price === 'number' && Number.isFinite(price) && price >= 0) return price;
  throw new FileFault(price === undefined ? `${place} is missing` : `${place}: ${JSON.stringify(price)} is not a price`, 'write a number, from 0');
}

function machineHostPrice(entry: unknown, place: string): MachineHostPrice {
  if (!isFields(entry)) throw new FileFault(`${place} is no object`, 'accepted fields: price, labels');
  checkFields(entry, ['price', 'labels'], place);
  return { price: priceAt(entry.price, `${place}.price`), labels: labelsOf(entry, place) };
}

/** The amount that a price of requests is for: a CPU, a GiB, a device. */
function unitOf(resource: string): number {
  if (resource === 'cpu') return 1000;
  return isInBytes(resource) ? 1024 ** 3 : 1;
}

function isInBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

/** Costs of the hosts and clusters of a state. */
export function costsOf({ kinds, groups }: Pick<Capacity, 'kinds' | 'groups'>, prices: Prices): Costs {
  const unpriced = prices.hosts.size === 0 ? [] : kinds.map(({ kind }) => kind).filter((kind) => !prices.hosts.has(kind));
  const isPriced = prices.hosts.size > 0 && unpriced.length === 0;
  const hosts = isPriced ? kinds.reduce((sum, { kind, count }) => sum + prices.hosts.get(kind)! * count, 0) : undefined;
  const known = { prices, ...(hosts !== undefined && { hosts }), unpriced };
  if (prices.requests.size > 0) return { ...known, clusters: byCluster(groups, (group) => unitCost(group, prices)) };
  const sharedBy = fullest(kinds);
  const total = groups.reduce((sum, { requests, maximum }) => sum + (requests.get(sharedBy) ?? 0) * maximum, 0);
  const share = ({ requests }: PodGroup) => (total === 0 ? 0 : (hosts ?? 0) * (requests.get(sharedBy) ?? 0) / total);
  const largest = groups.map((group) => ({ ...group, minimum: group.maximum }));
  return { ...known, clusters: hosts === undefined ? new Map() : byCluster(largest, share), sharedBy };
}

function unitCost({ requests }: PodGroup, prices: Prices): number {
  return [...prices.requests].reduce((sum, [resource, price]) => sum + price * (requests.get(resource) ?? 0) / unitOf(resource), 0);
}

function byCluster(groups: readonly PodGroup[], costOfPod: (group: PodGroup) => number): Map<string, Cost> {
  const costs = new Map<string, Cost>();
  for (const group of groups) {
    const each = costOfPod(group);
    const { minimum, maximum } = costs.get(group.cluster ?? '') ?? { minimum: 0, maximum: 0 };
    costs.set(group.cluster ?? '', { minimum: minimum + each * group.minimum, maximum: maximum + each * group.maximum });
  }
  return new Map([...costs].sort(([one], [other]) => compareTexts(one, other)));
}

/** The resource of which the largest part is requested. */
function fullest(kinds: Capacity['kinds']): string {
  const parts = ['memory', 'cpu'].map((resource) => {
    const sums = kinds.flatMap(({ usage }) => [usage.get(resource)].filter((one) => one !== undefined));
    return { resource, part: sums.reduce((sum, [taken]) => sum + taken, 0) / Math.max(1, sums.reduce((sum, [, total]) => sum + total, 0)) };
  });
  return parts.sort((one, other) => other.part - one.part)[0].resource;
}

/** An amount of money, with its currency and unit of time. */
export function moneyText(amount: number, { currency, per }: Prices): string {
  return `${amount.toFixed(2)} ${currency} per ${per}`;
}

/** Cost of the requests of pods. */
export function requestCost(groups: readonly PodGroup[], prices: Prices): Cost {
  return [...byCluster(groups, (group) => unitCost(group, prices)).values()]
    .reduce((sum, { minimum, maximum }) => ({ minimum: sum.minimum + minimum, maximum: sum.maximum + maximum }), { minimum: 0, maximum: 0 });
}
