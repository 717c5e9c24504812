import { clusterParts } from './cluster-parts';
import { Carrier, ClusterMove, MovedObject, NamedCluster } from './move-model';
import { moveSteps } from './move-steps';
import { movedObjects } from './moved-objects';
import { sideChecks } from './side-checks';
import { Cluster } from '../landscape/cluster-model';
import { ObjectOwners } from '../landscape/object-owners';
import { ReadObject } from '../landscape/placed-objects';
import { readManagementCluster, WORKLOAD_KINDS } from '../landscape/read-landscape';
import { byTarget } from '../landscape/targets';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { MoveFacts, MoveSide } from '../rules/move-facts';
import { deliveryFacts, providers, registerProviders } from '../systems/providers';
import { checkDnsSubdomain } from '../values/dns';

/** The manifests of a management cluster. */
export interface SideManifests {
  /** Its name, which is that of the context of kubectl too. */
  readonly name: string;
  readonly objects: readonly ReadObject[];
}

/** The clusters of a management cluster that have a Cluster, sorted. */
export function clustersOf({ objects }: SideManifests): readonly NamedCluster[] {
  return readManagementCluster(objects).clusters.filter(isWhole).map(({ namespace, name }) => ({ namespace, name }));
}

function isWhole({ infrastructure, controlPlane, clusterClass }: Cluster): boolean {
  return (infrastructure ?? controlPlane ?? clusterClass) !== undefined;
}

/**
 * The move of a cluster from one management cluster to another: what cannot move, what goes how, and the steps.
 *
 * @param cluster one of `clustersOf`
 */
export function clusterMove(from: SideManifests, to: SideManifests, cluster: NamedCluster): ClusterMove {
  registerProviders();
  const [former, next] = [from, to].map(sideOf);
  const sides = { from: former, to: next };
  const landscape = readManagementCluster(from.objects);
  const found = landscape.clusters.find(({ namespace, name }) => namespace === cluster.namespace && name === cluster.name)!;
  const inNamespace = managementObjects(from.objects).filter((object) => namespaceOf(object) === cluster.namespace && isNamed(object));
  const parts = clusterParts(cluster, former.index);
  const facts = [...inNamespace, ...parts.made].flatMap((object): MoveFacts[] => (
    providers().flatMap(({ moves }) => moves?.[groupKind(object)]?.(object, sides) ?? [])));
  const neighbours = landscape.clusters.filter(isWhole).filter(({ namespace }) => namespace === cluster.namespace);
  const named = movedObjects(inNamespace, former.index, neighbours.map(({ name }) => name), facts.flatMap(({ carried = [] }) => carried));
  const isElsewhere = ({ by, namespace }: MovedObject) => by === Carrier.LABEL && namespace !== cluster.namespace;
  const objects = named.filter((object) => !isElsewhere(object));
  const elsewhere = named.filter(isElsewhere).map((object) => lookElsewhere(object, to.name));
  const checks = sideChecks(found, sides, neighbours);
  const obstacles = unique([...checks.obstacles, ...parts.obstacles, ...facts.flatMap((one) => one.obstacles ?? [])]);
  const owners = new ObjectOwners(byTarget(from.objects));
  const ofCluster = (object: ManifestObject) => owners.of({ object } as ReadObject, undefined).some(({ id }) => id === found.id);
  const names = new Set(found.entries.map(({ kind, namespace, name }) => JSON.stringify([kind, namespace, name])));
  const deliveries = managementObjects(from.objects).filter((object) => deliveryFacts(object) && isNamed(object));
  return {
    cluster,
    from: from.name,
    to: to.name,
    obstacles,
    lookups: [...new Set([...checks.lookups, ...elsewhere, ...facts.flatMap((one) => one.lookups ?? [])])],
    objects,
    steps: obstacles.length > 0 ? [] : moveSteps({
      namespace: cluster.namespace ?? 'default',
      name: cluster.name,
      from: from.name,
      to: to.name,
      index: former.index,
      entries: deliveries.filter((object) => names.has(JSON.stringify([String(object.kind), namespaceOf(object), nameOf(object)]))),
      deliveries: deliveries.filter(ofCluster),
      controllers: inNamespace.filter((object) => WORKLOAD_KINDS.includes(groupKind(object)) && ofCluster(object)),
      objects,
      facts,
    }),
  };
}

/** clusterctl looks for objects with the label in the namespace of the move alone (objectgraph.go, Discovery). */
function lookElsewhere({ kind, namespace, name, why }: MovedObject, to: string): string {
  return `${kind.slice(kind.indexOf('/') + 1)} ${namespace ?? 'default'}/${name} is in ${to}: ${why ?? 'it is needed'}, and clusterctl takes nothing from another namespace`;
}

function sideOf({ name, objects }: SideManifests): MoveSide {
  const index = new ManifestIndex(managementObjects(objects));
  const pools = index.kinds().flatMap((kind) => index.all(kind).flatMap((object) => (
    providers().flatMap(({ addressPools }) => addressPools?.[kind]?.(object) ?? []))));
  return { name, index, serviceAddresses: pools.filter(({ receivers }) => receivers !== undefined).flatMap(({ ranges = [] }) => ranges) };
}

/** The objects of a management cluster itself, as they are written: not those of tenants, and none that is packed in another. */
export function managementObjects(objects: readonly ReadObject[]): ManifestObject[] {
  return (byTarget(objects).get(undefined) ?? []).filter(({ pack }) => !pack).map(({ object }) => object);
}

/** Commands have names of objects in them: others than servers accept do not get there. */
function isNamed(object: ManifestObject): boolean {
  return checkDnsSubdomain(nameOf(object) ?? '') === undefined;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
