import { DEFAULT_SNAPSHOT_CLASS_ANNOTATION } from './csi-snapshot-classes-addon';
import { KubevirtFileSystem, KubevirtSnapshotClass, KubevirtStorageClass, KubevirtVolumeBus } from './kubevirt-storage-class';
import { CSI_DRIVER_RULES } from './rules';
import { VolumeSnapshotClassDeletionPolicy } from '../../../imports/snapshot.storage.k8s.io';
import { checkChoice, checkDefaultClass, checkMetadata, checkOneDefault, checkTaken, Placed } from '../../csi/class-checks';
import { Problem, problemIf } from '../../problems/problem';
import { checkDnsSubdomain } from '../../values/dns';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../values/storage-class';

/** Name of the property of a cluster that holds the classes. */
const PROPERTY = 'infrastructure.storageClasses';

/** Checks the storage classes of a cluster and their snapshot classes. */
export function checkClasses(classes: readonly KubevirtStorageClass[]): Problem[] {
  const storage = classes.map((given, index) => ({ property: `${PROPERTY}[${index}]`, given }));
  const snapshots = storage.flatMap(({ property, given }) => (given.snapshotClasses ?? []).map((snapshot, index) => ({
    property: `${property}.snapshotClasses[${index}]`, given: snapshot,
  })));
  return [
    ...[...storage, ...snapshots].flatMap(checkNames),
    ...checkTaken(CSI_DRIVER_RULES.classTaken, 'storage class', storage),
    ...checkTaken(CSI_DRIVER_RULES.classTaken, 'snapshot class', snapshots),
    ...storage.flatMap(checkStorageChoices),
    ...snapshots.flatMap(({ property, given }) => checkChoice(CSI_DRIVER_RULES.choice, `${property}.deletionPolicy`, given.deletionPolicy, VolumeSnapshotClassDeletionPolicy)),
    ...storage.flatMap((placed) => checkMetadata(CSI_DRIVER_RULES.label, placed, DEFAULT_CLASS_ANNOTATION)),
    ...snapshots.flatMap((placed) => checkMetadata(CSI_DRIVER_RULES.label, placed, DEFAULT_SNAPSHOT_CLASS_ANNOTATION)),
    ...checkDefaultClass(CSI_DRIVER_RULES.defaultClass, PROPERTY, storage),
    ...checkOneDefault(CSI_DRIVER_RULES.defaultSnapshotClass, snapshots),
    ...checkSnapshotInfraClasses(storage, snapshots),
  ];
}

function checkNames({ property, given }: Placed<KubevirtStorageClass | KubevirtSnapshotClass>): Problem[] {
  const rule = CSI_DRIVER_RULES.className;
  return [
    ...problemIf(rule, `${property}.name`, checkDnsSubdomain(given.name), 'rename the class'),
    ...problemIf(rule, `${property}.infraClass`, given.infraClass === undefined ? undefined : checkDnsSubdomain(given.infraClass),
      'write the name of the class as it is in the cluster that runs the machines'),
  ];
}

function checkStorageChoices({ property, given }: Placed<KubevirtStorageClass>): Problem[] {
  return [
    ...checkChoice(CSI_DRIVER_RULES.choice, `${property}.bus`, given.bus, KubevirtVolumeBus),
    ...checkChoice(CSI_DRIVER_RULES.choice, `${property}.fsType`, given.fsType, KubevirtFileSystem),
    ...checkChoice(CSI_DRIVER_RULES.choice, `${property}.reclaimPolicy`, given.reclaimPolicy, VolumeReclaimPolicy),
    ...checkChoice(CSI_DRIVER_RULES.choice, `${property}.volumeBindingMode`, given.volumeBindingMode, VolumeBindingMode),
  ];
}

function checkSnapshotInfraClasses(storage: readonly Placed<KubevirtStorageClass>[], snapshots: readonly Placed<KubevirtSnapshotClass>[]): Problem[] {
  const rule = CSI_DRIVER_RULES.snapshotClass;
  const open = storage.find(({ given }) => given.infraClass === undefined);
  return snapshots.filter(({ given }) => (given.infraClass === undefined) !== (open !== undefined)).map(({ property, given }) => (open ? {
    rule,
    property: `${property}.infraClass`,
    message: `"${open.given.name}" (${open.property}) names no infraClass, and the driver then ignores "${given.infraClass}" and takes the default snapshot class`,
    fix: `name the infraClass of "${open.given.name}", or leave this one out`,
  } : {
    rule,
    property: `${property}.infraClass`,
    message: `"${given.name}" names no class of the cluster that runs the machines, and the driver refuses its snapshots`,
    fix: 'name the snapshot class there',
  }));
}
