import { CLUSTER } from './cluster-api-kinds';
import { kindsWhere, knownKind, PlacedText, StatedCluster } from '../../objects/known-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { ManifestIndex } from '../manifest-index';

/** The kinds whose objects are clusters: Cluster, and control planes that need none. */
export function clusterKinds(): string[] {
  return [CLUSTER, ...kindsWhere(({ cluster }) => cluster !== undefined)];
}

/** True if an object is a cluster. A control plane that the control plane of a Cluster owns is a part of that Cluster. */
export function isCluster(object: ManifestObject): boolean {
  const kind = groupKind(object);
  return kind === CLUSTER || (knownKind(kind)?.cluster !== undefined && !isOwned(object));
}

/** The cluster of a name, of any kind. */
export function findCluster(index: ManifestIndex, namespace: string | undefined, name: string | undefined): ManifestObject | undefined {
  return clusterKinds().map((kind) => index.find(kind, namespace, name)).find((object) => object !== undefined);
}

/** The networks that an object states that is a cluster. */
export function clusterNetwork(object: ManifestObject): Pick<StatedCluster, 'pods' | 'services' | 'domain'> {
  const known = knownKind(groupKind(object))?.cluster;
  if (known) return known(object);
  const network = ['spec', 'clusterNetwork'];
  const ranges = (list: string): PlacedText[] => (
    stringsAt(object, ...network, list, 'cidrBlocks').map(([text, index]) => ({ text, path: [...network, list, 'cidrBlocks', index] })));
  const domain = stringAt(object, ...network, 'serviceDomain');
  return { pods: ranges('pods'), services: ranges('services'), ...(domain !== undefined && { domain: { text: domain, path: [...network, 'serviceDomain'] } }) };
}

function isOwned(object: ManifestObject): boolean {
  return objectsAt(object, 'metadata', 'ownerReferences')
    .some(([owner]) => fieldAt(owner, 'controller') === true && knownKind(groupKind(owner))?.role === 'controlPlane');
}
