import { CurrentState, TopologyObjects } from './desired-objects';
import { storedTopology, WorkerList } from './stored-topology';
import { deferredBy, versionOf } from './upgrade-order';
import { ManifestObject, nameOf } from '../objects/manifest-object';

/**
 * Existing objects of a topology when a later state of its Cluster is applied.
 *
 * @param topology what was made of the earlier state
 * @param cluster the Cluster in the later state
 */
export function currentState({ blueprint, infrastructureCluster, controlPlane, pools }: TopologyObjects, cluster: ManifestObject): CurrentState {
  const find = (list: WorkerList, name: string) => pools.find((pool) => pool.list === list && pool.name === name);
  const { workers } = storedTopology(cluster);
  return {
    variables: blueprint.variables,
    infrastructureCluster: nameOf(infrastructureCluster),
    controlPlane: nameOf(controlPlane.object),
    pool: (list, name) => nameOf(find(list, name)?.object ?? {}),
    versionOf: (list, own, version) => {
      const known = find(list, String(own.name));
      return known && deferredBy(workers[list], known.name) !== undefined ? versionOf(known.object) : version;
    },
  };
}
