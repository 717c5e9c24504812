import { CLUSTER_CLASS, isV1beta1 } from './cluster-api-kinds';
import { topologyPath, WorkerList } from './machine-places';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, Fields, isFields, objectsAt, stringAt } from '../../values/fields';
import { ManifestIndex } from '../manifest-index';

/** The ClusterClass of a Cluster, if it is validated together with it. */
export function classOf(cluster: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const topology = fieldAt(cluster, 'spec', 'topology');
  const [name, namespace] = isV1beta1(cluster) ? [stringAt(topology, 'class'), stringAt(topology, 'classNamespace')]
    : [stringAt(topology, 'classRef', 'name'), stringAt(topology, 'classRef', 'namespace')];
  return index.find(CLUSTER_CLASS, namespace ?? namespaceOf(cluster), name);
}

/** The pools of a Cluster's topology, or the classes of pools of a ClusterClass, each with its position. */
export function workersOf(object: ManifestObject, list: WorkerList): readonly (readonly [Fields, number])[] {
  const root = topologyPath(object);
  return root ? objectsAt(object, ...root.map(String), 'workers', list) : [];
}

/** The health check that a control plane or a pool has in a topology or a class. */
export function healthCheckOf(object: ManifestObject, owner: unknown): Fields | undefined {
  const found = fieldAt(owner, isV1beta1(object) ? 'machineHealthCheck' : 'healthCheck');
  return isFields(found) ? found : undefined;
}

/** True if a health check says when a machine is to be replaced, and not only that it is on or off. */
export function saysWhen(healthCheck: Fields | undefined): boolean {
  return healthCheck !== undefined && Object.keys(healthCheck).some((field) => field !== 'enabled' && field !== 'enable');
}

/** Labels and annotations of a class of pools. */
export function classMetadata(object: ManifestObject, workerClass: Fields): unknown {
  return isV1beta1(object) ? fieldAt(workerClass, 'template', 'metadata') : workerClass.metadata;
}
