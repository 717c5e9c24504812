import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { numberAt, stringAt } from '../../values/fields';
import { ManifestIndex, namespacesFor } from '../manifest-index';
import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';

/** Objects by namespace, and by the cluster there. */
type Members = ReadonlyMap<string | undefined, ReadonlyMap<string | undefined, readonly ManifestObject[]>>;

const MEMBERS = new WeakMap<ManifestIndex, Map<string, Members>>();

/**
 * The objects of a kind that belong to the cluster of another object, by `spec.clusterName`, in the order in which they were given. They
 * are sorted once for all objects, for there may be thousands.
 *
 * @param object one that belongs to a cluster
 * @param kind `group/Kind` of the others; its own kind if left out, itself included
 */
export function membersOf(object: ManifestObject, index: ManifestIndex, kind = groupKind(object)): readonly ManifestObject[] {
  return membersOfCluster(namespaceOf(object), stringAt(object, 'spec', 'clusterName'), index, kind);
}

/** The objects of a kind that belong to a cluster, by `spec.clusterName`, in the order in which they were given. */
export function membersOfCluster(
  namespace: string | undefined, cluster: string | undefined, index: ManifestIndex, kind: string,
): readonly ManifestObject[] {
  let kinds = MEMBERS.get(index);
  if (!kinds) MEMBERS.set(index, kinds = new Map());
  let members = kinds.get(kind);
  if (!members) kinds.set(kind, members = byCluster(index.all(kind)));
  const [own, other] = namespacesFor(namespace);
  return members.get(own)?.get(cluster) ?? members.get(other)?.get(cluster) ?? NONE;
}

const NONE: readonly ManifestObject[] = [];

/** True of a Cluster whose pools are there, and have no machines: it is asleep. */
export function isAsleep(cluster: ManifestObject, index: ManifestIndex): boolean {
  const pools = [MACHINE_DEPLOYMENT, MACHINE_POOL].flatMap((kind) => membersOfCluster(namespaceOf(cluster), nameOf(cluster), index, kind));
  return pools.length > 0 && pools.every((pool) => numberAt(pool, 'spec', 'replicas') === 0);
}

function byCluster(objects: readonly ManifestObject[]): Members {
  const members = new Map<string | undefined, Map<string | undefined, ManifestObject[]>>();
  for (const object of objects) {
    const [namespace, cluster] = [namespaceOf(object), stringAt(object, 'spec', 'clusterName')];
    let clusters = members.get(namespace);
    if (!clusters) members.set(namespace, clusters = new Map());
    const known = clusters.get(cluster);
    if (known) known.push(object);
    else clusters.set(cluster, [object]);
  }
  return members;
}

const MACHINERY: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL, MACHINE, MACHINE_HEALTH_CHECK];

/**
 * True if an object belongs to a cluster that is taken down: the `Cluster` is not written any more, nor is what orders machines of it, and
 * what helps while they go still is. Such an object says twice whose it is, so that a name that is mistyped once is none of these.
 *
 * @param object what refers to the cluster
 * @param name the name of the cluster that it refers to
 */
export function isOfLeavingCluster(object: ManifestObject, name: string | undefined, index: ManifestIndex): boolean {
  const namespace = namespaceOf(object);
  return name !== undefined && stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL) === name
    && index.find(CLUSTER, namespace, name) === undefined
    && MACHINERY.every((kind) => membersOfCluster(namespace, name, index, kind).length === 0);
}
