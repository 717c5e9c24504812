import { ClusterTargets, KnownCluster, placeKey } from './delivery-targets';
import { clusterNamedBy, knownClusters } from './known-clusters';
import { ReadObject } from './placed-objects';
import { ObjectsByTarget } from './targets';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { referencesOf } from '../rules/references/object-references';
import { deliveryFacts } from '../systems/providers';
import { fieldAt, Fields, isFields, stringAt } from '../values/fields';

/** The cluster that something belongs to. */
export type Owner = Pick<KnownCluster, 'id' | 'namespace' | 'name'>;

/**
 * Tells which cluster objects belong to: what it names, what names it, where it is delivered to. In a namespace with one cluster, everything
 * belongs to that cluster.
 */
export class ObjectOwners {
  /** The objects of the management cluster. */
  public readonly management: ManifestIndex;

  /** The clusters that there are. */
  public readonly clusters: readonly KnownCluster[];

  private readonly owners = new Map<ManifestObject, Set<Owner>>();
  private readonly alone = new Map<string, Owner | undefined>();
  private readonly targets: ClusterTargets;
  private readonly tenants = new Map<ReadonlySet<string>, ReadonlyMap<string, readonly ManifestObject[]>>();

  /** @param groups all objects */
  public constructor(private readonly groups: ObjectsByTarget) {
    const objects = (groups.get(undefined) ?? []).map(({ object }) => object);
    this.management = new ManifestIndex(objects);
    const clusters = knownClusters(objects, this.management);
    this.clusters = [...clusters.values()];
    this.targets = new ClusterTargets(this.clusters);
    for (const cluster of this.clusters) {
      const namespace = cluster.namespace ?? '';
      this.alone.set(namespace, this.alone.has(namespace) ? undefined : cluster);
    }
    for (const object of objects) {
      const place = clusterNamedBy(object);
      const owner = place && (clusters.get(placeKey(place.namespace, place.name)) ?? clusters.get(placeKey(undefined, place.name)));
      if (owner) this.own(object, owner);
    }
  }

  /**
   * The clusters that an object belongs to.
   *
   * @param read the object
   * @param target where it is applied
   */
  public of({ object, pack, deliveries = [] }: ReadObject, target: string | undefined): readonly Owner[] {
    if (target === undefined) return this.ofManagement(object);
    const found = deliveries.length > 0 ? deliveries.flatMap((delivery) => this.targets.of(delivery).clusters) : this.selectedBy(target);
    return found.length > 0 || !pack ? [...new Set(found)] : this.ofManagement(pack);
  }

  /** The objects of some clusters, and those of none. */
  public objectsOf(ids: ReadonlySet<string>): ReadObject[] {
    return [...this.groups].flatMap(([target, reads]) => reads.filter((read) => {
      const owners = this.of(read, target);
      return owners.length === 0 || owners.some(({ id }) => ids.has(id));
    }));
  }

  /**
   * The objects of some kinds that are in the tenant of a cluster.
   *
   * @param id the cluster
   * @param kinds the same kinds each time
   */
  public tenantObjects(id: string | undefined, kinds: ReadonlySet<string>): readonly ManifestObject[] {
    let known = this.tenants.get(kinds);
    if (!known) this.tenants.set(kinds, known = this.sortedByTenant(kinds));
    return id === undefined ? [] : known.get(id) ?? [];
  }

  private sortedByTenant(kinds: ReadonlySet<string>): ReadonlyMap<string, readonly ManifestObject[]> {
    const found = new Map<string, ManifestObject[]>();
    for (const [target, reads] of this.groups) {
      if (target === undefined) continue;
      for (const read of reads) {
        if (!kinds.has(groupKind(read.object))) continue;
        for (const { id } of this.of(read, target)) found.set(id, [...found.get(id) ?? [], read.object]);
      }
    }
    return found;
  }

  private ofManagement(object: ManifestObject): readonly Owner[] {
    const known = this.owners.get(object);
    if (known) return [...known];
    const delivered = deliveryFacts(object) ? this.targets.of(object).clusters : [];
    if (delivered.length > 0) return delivered;
    const namespace = groupKind(object) === '/Namespace' ? nameOf(object) : namespaceOf(object);
    const alone = namespace === undefined ? undefined : this.alone.get(namespace);
    return alone ? [alone] : [];
  }

  /** An object, and what it refers to. */
  private own(object: ManifestObject, owner: Owner): void {
    const owners = this.owners.get(object) ?? new Set();
    if (owners.has(owner)) return;
    this.owners.set(object, owners.add(owner));
    for (const { reference } of referencesOf(object)) {
      const named = this.management.find(reference.kind, reference.namespace ?? namespaceOf(object), reference.name);
      if (named) this.own(named, owner);
    }
  }

  private selectedBy(target: string): readonly Owner[] {
    const [namespace, selector] = parsed(target);
    if (!isFields(selector)) return [];
    const name = stringAt(selector, 'matchLabels', CLUSTER_NAME_LABEL);
    return this.clusters.filter((cluster) => cluster.namespace === namespace
      && (name === undefined ? selects(selector, labelsOf(cluster.object)) : cluster.name === name));
  }
}

function parsed(target: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(target);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function labelsOf(object: ManifestObject | undefined): Fields {
  const labels = fieldAt(object, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}
