import { concerns, Demand, Spread, Term } from './demand';
import { Counted, Host, isCountedOn } from './host';

/** Choice of a host: the first with room, or the emptiest, as the scheduler's default scores prefer. */
export type Choice = 'first' | 'emptiest';

/** Pods of a demand on a host. */
interface Placed {
  readonly host: number;
  readonly demand: Demand;
  readonly count: number;
}

/** A point in time of a placement. */
interface Mark {
  readonly length: number;
  readonly full: ReadonlyMap<string, number>;
}

/** Numbers of pods in the domains of a term, such as hosts or zones. */
class TermCounts {
  /** Pods that the selector selects. */
  public readonly matched = new Map<string, number>();

  /** Pods that have the term. */
  public readonly owners = new Map<string, number>();

  public constructor(public readonly term: Term) {}
}

/** A demand with the terms that it has, and those of others that are about it. */
interface Ties {
  readonly anti: readonly TermCounts[];
  readonly affinity: readonly TermCounts[];
  readonly spreads: readonly (readonly [Spread, TermCounts])[];

  /** Terms of required anti-affinity of other pods that select these. */
  readonly refusedBy: readonly TermCounts[];

  /** Every term that selects these pods. */
  readonly selectedBy: readonly TermCounts[];

  /** The terms of required anti-affinity that these pods have. */
  readonly owned: readonly TermCounts[];
}

/** Terms of all demands, which are found once. */
export class TermIndex {
  private readonly byKey = new Map<string, { readonly term: Term; isAnti: boolean }>();
  private readonly byNamespace = new Map<string | undefined, string[]>();
  private readonly tiesOf = new Map<Demand, { readonly selectedBy: readonly string[] }>();

  public constructor(demands: readonly Demand[]) {
    for (const { antiAffinity, affinity, spreads } of demands) {
      antiAffinity.forEach((term) => this.add(term, true));
      [...affinity, ...spreads].forEach((term) => this.add(term, false));
    }
  }

  public get isEmpty(): boolean {
    return this.byKey.size === 0;
  }

  /** True if terms of this demand, or of others, are about it. */
  public selecting(demand: Demand): readonly string[] {
    let found = this.tiesOf.get(demand);
    if (!found) {
      const { namespace } = demand.group;
      const candidates = [...this.byNamespace.get(namespace) ?? [], ...this.byNamespace.get(undefined) ?? []];
      this.tiesOf.set(demand, found = { selectedBy: candidates.filter((key) => concerns(this.byKey.get(key)!.term, demand.group)) });
    }
    return found.selectedBy;
  }

  public entry(key: string): { readonly term: Term; readonly isAnti: boolean } {
    return this.byKey.get(key)!;
  }

  private add(term: Term, isAnti: boolean): void {
    const key = termKey(term);
    const known = this.byKey.get(key);
    if (known) {known.isAnti ||= isAnti;} else {
      this.byKey.set(key, { term, isAnti });
      for (const namespace of term.namespaces ?? [undefined]) {
        const keys = this.byNamespace.get(namespace);
        if (keys) keys.push(key);
        else this.byNamespace.set(namespace, [key]);
      }
    }
  }
}

function termKey({ topologyKey, namespaces, selector }: Term): string {
  return JSON.stringify([topologyKey, namespaces, selector]);
}

/** Pods on hosts: none has more than it can hold, and no rule of a pod about other pods is broken. */
export class Placement {
  /** Free amounts of each host, by the index of the resource. */
  private readonly free: Float64Array[];
  private readonly closed: Uint8Array;
  private readonly resources: ReadonlyMap<string, number>;
  private readonly wanted = new Map<Counted, Float64Array>();
  private readonly log: Placed[] = [];
  private readonly counts = new Map<string, TermCounts>();
  private readonly ties = new Map<Demand, Ties>();
  private readonly total: Float64Array[];

  /** Pods that have been placed, by the index of their host. */
  private readonly podsOn = new Map<number, Map<Demand, number>>();

  /** By the size of a demand, how many of its hosts are full, from the first one on, as long as nothing is taken away. */
  private full = new Map<string, number>();

  /**
   * @param hosts the hosts
   * @param taken what is taken on each host already
   * @param terms the rules of pods about others
   */
  public constructor(
    private readonly hosts: readonly Host[], demands: readonly Demand[], taken: readonly Counted[], private readonly terms: TermIndex,
  ) {
    const requested = new Set(demands.flatMap(({ requests }) => [...requests.keys()]));
    this.resources = new Map([...requested].sort().map((resource, index) => [resource, index]));
    const amount = (host: Host, resource: string) => (isCountedOn(resource, host) ? host.allocatable.get(resource) ?? 0 : Infinity);
    this.total = hosts.map((host) => Float64Array.from([...this.resources.keys()].map((resource) => amount(host, resource))));
    const names = [...this.resources.keys()];
    this.free = this.total.map((total, at) => Float64Array.from(names.map((resource, index) => total[index] - (taken[at].get(resource) ?? 0))));
    this.closed = new Uint8Array(hosts.length);
  }

