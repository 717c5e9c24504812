import { addonOf } from './addons';
import { appliedStates } from './applied-objects';
import { Addon, AddonPlace, Cluster, ClusterState, Landscape } from './cluster-model';
import { controllerOf, WORKLOAD_KINDS } from './controllers';
import { DeliveredContents } from './delivered-contents';
import { ClusterTargets, placeKey } from './delivery-targets';
import { clusterNamedBy, FoundCluster, knownClusters } from './known-clusters';
import { managementClusters } from './management-clusters';
import { ManifestState } from './manifest-state';
import { compareTexts } from './place';
import { fileOf, placedObjects, ReadObject } from './placed-objects';
import { poolsOf } from './pools';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER_API_GROUPS, MACHINE_HEALTH_CHECK, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts, registerProviders } from '../validation/providers';
import { fieldAt } from '../values/fields';

/** A cluster, and what has been found of it. */
interface Parts extends FoundCluster {
  readonly pools: ManifestObject[];
  readonly healthChecks: unknown[];
  readonly workloads: ManifestObject[];
  readonly addons: Addon[];
  readonly entries: Set<ManifestObject>;

  /** True if there are objects that Cluster API deletes along with it. */
  hasMachinery: boolean;
}

/**
 * Finds the clusters in manifests, and what belongs to each of them.
 *
 * @param objects all objects, or lists of them
 */
export function inventory(objects: readonly unknown[]): Landscape {
  return readLandscape(placedObjects([fileOf(objects)]));
}

/** Finds the clusters in manifests, and what belongs to each of them. */
export function readLandscape(state: ManifestState): Landscape {
  return joined(managementClusters([state]).map(({ name, states: [{ objects }] }) => named(readManagementCluster(objects), name)));
}

/** Finds the clusters in two states, in which each has the same name, as a plan compares them: with what is applied. */
export function readStates(before: ManifestState, after: ManifestState): readonly [before: Landscape, after: Landscape] {
  const found = managementClusters([before, after]).map(({ name, states: [old, now] }) => {
    const applied = appliedStates(old, now);
    return [applied.before, applied.after].map((objects) => named(readManagementCluster(objects), name));
  });
  return [joined(found.map(([old]) => old)), joined(found.map(([, now]) => now))];
}

function joined(landscapes: readonly Landscape[]): Landscape {
  return { clusters: landscapes.flatMap(({ clusters }) => clusters), otherAddons: landscapes.flatMap(({ otherAddons }) => otherAddons) };
}

/** A landscape with the name of its management cluster. */
function named({ clusters, otherAddons }: Landscape, managementCluster: string | undefined): Landscape {
  if (managementCluster === undefined) return { clusters, otherAddons };
  const idOf = (id: string) => `${managementCluster}: ${id}`;
  const addons = (list: readonly Addon[]) => list.map((addon) => ({ ...addon, managementCluster, id: idOf(addon.id), after: addon.after.map(idOf) }));
  return {
    clusters: clusters.map((cluster) => ({
      ...cluster, managementCluster, id: idOf(cluster.id), addons: addons(cluster.addons), entries: addons(cluster.entries),
    })),
    otherAddons: addons(otherAddons),
  };
}

/** Finds the clusters in the manifests of one management cluster. */
export function readManagementCluster(objects: readonly ReadObject[]): Landscape {
  registerProviders();
  const contents = new DeliveredContents(objects);
  const index = new ManifestIndex(contents.management.map(({ object }) => object));
  // Of an object that is there twice, the first one counts.
  const once = contents.management.filter(({ object }) => index.find(groupKind(object), namespaceOf(object), nameOf(object)) === object);

  const known = knownClusters(once.map(({ object }) => object), index);
  const clusters = new Map([...known].map(([key, cluster]): [string, Parts] => [key, {
    ...cluster, pools: [], healthChecks: [], workloads: [], addons: [], entries: new Set(), hasMachinery: false,
  }]));
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

function sortIn(read: ReadObject, clusters: ReadonlyMap<string, Parts>, contents: DeliveredContents): void {
  const { object } = read;
  const kind = groupKind(object);
  const place = clusterNamedBy(object);
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
    labels: new Map(),
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
