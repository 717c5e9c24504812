import { CapacityOptions, Scenario } from './capacity-model';
import { HostClass, matchHosts } from './host-matching';
import { HostGroup, MachinesOnHosts } from './machine-hosts';
import { PlacedPods } from './pod-group';
import { rolloutName } from './simulation';
import { compareTexts } from '../landscape/place';

/** Answers about machines that are hosts. */
export interface HostRoom extends Omit<MachinesOnHosts, 'owners' | 'objects' | 'atMost'> {
  readonly options: CapacityOptions;
  readonly scenarios: readonly Scenario[];

  /** `open`: it does not fit, unless hosts that have a machine of an unknown cluster count. */
  readonly verdict: 'fits' | 'short' | 'open';

  /** Groups that select no host that takes a machine. */
  readonly empty: readonly HostGroup[];

  /** Names of hosts that no group selects. */
  readonly spare: readonly string[];
}

/** Lost hosts. */
interface LossCase {
  readonly name?: string;
  readonly hosts: readonly number[];
}

/** Further machines, by group. */
interface RolloutCase {
  readonly name?: string;
  readonly surges: ReadonlyMap<number, number>;
}

const NO_LOSS: LossCase = { hosts: [] };
const NO_ROLLOUT: RolloutCase = { surges: new Map() };

/**
 * Finds whether machines that are hosts have a host each: all at their largest, in a rollout, and without a host.
 *
 * @param machines the machines, and the hosts
 * @param clusters labels of Clusters, by `namespace/name`
 */
export function findHostRoom(machines: MachinesOnHosts, clusters: PlacedPods['clusters'], options: CapacityOptions): HostRoom {
  const { groups, hosts, unusable } = machines;
  const selecting = hosts.map((): number[] => []);
  groups.forEach((group, index) => group.hosts.forEach((host) => selecting[host].push(index)));
  const rollouts = rolloutCases(groups, clusters, options);
  const losses = lossCases(machines, selecting, options);
  const answer = new Answers(groups, selecting);
  const proved = [
    answer.worst('maximum', [NO_LOSS], [NO_ROLLOUT], 1),
    ...rollouts.length === 0 ? [] : [answer.worst('rollout', [NO_LOSS], rollouts, rollouts.length)],
    ...losses.length === 0 ? [] : [answer.worst('loss', losses, rollouts, lossCount(machines, options) * Math.max(1, rollouts.length))],
  ];
  const atMost = machines.atMost && proved.some(({ verdict }) => verdict !== 'fits') ? findHostRoom(machines.atMost, clusters, options).scenarios : [];
  const scenarios = proved.map((one): Scenario => (
    one.verdict !== 'fits' && atMost.some(({ name, verdict }) => name === one.name && verdict === 'fits') ? { ...one, verdict: 'open' } : one));
  const verdicts = new Set(scenarios.map(({ verdict }) => verdict));
  return {
    options,
    groups,
    hosts,
    unusable,
    scenarios,
    verdict: verdicts.has('short') ? 'short' : verdicts.has('open') ? 'open' : 'fits',
    empty: groups.filter((group) => group.hosts.length === 0),
    spare: hosts.filter((_, index) => selecting[index].length === 0).map(({ name }) => name),
  };
}

/** Answers to questions about the same machines and hosts. */
class Answers {
  public constructor(private readonly groups: readonly HostGroup[], private readonly selecting: readonly (readonly number[])[]) {}

  /** The case with the most machines without a host. */
  public worst(name: Scenario['name'], losses: readonly LossCase[], rollouts: readonly RolloutCase[], cases: number): Scenario {
    let worst: Scenario | undefined;
    let most = 0;
    for (const loss of losses) {
      for (const rollout of this.rolloutsBeside(loss, rollouts)) {
        const failed = this.failure(loss, rollout);
        const count = failed?.left.reduce((sum, one) => sum + one.count, 0) ?? 0;
        if (count <= most) continue;
        most = count;
        worst = { name, cases, verdict: 'short', failing: { ...(loss.name !== undefined && { lost: loss.name }), ...(rollout.name !== undefined && { rollout: rollout.name }) }, ...failed! };
      }
    }
    return worst ?? { name, cases, verdict: 'fits', left: [] };
  }

