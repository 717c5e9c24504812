import { Capacity, CapacityOptions, HostKind, HostUsage, MoreHosts, Verdict } from './capacity-model';
import { Demands } from './demand';
import { Counted, Host, HOSTNAME, PODS, ZONE } from './host';
import { HostList } from './hosts-file';
import { PlacedPods, PodGroup } from './pod-group';
import { Simulation, takenOn } from './simulation';
import { compareTexts } from '../landscape/place';

/**
 * Finds whether everything fits on hosts.
 *
 * @param list the hosts, and the pods that run on them
 * @param pods what needs room on them
 */
export function findCapacity(list: HostList, pods: PlacedPods, options: CapacityOptions): Capacity {
  const { hosts } = list;
  const { taken, clustersOn, notes } = takenBy(list, pods);
  const simulation = new Simulation(hosts, pods, taken, options);
  const scenarios = simulation.scenarios();
  const fits = scenarios.every(({ verdict }) => verdict === 'fits');
  // Further hosts of the same kinds change nothing for pods that none of them is for, unless the last one is lost.
  const isHopeless = scenarios.some(({ shortage, failing }) => failing?.lost === undefined && (shortage?.kind === 'host' || shortage?.kind === 'size'));
  const isUnknown = pods.unplaced.some(({ isUnknown: unknown }) => unknown);
  const resources = [...new Set(['cpu', 'memory', PODS, ...pods.groups.flatMap(({ requests }) => [...requests.keys()])])];
  const usageOn = ({ allocatable }: Host, index: number) => (
    new Map(resources.filter((resource) => allocatable.has(resource)).map((resource) => [resource, simulation.placement.usage(index, resource)])));
  const usage = hosts.map((host, index): HostUsage => ({
    host,
    usage: usageOn(host, index),
    clusters: [...clustersOn[index]].sort(compareTexts),
  }));
  const fitsEvenly = scenarios[0].verdict === 'fits' ? simulation.fitsEvenly() : undefined;
  return {
    options,
    hosts: usage,
    kinds: kindsOf(usage, resources),
    clusters: new Set(pods.groups.flatMap(({ cluster }) => cluster ?? [])).size,
    groups: pods.groups,
    scenarios,
    verdict: fits && isUnknown ? 'unknown' : worst(scenarios.map(({ verdict }) => verdict)),
    more: fits || isHopeless ? [] : moreHosts(list, pods, options),
    ...(fitsEvenly !== undefined && { fitsEvenly }),
    unplaced: pods.unplaced,
    notes: [...pods.assumed.map((title) => `the configuration of ${title} is not among the manifests: its defaults count, such as the ratio of CPUs of machines and of hosts`), ...skippedNotes(pods), ...zoneNotes(hosts, options), ...ringNotes(pods, options), ...notes],
  };
}

function skippedNotes({ skipped = new Map<string, number>(), unasked = 0 }: PlacedPods): string[] {
  return [...unasked === 0 ? [] : [`not placed without --hosts: ${unasked} ${unasked === 1 ? 'pod' : 'pods'} in the management cluster`], ...[...skipped].map(([kind, count]) => `not placed: pods of ${count} ${count === 1 ? 'object' : 'objects'} of kind ${kind}`)];
}

function zoneNotes(hosts: readonly Host[], { loss }: CapacityOptions): string[] {
  const without = hosts.filter(({ zone }) => zone === undefined).length;
  return loss === 'zone' && without > 0 ? [`${without === 1 ? '1 host is' : `${without} hosts are`} in no zone, and not lost with one`] : [];
}

