import { addressPoolsOf } from './address-pools';
import { appliedStates } from './applied-objects';
import { Addon, AddonPlace, Cluster, ClusterState, Controller, ControllerRole, Landscape } from './cluster-model';
import { ClusterTargets, deliveryPlace, placeKey } from './delivery-targets';
import { appliersOf, FileAppliers } from './file-appliers';
import { clusterNamedBy, FoundCluster, knownClusters } from './known-clusters';
import { managementClusters } from './management-clusters';
import { ManifestState } from './manifest-state';
import { compareTexts } from './place';
import { fileOf, placedObjects, ReadObject } from './placed-objects';
import { poolsOf } from './pools';
import { knownKind } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { syncWave } from '../objects/prune-annotations';
import { CLUSTER_API_GROUPS, isPool, MACHINE_HEALTH_CHECK } from '../rules/cluster-api/cluster-api-kinds';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { ManifestIndex, namespacesFor } from '../rules/manifest-index';
import { deliveryFacts, providers, registerProviders } from '../systems/providers';
import { fieldAt, objectsAt, stringAt } from '../values/fields';

/**
 * Reads what an object delivers.
 *
 * @param object an object of a kind that delivers
 * @param runsIn where it is delivered to
 * @param contents kinds of the manifests in it
 * @param index all objects
 */
function addonOf(object: ManifestObject, runsIn: AddonPlace, contents: ReadonlyMap<string, number>, index: ManifestIndex): Addon {
  const wave = syncWave(object);
  const { after = [], suspended = false, isManual: _, ...delivered } = deliveryFacts(object)?.read?.(object, index) ?? {};
  const kind = groupKind(object);
  return {
    id: idOf(kind, namespaceOf(object), nameOf(object)),
    kind: String(object.kind),
    namespace: namespaceOf(object),
    name: nameOf(object) ?? '-',
    runsIn,
    after: after.map(({ namespace, name }) => idOf(kind, namespace, name)),
    suspended,
    ...(wave !== undefined && { wave }),
    ...delivered,
    contents,
  };
}

function idOf(kind: string, namespace = '', name = '-'): string {
  return `${kind}/${namespace}/${name}`;
}

/** The kinds that controllers run as. */
export const WORKLOAD_KINDS: readonly string[] = ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'];

/** By the name of an image; the first one that some image has. */
const ROLES: readonly (readonly [ControllerRole, RegExp])[] = [
  [ControllerRole.AUTOSCALER, /^cluster-autoscaler/],
  [ControllerRole.CLOUD_CONTROLLER_MANAGER, /cloud-controller-manager|-ccm$/],
  [ControllerRole.CSI_DRIVER, /(^|-)csi(-|$)/],
];

/** A controller, and what it is there for, by the names of its images. */
function controllerOf(object: ManifestObject): Controller {
  const images = objectsAt(object, 'spec', 'template', 'spec', 'containers').flatMap(([container]) => stringAt(container, 'image') ?? []);
  const found = ROLES.flatMap(([role, pattern]) => images.filter((image) => pattern.test(shortName(image))).map((image) => ({ role, image })));
  return {
    kind: String(object.kind),
    namespace: namespaceOf(object),
    name: nameOf(object) ?? '-',
    ...(found[0] ?? { role: ControllerRole.OTHER, image: images[0] }),
  };
}

/** The last part of an image's name, without tag and digest. */
function shortName(image: string): string {
  return image.split('@')[0].split('/').at(-1)!.split(':')[0];
}

/** Numbers of objects by kind. */
type Counts = Map<string, number>;

/** Contents of deliveries, as far as they were read. */
class DeliveredContents {
  /** Objects of the management cluster: what is not delivered into a tenant. */
  public readonly management: readonly ReadObject[];
  private readonly byDelivery = new Map<ManifestObject, Counts>();
  private readonly byPack = new Map<string, Counts>();
  private readonly appliers: FileAppliers;