  /** Everything that is free of a resource on hosts. */
  public freeOn(hosts: readonly number[], resource: string): number {
    const index = this.resources.get(resource);
    return index === undefined ? 0 : hosts.reduce((sum, host) => sum + (this.closed[host] ? 0 : Math.max(0, this.free[host][index])), 0);
  }

  /** The number of pods with such requests that each host still holds, at most. */
  public roomFor(hosts: readonly number[], requests: Counted): number {
    const wanted = this.wantedOf(requests);
    return hosts.reduce((sum, host) => sum + (this.closed[host] ? 0 : this.fitting(host, wanted)), 0);
  }

  /** The number of domains of hosts, such as zones. A host without the label is none, and refuses no pods. */
  public domainsOf(hosts: readonly number[], topologyKey: string): number {
    const labels = hosts.map((host) => this.hosts[host].labels[topologyKey]);
    return labels.includes(undefined as unknown as string) ? Infinity : new Set(labels).size;
  }

  /** Of a resource of a host: the amount that is taken, and the whole. */
  public usage(host: number, resource: string): readonly [taken: number, total: number] {
    const index = this.resources.get(resource);
    const total = this.hosts[host].allocatable.get(resource) ?? 0;
    return [index === undefined ? 0 : this.total[host][index] - this.free[host][index], total];
  }

  /** A point in time to go back to. */
  public mark(): Mark {
    return { length: this.log.length, full: new Map(this.full) };
  }

  /** Undoes what has been placed since. */
  public rollback({ length, full }: Mark): void {
    while (this.log.length > length) {
      const { host, demand, count } = this.log.pop()!;
      this.change(host, demand, -count);
    }
    this.full = new Map(full);
  }

  /** Pods on hosts. */
  public get placed(): readonly Placed[] {
    return this.log;
  }

  /** Closes hosts, and returns the pods on them, which are gone. */
  public lose(hosts: readonly number[]): Map<Demand, number> {
    hosts.forEach((host) => { this.closed[host] = 1; });
    const lost = new Map<Demand, number>();
    for (const host of hosts) {
      for (const [demand, count] of [...this.podsOn.get(host) ?? []]) {
        this.add(host, demand, -count);
        lost.set(demand, (lost.get(demand) ?? 0) + count);
      }
    }
    return lost;
  }

  /** Opens hosts again, after a `rollback` to a point before their loss. */
  public reopen(hosts: readonly number[]): void {
    hosts.forEach((host) => { this.closed[host] = 0; });
  }

  /**
   * Places pods.
   *
   * @returns how many have no place
   */
  public place(demand: Demand, count: number, choice: Choice): number {
    const wanted = this.wantedOf(demand.requests);
    if (choice === 'emptiest' || !this.isFree(demand)) return this.placeOneByOne(demand, count, wanted, choice);
    const { eligibility: { hosts }, size } = demand;
    let left = count;
    let full = this.full.get(size) ?? 0;
    for (let index = full; index < hosts.length && left > 0; index++) {
      const fitting = this.closed[hosts[index]] ? 0 : Math.min(left, this.fitting(hosts[index], wanted));
      if (fitting > 0) {
        this.add(hosts[index], demand, fitting);
        left -= fitting;
      } else if (index === full) {full++;}
    }
    this.full.set(size, full);
    return left;
  }

  private placeOneByOne(demand: Demand, count: number, wanted: Float64Array, choice: Choice): number {
    const isFree = this.isFree(demand);
    for (let left = count; left > 0; left--) {
      const lowest = isFree ? [] : this.lowestCounts(demand);
      let [best, bestScore] = [-1, -Infinity];
      for (const host of demand.eligibility.hosts) {
        if (this.closed[host] || this.fitting(host, wanted) === 0 || (!isFree && !this.isAllowed(host, demand, lowest))) continue;
        if (choice === 'first') {
          best = host;
          break;
        }
        const score = this.emptiness(host, wanted);
        if (score > bestScore) [best, bestScore] = [host, score];
      }
      if (best < 0) return left;
      this.add(best, demand, 1);
    }
    return 0;
  }

  /** The score of NodeResourcesFit with LeastAllocated: the mean of what stays free of CPU and memory. */
  private emptiness(host: number, wanted: Float64Array): number {
    return ['cpu', 'memory'].reduce((sum, resource) => {
      const index = this.resources.get(resource);
      return index === undefined || this.total[host][index] === 0 ? sum : sum + (this.free[host][index] - wanted[index]) / this.total[host][index];
    }, 0);
  }

  private fitting(host: number, wanted: Float64Array): number {
    const free = this.free[host];
    let most = Infinity;
    for (let index = 0; index < wanted.length; index++) {
      if (wanted[index] === 0) continue;
      const count = Math.floor(free[index] / wanted[index]);
      if (count < most) most = count;
    }
    return Math.max(0, most);
  }

