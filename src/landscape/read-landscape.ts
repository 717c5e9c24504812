import { addonOf } from './addons';
import { clusterFacts, ClusterFacts, clusterId, clusterName } from './cluster-facts';
import { Addon, AddonPlace, Cluster, ClusterState, Landscape } from './cluster-model';
import { controllerOf, WORKLOAD_KINDS } from './controllers';
import { DeliveredContents } from './delivered-contents';
import { ClusterTargets, KnownCluster, placeKey } from './delivery-targets';
import { FolderDeliveries } from './folder-deliveries';
import { compareTexts } from './place';
import { PlacedObjects, ReadObject } from './placed-objects';
import { poolsOf } from './pools';
import { knownKind } from '../manifests/known-kinds';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../manifests/manifest-object';
import { CLUSTER, CLUSTER_API_GROUPS, CLUSTER_NAME_LABEL, MACHINE_HEALTH_CHECK, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts, registerProviders } from '../validation/providers';
import { fieldAt, stringAt } from '../values/fields';

/** A cluster, and what has been found of it. */
interface Parts extends KnownCluster {
  readonly facts?: ClusterFacts;
  readonly pools: ManifestObject[];
  readonly healthChecks: unknown[];
  readonly workloads: ManifestObject[];
  readonly addons: Addon[];
  readonly entries: Set<ManifestObject>;

  /** Whether there are objects that Cluster API deletes along with it. */
  hasMachinery: boolean;
}

/** Finds the clusters in manifests, and what belongs to each of them. */
export function readLandscape({ objects }: Pick<PlacedObjects, 'objects'>): Landscape {
  registerProviders();
  const folders = new FolderDeliveries(objects.filter(({ pack }) => !pack).map(({ object }) => object));
  const contents = new DeliveredContents(objects, folders);
  const index = new ManifestIndex(contents.management.map(({ object }) => object));
  // Of an object that is there twice, the first one counts.
  const once = contents.management.filter(({ object }) => index.find(groupKind(object), namespaceOf(object), nameOf(object)) === object);

  const clusters = knownClusters(once, index);
  const targets = new ClusterTargets([...clusters.values()]);
  for (const read of once) sortIn(read, clusters, contents);
  const other = sortDeliveries(once, clusters, targets, contents, index);

  const found = [...clusters.values()]
    .sort((one, another) => compareTexts(one.namespace ?? '', another.namespace ?? '') || compareTexts(one.name, another.name));
  const uses = new Map<ManifestObject, number>();
  for (const entry of found.flatMap(({ entries }) => [...entries])) uses.set(entry, (uses.get(entry) ?? 0) + 1);
  const addon = (object: ManifestObject) => addonOf(object, AddonPlace.MANAGEMENT, contents.of(object), index);
  return {
    clusters: found.map((parts) => clusterOf(parts, index, sorted([...parts.entries].map(addon)))),
    // A delivery for one cluster alone is listed with that cluster.
    otherAddons: sorted(other.filter(({ object }) => uses.get(object) !== 1).map(({ addon: one }) => one)),
  };
}

/** Every cluster that there is an object of. */
function knownClusters(objects: readonly ReadObject[], index: ManifestIndex): Map<string, Parts> {
  const clusters = new Map<string, Parts>();
  for (const { object } of objects) {
    if (groupKind(object) !== CLUSTER) continue;
    const facts = clusterFacts(object, index);
    add(clusters, { namespace: namespaceOf(object), name: clusterName(object), object, endpoint: facts.endpoint }, facts);
  }
  for (const { object } of objects) {
    const place = memberOf(object);
    // An object without a namespace may be of the whole management cluster.
    if (place?.namespace !== undefined && !clusters.has(placeKey(place.namespace, place.name))) add(clusters, place);
  }
  return clusters;
}

function add(clusters: Map<string, Parts>, cluster: Omit<KnownCluster, 'id'>, facts?: ClusterFacts): void {
  clusters.set(placeKey(cluster.namespace, cluster.name), {
    ...cluster,
    id: clusterId(cluster.namespace, cluster.name),
    facts,
    pools: [],
    healthChecks: [],
    workloads: [],
    addons: [],
    entries: new Set(),
    hasMachinery: false,
  });
}

/** The cluster that an object names. An object in the namespace of its controller belongs to none there. */
function memberOf(object: ManifestObject): { readonly namespace?: string; readonly name: string } | undefined {
  const namespace = namespaceOf(object);
  const kind = groupKind(object);
  if (kind === CLUSTER || knownKind(kind)?.besideController) return undefined;
  const stated = groupOf(object) === 'cluster.x-k8s.io' ? stringAt(object, 'spec', 'clusterName') : undefined;
  const name = stated ?? stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name === undefined ? undefined : { namespace, name };
}

function sortIn(read: ReadObject, clusters: ReadonlyMap<string, Parts>, contents: DeliveredContents): void {
  const { object } = read;
  const kind = groupKind(object);
  const place = kind === CLUSTER ? { namespace: namespaceOf(object), name: clusterName(object) } : memberOf(object);
  const cluster = place && clusters.get(placeKey(place.namespace, place.name));
  if (!cluster) return;
  const entry = contents.applierOf(read);
  if (entry && entry !== object) cluster.entries.add(entry);
  if (POOL_KINDS.includes(kind)) cluster.pools.push(object);
  if (kind === MACHINE_HEALTH_CHECK) cluster.healthChecks.push(fieldAt(object, 'spec', 'selector'));
  if (WORKLOAD_KINDS.includes(kind)) cluster.workloads.push(object);
  if (CLUSTER_API_GROUPS.includes(groupOf(object))) cluster.hasMachinery = true;
}

/** Gives deliveries to their clusters, and returns those of none. */
function sortDeliveries(
  objects: readonly ReadObject[], clusters: ReadonlyMap<string, Parts>, targets: ClusterTargets, contents: DeliveredContents, index: ManifestIndex,
): { readonly object: ManifestObject; readonly addon: Addon }[] {
  const other: { readonly object: ManifestObject; readonly addon: Addon }[] = [];
  const entries = new Set([...clusters.values()].flatMap((cluster) => [...cluster.entries]));
  for (const { object } of objects) {
    if (!deliveryFacts(object)) continue;
    const { place, clusters: goesTo } = targets.of(object);
    const addon = addonOf(object, place, contents.of(object), index);
    if (goesTo.length === 0 || entries.has(object)) other.push({ object, addon });
    else for (const { namespace, name } of goesTo) clusters.get(placeKey(namespace, name))!.addons.push(addon);
  }
  return other;
}

function clusterOf(parts: Parts, index: ManifestIndex, entries: readonly Addon[]): Cluster {
  const { id, namespace, name, facts } = parts;
  return {
    id,
    namespace,
    name,
    podCidrs: [],
    serviceCidrs: [],
    state: parts.hasMachinery ? ClusterState.INCOMPLETE : ClusterState.DECOMMISSION,
    ...facts,
    pools: poolsOf(parts.object, parts.pools, parts.healthChecks, index),
    controllers: parts.workloads.map(controllerOf).sort((one, other) => (
      compareTexts(one.role, other.role) || compareTexts(one.name, other.name) || compareTexts(one.kind, other.kind))),
    addons: sorted(parts.addons),
    entries,
  };
}

function sorted(addons: readonly Addon[]): readonly Addon[] {
  return [...addons].sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.id, other.id));
}
