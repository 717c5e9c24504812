import { desiredObjects, TopologyObjects } from './desired-objects';
import { PatchStop, TopologyStop, TopologyUnknown } from './outcome';
import { RANDOM } from './template-objects';
import { NotComputed, TemplateFault } from '../go-template/faults';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';

/**
 * The objects that the topology controller makes of a Cluster; undefined where they do not follow from the manifests.
 *
 * @param cluster the Cluster
 * @param index all objects
 */
export function computedTopology(cluster: ManifestObject, index: ManifestIndex): TopologyObjects | undefined {
  try {
    const made = desiredObjects(cluster, index);
    return made.unknown.length === 0 ? made : undefined;
  } catch (error) {
    if ([TopologyStop, TopologyUnknown, TemplateFault, NotComputed].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** The patch of a ClusterClass that does not apply to the templates of a Cluster, and why; undefined if all do, or if that is not known. */
export function brokenPatch(cluster: ManifestObject, index: ManifestIndex): string | undefined {
  try {
    desiredObjects(cluster, index);
    return undefined;
  } catch (error) {
    if (error instanceof PatchStop) return error.message;
    if ([TopologyStop, TopologyUnknown, TemplateFault, NotComputed].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** The name of an object that the topology controller makes; undefined if it is random. */
export function computedName(object: ManifestObject): string | undefined {
  const name = nameOf(object);
  return name?.endsWith(RANDOM) ? undefined : name;
}
