import { Difference } from './paired-objects';
import { PlannedCluster } from './plan-model';
import { clusterName, namesWords } from './plan-words';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../systems/providers';

/** The clusters of a plan, each with a note of those that it comes after because its deliveries depend on theirs. */
export class ClusterWaits {
  /** The clusters whose differences a delivery applies. */
  private readonly clusters = new Map<ManifestObject, Set<string>>();

  /** The deliveries of each cluster. */
  private readonly deliveries = new Map<string, Set<ManifestObject>>();

  // Each is looked up once: a fleet has many clusters that all wait for the same.
  private readonly direct = new Map<ManifestObject, readonly ManifestObject[]>();
  private readonly before = new Map<ManifestObject, ReadonlySet<ManifestObject>>();
  private readonly earlier = new Map<string, ReadonlySet<string>>();

  /**
   * @param differences what differs of each cluster, by its id
   * @param now the objects of the management cluster after the change
   */
  public constructor(differences: ReadonlyMap<string | undefined, readonly Difference[]>, private readonly now: ManifestIndex) {
    for (const [id, own] of differences) {
      if (id === undefined) continue;
      const appliers = own.filter(({ made }) => !made).flatMap((difference) => difference.appliers);
      const deliveries = new Set(appliers.map((delivery) => this.later(delivery) ?? delivery));
      this.deliveries.set(id, deliveries);
      for (const delivery of deliveries) {
        const known = this.clusters.get(delivery);
        if (known) known.add(id);
        else this.clusters.set(delivery, new Set([id]));
      }
    }
  }

  /** A cluster with the note. `named` finds the cluster of an id. */
  public noted(id: string, cluster: PlannedCluster, named: (id: string) => PlannedCluster): PlannedCluster {
    const last = this.lastBefore(id);
    if (last.length === 0) return cluster;
    const names = namesWords(last.map((one) => clusterName(named(one))).sort());
    return { ...cluster, notes: [...cluster.notes, `applied after ${names}: ${this.reason(id)}`] };
  }

  private reason(id: string): string {
    const [words] = [...this.deliveries.get(id)!].flatMap((delivery) => {
      const names = this.after(delivery).filter((one) => [one, ...this.allBefore(one)].some((other) => this.clusters.has(other))).map(nameOf);
      return names.length === 0 ? [] : [`${String(delivery.kind)} ${nameOf(delivery)} depends on ${names.join(', ')}`];
    });
    return words;
  }

  /** The clusters before a cluster that come before no other of them. */
  private lastBefore(id: string): readonly string[] {
    const earlier = new Set<string>();
    const bySize = [...this.clustersBefore(id)].sort((one, other) => this.clustersBefore(other).size - this.clustersBefore(one).size);
    return bySize.filter((one) => {
      if (earlier.has(one)) return false;
      for (const other of this.clustersBefore(one)) earlier.add(other);
      return true;
    });
  }

  /** The clusters that come before a cluster with every delivery that it has. Those that wait for each other have no order. */
  private clustersBefore(id: string): ReadonlySet<string> {
    return this.known(this.earlier, id, () => {
      const [first, ...others] = [...this.deliveries.get(id) ?? []].map((delivery) => (
        new Set([...this.allBefore(delivery)].filter((one) => !this.allBefore(one).has(one)).flatMap((one) => [...this.clusters.get(one) ?? []]))));
      return new Set([...first ?? []].filter((one) => one !== id && others.every((other) => other.has(one))));
    });
  }

  /** The deliveries that a delivery depends on, and those that they do. */
  private allBefore(delivery: ManifestObject): ReadonlySet<ManifestObject> {
    return this.known(this.before, delivery, () => {
      const found = new Set<ManifestObject>();
      const queue = [...this.after(delivery)];
      for (let one = queue.pop(); one; one = queue.pop()) {
        if (found.has(one)) continue;
        found.add(one);
        queue.push(...this.after(one));
      }
      return found;
    });
  }

  private after(delivery: ManifestObject): readonly ManifestObject[] {
    return this.known(this.direct, delivery, () => {
      const { after = [] } = deliveryFacts(delivery)?.read?.(delivery, this.now) ?? {};
      return after.flatMap(({ namespace, name }) => {
        const found = this.now.find(groupKind(delivery), namespace, name);
        return found ? [found] : [];
      });
    });
  }

  private known<Key, Value>(values: Map<Key, Value>, key: Key, find: () => Value): Value {
    const former = values.get(key);
    if (former !== undefined) return former;
    const found = find();
    values.set(key, found);
    return found;
  }

  private later(delivery: ManifestObject): ManifestObject | undefined {
    return this.now.find(groupKind(delivery), namespaceOf(delivery), nameOf(delivery));
  }
}
