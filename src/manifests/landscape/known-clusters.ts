import { clusterFacts, ClusterFacts, clusterId, clusterName } from './cluster-facts';
import { KnownCluster, placeKey } from './delivery-targets';
import { knownKind } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { stringAt } from '../values/fields';

/** A cluster that objects are of. */
export interface FoundCluster extends KnownCluster {
  /** What its Cluster says; nothing if there is none. */
  readonly facts?: ClusterFacts;
}

/**
 * Every cluster that there is an object of, by its place.
 *
 * @param objects the objects of the management cluster; of those with the same name the first one counts
 * @param index the same objects
 */
export function knownClusters(objects: readonly ManifestObject[], index: ManifestIndex): Map<string, FoundCluster> {
  const clusters = new Map<string, FoundCluster>();
  for (const object of objects) {
    const place = clusterNamedBy(object);
    if (!place) continue;
    const { namespace, name } = place;
    const key = placeKey(namespace, name);
    const known = { namespace, name, id: clusterId(namespace, name) };
    if (groupKind(object) === CLUSTER && !clusters.get(key)?.object) {
      const facts = clusterFacts(object, index);
      clusters.set(key, { ...known, object, endpoint: facts.endpoint, facts });
    // An object without a namespace may be of the whole management cluster.
    } else if (namespace !== undefined && !clusters.has(key)) {
      clusters.set(key, known);
    }
  }
  return clusters;
}

/** The cluster that an object is, or names. An object in the namespace of its controller belongs to none there. */
export function clusterNamedBy(object: ManifestObject): { readonly namespace?: string; readonly name: string } | undefined {
  const namespace = namespaceOf(object);
  const kind = groupKind(object);
  if (kind === CLUSTER) return { namespace, name: clusterName(object) };
  if (knownKind(kind)?.besideController) return undefined;
  const stated = groupOf(object) === 'cluster.x-k8s.io' ? stringAt(object, 'spec', 'clusterName') : undefined;
  const name = stated ?? stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name === undefined ? undefined : { namespace, name };
}
