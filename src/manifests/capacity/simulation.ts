import { CapacityOptions, LeftPods, Scenario, Verdict } from './capacity-model';
import { Demand, Demands, hasRevisions } from './demand';
import { Counted, Host, PODS } from './host';
import { Choice, Placement, TermIndex } from './placement';
import { PlacedPods } from './pod-group';
import { findShortage, Wanted } from './shortage';
import { compareTexts } from '../landscape/place';

/** Clusters that roll out at the same time, and the pods that come with it. */
interface RolloutCase {
  readonly name?: string;
  readonly wanted: readonly Wanted[];
}

/** Hosts that are lost at the same time. */
interface LossCase {
  readonly name?: string;
  readonly hosts: readonly number[];
}

/** So many times everything is placed anew before a question counts as open. */
const MOST_ATTEMPTS = 24;

/** Looks at hosts for pods, one by one, that are made in a placement. */
const MOST_LOOKS = 20_000_000;

/** Places everything on hosts, and again after losses and in rollouts. */
export class Simulation {
  private readonly demands: readonly Demand[];

  /** The demands of pods that a rollout makes. */
  private readonly further: readonly Demand[];
  private readonly terms: TermIndex;
  private readonly sizes: ReadonlyMap<Demand, number>;
  private readonly wanted: readonly Wanted[];
  private readonly rollouts: readonly RolloutCase[];
  private readonly losses: readonly LossCase[];
  private first?: readonly [Placement, readonly Wanted[]];
  private attempts = 0;

  /**
   * @param hosts the hosts
   * @param pods what needs room on them
   * @param taken what is taken on each host already
   */
  public constructor(
    private readonly hosts: readonly Host[], pods: PlacedPods, private readonly taken: readonly Counted[], options: CapacityOptions,
  ) {
    const finder = new Demands(hosts);
    this.demands = pods.groups.map((group) => finder.of(group));
    this.further = pods.groups.map((group, index) => (group.surge > 0 && hasRevisions(group) ? finder.of(group, 'new') : this.demands[index]));
    this.terms = new TermIndex([...this.demands, ...this.further]);
    this.sizes = this.sizesOf([...this.demands, ...this.further]);
    this.wanted = this.ordered(this.demands.map((demand) => ({ demand, count: demand.group.maximum })).filter(({ count }) => count > 0));
    this.rollouts = this.rolloutCases(pods, options);
    this.losses = lossCases(hosts, options);
  }

  /** Everything at its largest, as far as it was placed. */
  public get placement(): Placement {
    return this.base[0];
  }

  private get base(): readonly [Placement, readonly Wanted[]] {
    return this.first ??= this.attempt(this.wanted, []);
  }

  /** The answers, each beside the former. */
  public scenarios(): Scenario[] {
    return this.questions().map((answer) => answer());
  }

  /** True if everything fits: the first answer that says no is the last. */
  public fits(): boolean {
    return this.questions(true).every((answer) => answer().verdict === 'fits');
  }

  /** True if it is proved that everything at its largest does not fit. */
  public isShort(): boolean {
    return findShortage(this.wanted, this.empty(), []) !== undefined;
  }

  /** The questions; `isHasty` is true if the first case that does not fit is enough. */
  private questions(isHasty = false): (() => Scenario)[] {
    const [still, nothing] = [{ hosts: [] }, { wanted: [] }];
    const { rollouts, losses } = this;
    return [
      () => this.scenario('maximum', [still], [nothing], isHasty),
      ...rollouts.length === 0 ? [] : [() => this.scenario('rollout', [still], rollouts, isHasty)],
      ...losses.length === 0 ? [] : [() => this.scenario('loss', losses, rollouts.length > 0 ? rollouts : [nothing], isHasty)],
    ];
  }

  /** True if everything fits, too, when each pod goes to the emptiest host; undefined if that would take long. */
  public fitsEvenly(): boolean | undefined {
    if (podsIn(this.wanted) * this.hosts.length > MOST_LOOKS) return undefined;
    const wanted = this.demands.map((demand) => ({ demand, count: demand.group.maximum }));
    return placedInTurn(this.empty(), wanted, 'emptiest').length === 0;
  }

