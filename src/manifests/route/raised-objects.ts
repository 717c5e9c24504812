import { ReadObject } from '../landscape/placed-objects';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { MACHINE_TEMPLATE_HOLDERS } from '../rules/cluster-api/cluster-api-kinds';
import { versionField } from '../rules/cluster-api/version-field';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { ManifestIndex } from '../rules/manifest-index';
import { clusterOfOwner, partOf } from '../rules/references/object-references';
import { pointerTo, stringAt, withValues } from '../values/fields';

/**
 * Writes another version of Kubernetes into clusters: into the Cluster with a topology, its control plane, and its pools.
 *
 * @param objects all objects of a management cluster
 * @param versions the new version of each cluster that gets one, without `v`
 * @param index the same objects
 */
export function raisedObjects(
  objects: readonly ReadObject[], versions: ReadonlyMap<ManifestObject, string>, index: ManifestIndex,
): readonly ReadObject[] {
  const planes = new Map([...versions].flatMap(([cluster, version]) => {
    const plane = partOf(cluster, 'controlPlaneRef', index);
    return plane ? [[plane, version] as const] : [];
  }));
  const versionOf = (object: ManifestObject): string | undefined => {
    if (isCluster(object) && versions.has(object)) return versions.get(object);
    if (planes.has(object)) return planes.get(object);
    const cluster = MACHINE_TEMPLATE_HOLDERS.includes(groupKind(object)) ? clusterOfOwner(object, index) : undefined;
    return cluster && versions.get(cluster);
  };
  return objects.map((read) => {
    const { object } = read;
    const version = read.pack ? undefined : versionOf(object);
    const field = versionField(object);
    const former = version === undefined ? undefined : stringAt(object, ...field);
    if (former === undefined) return read;
    const written = `${former.startsWith('v') ? 'v' : ''}${version}`;
    return former === written ? read : { ...read, object: withValues(object, new Map([[pointerTo(field.map(String)), written]])) };
  });
}
