import { Lookup } from './lookup';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { stringAt } from '../../values/fields';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../manifest-index';

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [nameOf(cluster)]);

/** True if an object says by its label to which cluster it belongs, and there is no such Cluster, wherever it may be. */
export function isClusterGone(object: ManifestObject, index: ManifestIndex): boolean {
  const name = stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name !== undefined && CLUSTERS.find(index, name).length === 0;
}