  private scenario(name: Scenario['name'], losses: readonly LossCase[], rollouts: readonly RolloutCase[], isHasty: boolean): Scenario {
    const cases = losses.length * rollouts.length;
    const gone = losses.flatMap(({ hosts }) => this.wanted.filter(isLostWith(hosts)));
    const lost = gone.length === 0 ? {} : { lost: gone.map(({ demand: { group }, count }): LeftPods => ({ group, count })) };
    let open: Scenario | undefined;
    for (const loss of losses) {
      for (const rollout of this.failingRollouts(loss, rollouts)) {
        const failed = this.failure(loss, rollout);
        if (!failed) continue;
        const failing = { ...(loss.name !== undefined && { lost: loss.name }), ...(rollout.name !== undefined && { rollout: rollout.name }) };
        if (failed.verdict === 'short' || isHasty) return { name, cases, failing, ...failed, ...lost };
        open ??= { name, cases, failing, ...failed, ...lost };
      }
    }
    return open ?? { name, verdict: 'fits', cases, left: [], ...lost };
  }

  /** The rollouts that do not fit beside what is placed already, when the pods of lost hosts have been moved to others. */
  private failingRollouts({ hosts }: LossCase, rollouts: readonly RolloutCase[]): readonly RolloutCase[] {
    const [placement, left] = this.base;
    if (left.length > 0) return rollouts;
    const mark = placement.mark();
    const isLost = isLostWith(hosts);
    const moved = this.ordered([...placement.lose(hosts)].map(([demand, count]) => ({ demand, count })).filter((one) => !isLost(one)));
    const places = moved.every(({ demand, count }) => placement.place(demand, count, 'first') === 0);
    const failing = !places ? rollouts : rollouts.filter(({ wanted }) => {
      const before = placement.mark();
      const fits = wanted.every((one) => isLost(one) || placement.place(one.demand, one.count, 'first') === 0);
      placement.rollback(before);
      return !fits;
    });
    placement.rollback(mark);
    placement.reopen(hosts);
    return failing;
  }

  /** Places everything anew; undefined if it fits then. */
  private failure({ hosts }: LossCase, { wanted }: RolloutCase): Pick<Scenario, 'verdict' | 'left' | 'shortage'> | undefined {
    const isLost = isLostWith(hosts);
    const all = this.ordered([...this.wanted, ...wanted].filter((one) => !isLost(one)));
    const free = this.empty();
    free.lose(hosts);
    const shortage = findShortage(all, free, hosts);
    if (!shortage && this.attempts >= MOST_ATTEMPTS) return { verdict: 'open', left: [] };
    this.attempts++;
    const [, left] = this.attempt(all, hosts);
    if (left.length === 0) return undefined;
    const sums = new Map<Demand, number>();
    left.forEach(({ demand, count }) => sums.set(demand, (sums.get(demand) ?? 0) + count));
    const pods = [...sums].map(([{ group }, count]): LeftPods => ({ group, count }));
    const verdict: Verdict = shortage ? 'short' : 'open';
    return { verdict, left: pods, ...(shortage && { shortage }) };
  }

  private attempt(all: readonly Wanted[], lost: readonly number[]): readonly [Placement, readonly Wanted[]] {
    let best: readonly [Placement, readonly Wanted[]] | undefined;
    const isFast = podsIn(all) * this.hosts.length <= MOST_LOOKS;
    const orders: readonly (readonly [readonly Wanted[], Choice])[] = [
      [all, 'first'], [byRestriction(all), 'first'], ...isFast ? [[all, 'emptiest'] as const] : [],
    ];
    for (const [wanted, choice] of orders) {
      const placement = this.empty();
      placement.lose(lost);
      const left = placedInTurn(placement, wanted, choice);
      if (left.length === 0) return [placement, left];
      if (!best || podsIn(left) < podsIn(best[1])) best = [placement, left];
    }
    return best!;
  }

  private empty(): Placement {
    return new Placement(this.hosts, this.demands, this.taken, this.terms);
  }

  /** The largest pods first, by the largest share of what their hosts have on average: they have the least choice. */
  private ordered(wanted: readonly Wanted[]): Wanted[] {
    return [...wanted].sort(({ demand: one }, { demand: other }) => (
      Number(one.isFree) - Number(other.isFree) || this.sizes.get(other)! - this.sizes.get(one)!));
  }

  private sizesOf(demands: readonly Demand[]): ReadonlyMap<Demand, number> {
    const averages = new Map<string, number>();
    for (const { allocatable } of this.hosts) {
      for (const [resource, amount] of allocatable) averages.set(resource, (averages.get(resource) ?? 0) + amount / this.hosts.length);
    }
    return new Map(demands.map((demand) => [demand, [...demand.requests].reduce((most, [resource, amount]) => (
      Math.max(most, amount / (averages.get(resource) ?? Number.MIN_VALUE))), 0)]));
  }

