import { clusterFacts, clusterId, clusterName } from './cluster-facts';
import { ClusterTargets, KnownCluster, placeKey } from './delivery-targets';
import { ReadObject } from './placed-objects';
import { ObjectsByTarget } from './targets';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../manifests/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { referencesOf } from '../rules/references/object-references';
import { deliveryFacts } from '../validation/providers';
import { fieldAt, Fields, isFields, stringAt } from '../values/fields';

/** The cluster that something belongs to. */
export type Owner = Pick<KnownCluster, 'id' | 'namespace' | 'name'>;

/**
 * Tells which cluster objects belong to: what it names, what names it, where it is delivered to. In a namespace with one cluster, everything
 * belongs to that cluster.
 */
export class ObjectOwners {
  private readonly clusters: readonly KnownCluster[];
  private readonly owners = new Map<ManifestObject, Owner>();
  private readonly alone = new Map<string, Owner | undefined>();
  private readonly targets: ClusterTargets;

  /** @param groups all objects */
  public constructor(groups: ObjectsByTarget) {
    const management = (groups.get(undefined) ?? []).map(({ object }) => object);
    const index = new ManifestIndex(management);
    this.clusters = knownClusters(management, index);
    this.targets = new ClusterTargets(this.clusters);
    for (const cluster of this.clusters) {
      const namespace = cluster.namespace ?? '';
      this.alone.set(namespace, this.alone.has(namespace) ? undefined : cluster);
    }
    const byPlace = new Map(this.clusters.map((cluster) => [placeKey(cluster.namespace, cluster.name), cluster]));
    for (const object of management) {
      const place = placeOf(object);
      const owner = place && byPlace.get(placeKey(place.namespace, place.name));
      if (owner) this.own(object, owner, index);
    }
  }

  /**
   * The cluster that an object belongs to; undefined for none, or several.
   *
   * @param read the object
   * @param target where it is applied
   */
  public of({ object, pack }: ReadObject, target: string | undefined): Owner | undefined {
    if (target === undefined) return this.ofManagement(object);
    return this.selectedBy(target) ?? (pack && this.ofManagement(pack));
  }

  private ofManagement(object: ManifestObject): Owner | undefined {
    const known = this.owners.get(object);
    if (known) return known;
    const delivered = deliveryFacts(object) ? this.targets.of(object).clusters : [];
    if (delivered.length > 0) return delivered.length === 1 ? delivered[0] : undefined;
    const namespace = groupKind(object) === '/Namespace' ? nameOf(object) : namespaceOf(object);
    return namespace === undefined ? undefined : this.alone.get(namespace);
  }

  /** An object, and what it refers to. */
  private own(object: ManifestObject, owner: Owner, index: ManifestIndex): void {
    if (this.owners.has(object)) return;
    this.owners.set(object, owner);
    for (const { reference } of referencesOf(object)) {
      const named = index.find(reference.kind, reference.namespace ?? namespaceOf(object), reference.name);
      if (named) this.own(named, owner, index);
    }
  }

  private selectedBy(target: string): Owner | undefined {
    const [namespace, selector] = parsed(target);
    if (!isFields(selector)) return undefined;
    const name = stringAt(selector, 'matchLabels', CLUSTER_NAME_LABEL);
    const found = this.clusters.filter((cluster) => cluster.namespace === namespace
      && (name === undefined ? selects(selector, labelsOf(cluster.object)) : cluster.name === name));
    return found.length === 1 ? found[0] : undefined;
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

function knownClusters(objects: readonly ManifestObject[], index: ManifestIndex): KnownCluster[] {
  const clusters = new Map<string, KnownCluster>();
  for (const object of objects) {
    const place = placeOf(object);
    if (!place) continue;
    const key = placeKey(place.namespace, place.name);
    const isCluster = groupKind(object) === CLUSTER;
    if (clusters.has(key) && !isCluster) continue;
    clusters.set(key, {
      ...place, id: clusterId(place.namespace, place.name), ...(isCluster && { object, endpoint: clusterFacts(object, index).endpoint }),
    });
  }
  return [...clusters.values()];
}

/** The cluster that an object is, or names. */
function placeOf(object: ManifestObject): { readonly namespace?: string; readonly name: string } | undefined {
  const namespace = namespaceOf(object);
  if (groupKind(object) === CLUSTER) return { namespace, name: clusterName(object) };
  if (namespace === undefined) return undefined;
  const stated = groupOf(object) === 'cluster.x-k8s.io' ? stringAt(object, 'spec', 'clusterName') : undefined;
  const name = stated ?? stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name === undefined ? undefined : { namespace, name };
}