  /** Rollouts of groups in the namespaces of lost hosts: the others are answered without a loss. */
  private rolloutsBeside({ hosts }: LossCase, rollouts: readonly RolloutCase[]): readonly RolloutCase[] {
    if (hosts.length === 0) return rollouts;
    const namespaces = new Set(hosts.flatMap((host) => this.selecting[host].map((group) => this.groups[group].namespace)));
    const beside = rollouts.filter(({ surges }) => [...surges.keys()].some((group) => namespaces.has(this.groups[group].namespace)));
    return beside.length > 0 ? beside : [NO_ROLLOUT];
  }

  /** Undefined if each machine has a host. */
  private failure({ hosts }: LossCase, { surges }: RolloutCase): Pick<Scenario, 'left' | 'shortage'> | undefined {
    const wanted = this.groups.map(({ maximum }, group) => maximum + (surges.get(group) ?? 0));
    const { left, short } = matchHosts(wanted, this.classes(new Set(hosts)));
    if (left.every((count) => count === 0)) return undefined;
    const lost = new Set(hosts);
    const selected = [...new Set(short.flatMap((group) => this.groups[group].hosts))].filter((host) => !lost.has(host));
    const groups = short.map((group) => this.groups[group]);
    return {
      left: left.flatMap((count, index) => (count === 0 ? [] : [{ group: this.groups[index], count }])),
      shortage: {
        kind: 'selected',
        what: groups.map(({ cluster, what }) => `${what} of ${cluster ?? '-'}`).join(', '),
        wanted: short.reduce((sum, group) => sum + wanted[group], 0),
        available: selected.length,
        hosts: selected,
        groups,
      },
    };
  }

  private classes(lost: ReadonlySet<number>): HostClass[] {
    const classes = new Map<string, { groups: readonly number[]; count: number }>();
    this.selecting.forEach((groups, host) => {
      if (lost.has(host)) return;
      const key = groups.join();
      const known = classes.get(key);
      if (known) known.count++;
      else classes.set(key, { groups, count: 1 });
    });
    return [...classes.values()];
  }
}

function rolloutCases(groups: readonly HostGroup[], clusters: PlacedPods['clusters'], options: CapacityOptions): RolloutCase[] {
  const cases = new Map<string, Map<number, number>>();
  groups.forEach(({ cluster, surge }, index) => {
    const name = rolloutName(cluster, clusters, options);
    if (name === undefined) return;
    const surges = cases.get(name) ?? new Map<number, number>();
    cases.set(name, surges.set(index, surge));
  });
  return [...cases].sort(([one], [other]) => compareTexts(one, other)).map(([name, surges]) => ({ name, surges }));
}

/** Losses. Of hosts that the same groups select, the first stands for all. */
function lossCases({ hosts }: MachinesOnHosts, selecting: readonly (readonly number[])[], { loss }: CapacityOptions): LossCase[] {
  const cases = new Map<string, LossCase & { readonly hosts: number[] }>();
  hosts.forEach(({ name, zone }, host) => {
    if (loss === 'host') {
      const key = selecting[host].join();
      if (key !== '' && !cases.has(key)) cases.set(key, { name: `host ${name}`, hosts: [host] });
    } else if (loss === 'zone' && zone !== undefined) {
      const known = cases.get(zone);
      if (known) known.hosts.push(host);
      else cases.set(zone, { name: `zone ${zone}`, hosts: [host] });
    }
  });
  return [...cases.values()].sort((one, other) => compareTexts(one.name!, other.name!));
}

function lossCount({ hosts }: MachinesOnHosts, { loss }: CapacityOptions): number {
  return loss === 'host' ? hosts.length : new Set(hosts.flatMap(({ zone }) => zone ?? [])).size;
}
