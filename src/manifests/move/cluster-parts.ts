import { NamedCluster } from './move-model';
import { ManifestObject } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { MoveFinding } from '../rules/move-facts';
import { ClusterPart, partOf, partReference } from '../rules/references/object-references';
import { computedName, computedTopology } from '../topology/computed-topology';
import { isSet } from '../values/fields';

/** The objects that a cluster is put together from, as far as they are not among those of its namespace. */
interface ClusterParts {
  /** Objects that Cluster API makes of a ClusterClass. */
  readonly made: readonly ManifestObject[];

  /** Reasons that what moves cannot be told. */
  readonly obstacles: readonly MoveFinding[];
}

const PARTS: readonly ClusterPart[] = ['controlPlaneRef', 'infrastructureRef'];

/** Looks for the control plane and the infrastructure of a cluster: without them, it is not known what must be done beside `clusterctl move`. */
export function clusterParts({ namespace, name }: NamedCluster, index: ManifestIndex): ClusterParts {
  const cluster = index.find(CLUSTER, namespace, name);
  if (!cluster) return stuck('it has no Cluster, and clusterctl moves nothing of it', 'make a new cluster beside it');
  if (isSet(cluster, 'spec', 'topology') && !partReference(cluster, 'controlPlaneRef')) return topologyParts(cluster, index);
  const missing = PARTS.flatMap((part) => (partOf(cluster, part, index) ? [] : partReference(cluster, part) ?? []));
  return {
    made: [],
    obstacles: missing.map(({ kind, name: other }) => ({
      message: `${kind.slice(kind.indexOf('/') + 1)} ${other} is not among the manifests, and what it needs for a move cannot be told`, fix: 'add it to the folder',
    })),
  };
}

function topologyParts(cluster: ManifestObject, index: ManifestIndex): ClusterParts {
  const topology = computedTopology(cluster, index);
  if (!topology) return stuck('its objects are made from a ClusterClass, and cannot be computed from these manifests', 'add the ClusterClass and its templates to the folder');
  const made = [topology.controlPlane.object, topology.infrastructureCluster];
  return made.every((object) => computedName(object) !== undefined) ? { made, obstacles: [] }
    : stuck(
      'its control plane or infrastructure has a random name, which the steps need',
      'write what the living Cluster has in controlPlaneRef and infrastructureRef, and those objects, into a copy of the folder',
    );
}

function stuck(message: string, fix: string): ClusterParts {
  return { made: [], obstacles: [{ message, fix }] };
}
