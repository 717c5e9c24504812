import { groupKind, ManifestObject, textAt } from '../../../images/manifest-object';
import { namespaceOf } from '../manifest-fields';
import { ManifestIndex } from '../manifest-index';

const MEMBERS = new WeakMap<ManifestIndex, Map<string, ReadonlyMap<string, readonly ManifestObject[]>>>();

/**
 * The objects of a kind that belong to the cluster of another object, by `spec.clusterName`, in the order in which they were given. They
 * are sorted once for all objects, for there may be thousands.
 *
 * @param object one that belongs to a cluster
 * @param kind `group/Kind` of the others; its own kind if left out, itself included
 */
export function membersOf(object: ManifestObject, index: ManifestIndex, kind = groupKind(object)): readonly ManifestObject[] {
  let kinds = MEMBERS.get(index);
  if (!kinds) MEMBERS.set(index, kinds = new Map());
  let clusters = kinds.get(kind);
  if (!clusters) kinds.set(kind, clusters = byCluster(index.all(kind)));
  return clusters.get(clusterKey(object)) ?? [];
}

function byCluster(objects: readonly ManifestObject[]): ReadonlyMap<string, readonly ManifestObject[]> {
  const clusters = new Map<string, ManifestObject[]>();
  for (const object of objects) {
    const key = clusterKey(object);
    const known = clusters.get(key);
    if (known) known.push(object);
    else clusters.set(key, [object]);
  }
  return clusters;
}

function clusterKey(object: ManifestObject): string {
  return JSON.stringify([namespaceOf(object), textAt(object, 'spec', 'clusterName')]);
}