  private wantedOf(requests: Counted): Float64Array {
    let wanted = this.wanted.get(requests);
    if (!wanted) this.wanted.set(requests, wanted = Float64Array.from([...this.resources.keys()].map((resource) => requests.get(resource) ?? 0)));
    return wanted;
  }

  private isFree(demand: Demand): boolean {
    return this.terms.isEmpty || (demand.isFree && this.terms.selecting(demand).length === 0);
  }

  private tied(demand: Demand): Ties {
    let ties = this.ties.get(demand);
    if (!ties) {
      const selectedBy = this.terms.selecting(demand);
      const counts = (terms: readonly Term[]) => terms.map((term) => this.countsOf(termKey(term)));
      this.ties.set(demand, ties = {
        anti: counts(demand.antiAffinity),
        affinity: counts(demand.affinity),
        spreads: demand.spreads.map((spread) => [spread, this.countsOf(termKey(spread))]),
        refusedBy: selectedBy.filter((key) => this.terms.entry(key).isAnti).map((key) => this.countsOf(key)),
        selectedBy: selectedBy.map((key) => this.countsOf(key)),
        owned: counts(demand.antiAffinity),
      });
    }
    return ties;
  }

  private countsOf(key: string): TermCounts {
    let counts = this.counts.get(key);
    if (!counts) this.counts.set(key, counts = new TermCounts(this.terms.entry(key).term));
    return counts;
  }

  /** The lowest number of pods in a domain, for each spread. Lost hosts stay domains unless taints are honored: their nodes are still there, tainted. */
  private lowestCounts(demand: Demand): readonly number[] {
    return this.tied(demand).spreads.map(([spread, { matched }]) => {
      const { hosts, tainted } = demand.eligibility;
      // A host without the label of one of the spreads is a domain of none.
      const isDomain = (host: number) => demand.spreads.every(({ topologyKey }) => this.hosts[host].labels[topologyKey] !== undefined);
      // Hosts that selectors exclude count even if they are tainted: that is never too few domains.
      const possible = spread.ignoresAffinity ? [...this.hosts.keys()] : spread.honorsTaints ? hosts : [...hosts, ...tainted];
      const all = spread.honorsTaints ? possible.filter((host) => !this.closed[host]) : possible;
      const domains = new Set(all.filter(isDomain).map((host) => this.hosts[host].labels[spread.topologyKey]));
      return domains.size < spread.minDomains ? 0 : [...domains].reduce((lowest, domain) => Math.min(lowest, matched.get(domain) ?? 0), Infinity);
    });
  }

  /** Source: kubernetes/kubernetes pkg/scheduler/framework/plugins/interpodaffinity/filtering.go, plugins/podtopologyspread/filtering.go. */
  private isAllowed(host: number, demand: Demand, lowest: readonly number[]): boolean {
    const { labels } = this.hosts[host];
    const { anti, affinity, spreads, refusedBy, selectedBy } = this.tied(demand);
    const at = (counts: ReadonlyMap<string, number>, key: string) => (labels[key] === undefined ? 0 : counts.get(labels[key]) ?? 0);
    return anti.every(({ term, matched }) => at(matched, term.topologyKey) === 0)
      && refusedBy.every(({ term, owners }) => at(owners, term.topologyKey) === 0)
      && affinity.every((counts) => labels[counts.term.topologyKey] !== undefined && (at(counts.matched, counts.term.topologyKey) > 0
        || (selectedBy.includes(counts) && [...counts.matched.values()].every((count) => count === 0))))
      && spreads.every(([{ topologyKey, maxSkew }, counts], index) => labels[topologyKey] !== undefined
        && at(counts.matched, topologyKey) + (selectedBy.includes(counts) ? 1 : 0) - lowest[index] <= maxSkew);
  }

  private add(host: number, demand: Demand, count: number): void {
    this.log.push({ host, demand, count });
    this.change(host, demand, count);
  }

  private record(host: number, demand: Demand, count: number): void {
    let pods = this.podsOn.get(host);
    if (!pods) this.podsOn.set(host, pods = new Map());
    const sum = (pods.get(demand) ?? 0) + count;
    if (sum === 0) pods.delete(demand);
    else pods.set(demand, sum);
  }

  private change(host: number, demand: Demand, count: number): void {
    if (count < 0 && !this.closed[host]) this.full.clear();
    this.record(host, demand, count);
    const wanted = this.wantedOf(demand.requests);
    const free = this.free[host];
    for (let index = 0; index < wanted.length; index++) free[index] -= wanted[index] * count;
    if (this.isFree(demand)) return;
    const { labels } = this.hosts[host];
    const { selectedBy, owned } = this.tied(demand);
    const raise = (counts: Map<string, number>, key: string) => {
      if (labels[key] !== undefined) counts.set(labels[key], (counts.get(labels[key]) ?? 0) + count);
    };
    selectedBy.forEach(({ term, matched }) => raise(matched, term.topologyKey));
    owned.forEach(({ term, owners }) => raise(owners, term.topologyKey));
  }
}
