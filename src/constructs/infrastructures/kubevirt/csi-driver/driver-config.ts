import { Yaml } from 'cdk8s';
import { KubevirtStorageClass } from './kubevirt-storage-class';
import { ClusterIdentity } from '../../../contracts/api-server-address';

/** Name of the driver, which storage classes refer to (kubevirt/csi-driver pkg/service/driver.go). */
export const DRIVER_NAME = 'csi.kubevirt.io';

/** Key of the ConfigMap, as upstream has it. */
export const ENFORCEMENT_KEY = 'infraStorageClassEnforcement';

/**
 * The labels by which the driver tells the volumes and snapshots of one tenant from those of all others, as its flag takes them: a list of
 * `key=value`.
 *
 * Name and namespace of a cluster are DNS labels, which hold neither `=` nor `,`, and no other cluster has both. What the driver made
 * under other labels it would no longer touch, so that they must never change.
 */
export function infraClusterLabels({ namespace, name }: ClusterIdentity): string {
  return `cluster.x-k8s.io/cluster-name=${name},cluster.x-k8s.io/cluster-namespace=${namespace}`;
}

/**
 * Which storage the tenant may have, in the terms of the driver (kubevirt/csi-driver pkg/util/util.go). It ignores keys that it does not
 * know without a word, and of several groups of a mapping with one storage class it sees the first: each class has one group.
 */
export function storageClassEnforcement(classes: readonly KubevirtStorageClass[]): string {
  const mapping = new Map<string, Set<string>>();
  for (const { infraClass, snapshotClasses = [] } of classes) {
    if (infraClass === undefined) continue;
    const snapshots = mapping.get(infraClass) ?? new Set<string>();
    mapping.set(infraClass, snapshots);
    snapshotClasses.forEach((snapshot) => snapshot.infraClass !== undefined && snapshots.add(snapshot.infraClass));
  }
  const allowList = [...mapping.keys()].sort();
  const groups = allowList.filter((infraClass) => mapping.get(infraClass)!.size > 0)
    .map((infraClass) => ({ storageClasses: [infraClass], volumeSnapshotClasses: [...mapping.get(infraClass)!].sort() }));
  return Yaml.stringify({
    allowAll: false,
    allowDefault: classes.some(({ infraClass }) => infraClass === undefined),
    allowList,
    ...(groups.length > 0 && { storageSnapshotMapping: groups }),
  });
}
