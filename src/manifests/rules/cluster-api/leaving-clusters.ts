import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { membersOfCluster } from './cluster-members';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { stringAt } from '../../values/fields';
import { ManifestIndex } from '../manifest-index';

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
