import { Cluster, NamedObject } from '../../manifests/landscape/cluster-model';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { readLandscape } from '../../manifests/landscape/read-landscape';
import { ManifestObject, nameOf, namespaceOf } from '../../manifests/objects/manifest-object';

/** A cluster of a state of manifests. */
export interface ClusterState {
  readonly objects: readonly ReadObject[];

  /** Undefined if the manifests have no such cluster. */
  readonly cluster?: Cluster;

  /** The names of all clusters, with their namespaces. */
  readonly known: readonly string[];
}

/**
 * Finds a cluster in manifests.
 *
 * @param objects the manifests
 * @param id namespace and name of the cluster
 */
export function clusterState(objects: readonly ReadObject[], id: string): ClusterState {
  const { clusters } = readLandscape({ objects });
  return { objects, cluster: clusters.find((cluster) => cluster.id === id), known: clusters.map((cluster) => cluster.id) };
}

/** The object that stands behind a part of a cluster. */
export function objectOf(objects: readonly ReadObject[], { kind, namespace, name }: NamedObject): ManifestObject | undefined {
  return objects.find(({ object, pack }) => (
    !pack && object.kind === kind && namespaceOf(object) === namespace && nameOf(object) === name))?.object;
}

/** The name of a part as the user gave it: objects have the name of their cluster before it. */
export function partName(name: string, { namespace = '', name: cluster }: Pick<Cluster, 'namespace' | 'name'>): string {
  const prefix = [`${namespace}-${cluster}-`, `${cluster}-`, `${cluster}.`].find((one) => name.startsWith(one)) ?? '';
  return name.slice(prefix.length);
}