function ringNotes({ clusters }: PlacedPods, { rollout, ringLabel }: CapacityOptions): string[] {
  const isLabeled = [...clusters.values()].some((labels) => labels[ringLabel ?? ''] !== undefined);
  return rollout === 'ring' && !isLabeled ? [`no Cluster has the label ${ringLabel}: each one counts as a ring of its own`] : [];
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return (['short', 'open'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'fits';
}

function simulationOn(list: HostList, pods: PlacedPods, options: CapacityOptions): Simulation {
  return new Simulation(list.hosts, pods, takenBy(list, pods).taken, options);
}

/** Load that stays on hosts: pods that run there and are not placed anew, and one of each DaemonSet. */
function takenBy({ hosts, pods: running }: HostList, { groups, daemons }: PlacedPods) {
  const indices = new Map(hosts.map(({ name }, index) => [name, index]));
  const clustersOn = hosts.map(() => new Set<string>());
  const placed = new Map<string, Pick<PodGroup, 'cluster' | 'scheduling'>[]>();
  for (const group of [...groups, ...daemons]) placed.set(group.namespace, [...placed.get(group.namespace) ?? [], group]);
  const additional: (readonly [number, Counted])[] = [];
  const elsewhere: string[] = [];
  for (const { name, namespace, host, labels, requests } of running) {
    const index = indices.get(host);
    const group = placed.get(namespace)?.find((one) => isOf(labels, one.scheduling.labels));
    if (index === undefined) elsewhere.push(name);
    else if (!group) additional.push([index, requests]);
    else if (group.cluster !== undefined) clustersOn[index].add(group.cluster);
  }
  const finder = new Demands(hosts);
  for (const daemon of daemons) {
    const group: PodGroup = { ...daemon, use: 'controller', minimum: 0, maximum: 0, surge: 0 };
    finder.of(group).eligibility.hosts.forEach((host) => additional.push([host, daemon.requests]));
  }
  const notes = elsewhere.length === 0 ? [] : [`${elsewhere.length === 1 ? '1 pod runs' : `${elsewhere.length} pods run`} on hosts that are not in the list, such as ${elsewhere[0]}`];
  return { taken: takenOn(hosts, additional), clustersOn, notes };
}

/** True if a pod has all labels that the pods of a group have. */
function isOf(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(wanted);
  return entries.length > 0 && entries.every(([key, value]) => labels[key] === value);
}

function kindsOf(usage: readonly HostUsage[], resources: readonly string[]): HostKind[] {
  const kinds = new Map<string, HostUsage[]>();
  for (const one of usage) {
    const alike = kinds.get(one.host.kind);
    if (alike) alike.push(one);
    else kinds.set(one.host.kind, [one]);
  }
  return [...kinds].map(([kind, all]) => ({
    kind,
    count: all.length,
    zones: [...new Set(all.flatMap(({ host }) => host.zone ?? []))].sort(compareTexts),
    usage: new Map(resources.flatMap((resource): [string, readonly [number, number]][] => {
      const found = all.flatMap(({ usage: own }) => [own.get(resource)].filter((one) => one !== undefined));
      const sum = found.reduce(([taken, total], [ownTaken, ownTotal]): readonly [number, number] => [taken + ownTaken, total + ownTotal], [0, 0]);
      return found.length === 0 ? [] : [[resource, sum]];
    })),
  }));
}

/** Kinds of which further hosts are tried, at most. */
const MOST_KINDS = 4;
const MOST_HOSTS = 1024;

/** Hosts beyond those that are proved to be too few that are tried, at least: rules about other pods may keep pods out of any number of hosts. */
const MOST_BEYOND = 8;

/** For each kind of hosts, the smallest number of further ones with which everything fits. */
function moreHosts(list: HostList, pods: PlacedPods, options: CapacityOptions): MoreHosts[] {
  const kinds = [...new Set(list.hosts.map(({ kind }) => kind))].slice(0, MOST_KINDS);
  return kinds.flatMap((kind) => {
    const hosts = (count: number) => [...list.hosts, ...furtherHosts(list.hosts, kind, count)];
    const count = fewest((number) => simulationOn({ ...list, hosts: hosts(number) }, pods, options), 1, MOST_HOSTS);
    return count === undefined ? [] : [{ kind, count }];
  });
}

/** The number of hosts of a kind that are needed when the others stay as they are; undefined if none was found. */
export function neededHosts(list: HostList, kind: string, pods: PlacedPods, options: CapacityOptions): number | undefined {
  const own = list.hosts.filter((host) => host.kind === kind);
  const others = list.hosts.filter((host) => host.kind !== kind);
  const hosts = (count: number) => [...others, ...own.slice(0, count), ...furtherHosts(own, kind, count - own.length)];
  return fewest((count) => simulationOn({ ...list, hosts: hosts(count) }, pods, options), 0, own.length + MOST_HOSTS);
}

/** The smallest number of hosts with which everything fits. Proofs that it does not are found faster than placements, and come first. */
function fewest(simulation: (count: number) => Simulation, from: number, most: number): number | undefined {
  const least = smallest((count) => !simulation(count).isShort(), from, most);
  return least === undefined ? undefined : smallest((count) => simulation(count).fits(), least, least + Math.max(MOST_BEYOND, least));
}

/** The smallest number for which something is true that stays true for larger ones. */
function smallest(isTrue: (count: number) => boolean, from: number, most: number): number | undefined {
  let [low, high] = [from - 1, from];
  for (let step = 1; !isTrue(high); step *= 2) {
    if (high >= most) return undefined;
    [low, high] = [high, Math.min(most, high + step)];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isTrue(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Hosts like those of a kind, over the zones of these, and with nothing on them. */
function furtherHosts(hosts: readonly Host[], kind: string, count: number): Host[] {
  const alike = hosts.filter((host) => host.kind === kind);
  const examples = [...new Map(alike.map((host) => [host.zone, host])).values()];
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const example = examples[index % examples.length];
    const name = `${kind} (further ${index + 1})`;
    return { ...example, name, labels: { ...example.labels, [HOSTNAME]: name, ...(example.zone !== undefined && { [ZONE]: example.zone }) } };
  });
}