  /**
   * @param objects all objects
   */
  public constructor(objects: readonly ReadObject[]) {
    this.appliers = new FileAppliers({ objects });
    const around = new Set<ManifestObject>();
    for (const read of objects) {
      const { object, pack } = read;
      if (pack) {
        count(this.byPack, packKey(namespaceOf(pack), pack.kind, nameOf(pack)), object);
        continue;
      }
      const delivery = this.applierOf(read);
      if (!delivery || delivery === object) continue;
      count(this.byDelivery, delivery, object);
      // Argo CD may know a management cluster as one of many.
      if (isCluster(object)) around.add(delivery);
    }
    this.management = objects.filter((read) => {
      const delivery = this.applierOf(read);
      return !read.pack && (!delivery || around.has(delivery) || deliveryPlace(delivery) === AddonPlace.MANAGEMENT);
    });
  }

  /** Kinds of what a delivery has in it, each as often as it is there. */
  public of(delivery: ManifestObject): ReadonlyMap<string, number> {
    const packs = knownKind(groupKind(delivery))?.packs?.(delivery);
    if (!packs) return sortedCounts(this.byDelivery.get(delivery) ?? new Map());
    const sum: Counts = new Map();
    for (const { kind: packKind, namespace, name } of packs.references) {
      const pack = this.byPack.get(packKey(namespace, packKind, name));
      for (const [kind, number] of pack ?? []) sum.set(kind, (sum.get(kind) ?? 0) + number);
    }
    return sortedCounts(sum);
  }

  /** Delivery that applies the file of an object. */
  public applierOf(read: ReadObject): ManifestObject | undefined {
    return appliersOf(read, this.appliers)[0];
  }
}

function count<K>(counts: Map<K, Counts>, key: K, { kind }: ManifestObject): void {
  const kinds = counts.get(key) ?? new Map<string, number>();
  kinds.set(String(kind), (kinds.get(String(kind)) ?? 0) + 1);
  counts.set(key, kinds);
}

function sortedCounts(counts: Counts): ReadonlyMap<string, number> {
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function packKey(namespace = '', kind: unknown = '', name = ''): string {
  return JSON.stringify([namespace, kind, name]);
}

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
  return joined(managementClusters([state]).map(({ name, states: [one] }) => named(readManagementCluster(withAppliers(one)), name)));
}

/** The objects of a state with what applies their files. */
function withAppliers(state: ManifestState): readonly ReadObject[] {
  const appliers = new FileAppliers(state);
  return appliers.isPlain ? state.objects : state.objects.map((read) => ({ ...read, appliers: appliersOf(read, appliers) }));
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
  return {
    clusters: landscapes.flatMap(({ clusters }) => clusters),
    otherAddons: landscapes.flatMap(({ otherAddons }) => otherAddons),
    addressPools: landscapes.flatMap(({ addressPools }) => addressPools),
    loads: landscapes.flatMap(({ loads }) => loads),
  };
}

/** A landscape with the name of its management cluster. */
function named({ clusters, otherAddons, addressPools, loads }: Landscape, managementCluster: string | undefined): Landscape {
  if (managementCluster === undefined) return { clusters, otherAddons, addressPools, loads };
  const unique = (id: string) => `${managementCluster}: ${id}`;
  const addons = (list: readonly Addon[]) => (
    list.map((addon) => ({ ...addon, managementCluster, id: unique(addon.id), after: addon.after.map(unique) }))
  );
  return {
    clusters: clusters.map((cluster) => ({
      ...cluster, managementCluster, id: unique(cluster.id), addons: addons(cluster.addons), entries: addons(cluster.entries),
    })),
    otherAddons: addons(otherAddons),
    addressPools: addressPools.map((pool) => ({ ...pool, managementCluster })),
    loads: loads.map((load) => ({ ...load, managementCluster })),
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
    addressPools: addressPoolsOf(index),
    loads: providers().flatMap(({ title, load }) => (load ? [{ system: title, ...load(index) }] : [])).filter((load) => load.objects > 0),
  };
}

function sortIn(read: ReadObject, clusters: ReadonlyMap<string, Parts>, contents: DeliveredContents): void {
  const { object } = read;
  const kind = groupKind(object);
  const place = clusterNamedBy(object);
  const keys = place ? namespacesFor(place.namespace).map((namespace) => placeKey(namespace, place.name)) : [];
  const cluster = clusters.get(keys[0]) ?? clusters.get(keys[1]);
  if (!cluster) return;
  const entry = contents.applierOf(read);
  if (entry && entry !== object) cluster.entries.add(entry);
  if (isPool(object)) cluster.pools.push(object);
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