  private rolloutCases({ groups, clusters }: PlacedPods, options: CapacityOptions): RolloutCase[] {
    const cases = new Map<string, Wanted[]>();
    groups.forEach(({ cluster, surge }, index) => {
      const name = surge > 0 ? rolloutName(cluster, clusters, options) : undefined;
      if (name === undefined) return;
      const wanted = cases.get(name) ?? [];
      wanted.push({ demand: this.further[index], count: surge });
      cases.set(name, wanted);
    });
    // Of clusters that come with the same pods, one stands for all.
    const distinct = new Map<string, RolloutCase>();
    for (const [name, wanted] of [...cases].sort(([one], [other]) => compareTexts(one, other))) {
      const isTied = (demand: Demand) => !demand.isFree || this.terms.selecting(demand).length > 0;
      const key = JSON.stringify(wanted.map(({ demand, count }) => [count, demand.eligibility.key, [...demand.requests], isTied(demand) ? name : '']));
      if (!distinct.has(key)) distinct.set(key, { name, wanted: this.ordered(wanted) });
    }
    return [...distinct.values()];
  }
}

/** Finds pods that name the zone that they are for, when all of their hosts are lost. */
function isLostWith(lost: readonly number[]): (one: Wanted) => boolean {
  const gone = new Set(lost);
  return ({ demand: { isZonal, eligibility: { hosts } } }) => isZonal && gone.size > 0 && hosts.length > 0 && hosts.every((host) => gone.has(host));
}

function podsIn(wanted: readonly Wanted[]): number {
  return wanted.reduce((sum, { count }) => sum + count, 0);
}

/** Places pods in their order, and those that are left again as long as others have found a place since: they may ask for these. */
function placedInTurn(placement: Placement, wanted: readonly Wanted[], choice: Choice): Wanted[] {
  const place = (all: readonly Wanted[]) => all.flatMap(({ demand, count }): Wanted[] => {
    const unplaced = placement.place(demand, count, choice);
    return unplaced === 0 ? [] : [{ demand, count: unplaced }];
  });
  let left = place(wanted);
  for (let before = podsIn(wanted); left.length > 0 && podsIn(left) < before;) {
    before = podsIn(left);
    left = place(left);
  }
  return left;
}

/** Sorts pods by the number of their hosts, the fewest first. */
function byRestriction(wanted: readonly Wanted[]): Wanted[] {
  return [...wanted].sort((one, other) => one.demand.eligibility.hosts.length - other.demand.eligibility.hosts.length);
}

function lossCases(hosts: readonly Host[], { loss }: CapacityOptions): LossCase[] {
  if (loss === 'none') return [];
  if (loss === 'host') return hosts.map(({ name }, index) => ({ name: `host ${name}`, hosts: [index] }));
  const zones = new Map<string, number[]>();
  hosts.forEach(({ zone }, index) => {
    if (zone === undefined) return;
    const inZone = zones.get(zone);
    if (inZone) inZone.push(index);
    else zones.set(zone, [index]);
  });
  return [...zones].sort(([one], [other]) => compareTexts(one, other)).map(([zone, indices]) => ({ name: `zone ${zone}`, hosts: indices }));
}

/** The name of the rollout that the pods of a cluster take part in; undefined if there is none. */
export function rolloutName(cluster: string | undefined, clusters: PlacedPods['clusters'], { rollout, ringLabel }: CapacityOptions): string | undefined {
  if (rollout === 'none') return undefined;
  if (rollout === 'all') return 'all clusters';
  if (cluster === undefined || rollout === 'cluster') return cluster;
  const ring = clusters.get(cluster)?.[ringLabel ?? ''];
  return ring === undefined ? `${cluster}, which has no ring` : `ring ${ring}`;
}

/** Requests of pods that stay on hosts, by the index of the host. */
export function takenOn(hosts: readonly Host[], additional: readonly (readonly [host: number, requests: Counted])[]): Counted[] {
  const taken = hosts.map(() => new Map<string, number>());
  for (const [host, requests] of additional) {
    for (const [resource, amount] of requests) taken[host].set(resource, (taken[host].get(resource) ?? 0) + amount);
    if (!requests.has(PODS)) taken[host].set(PODS, (taken[host].get(PODS) ?? 0) + 1);
  }
  return taken;
}
