import { DEFAULT_SNAPSHOT_CLASS_ANNOTATION } from './csi-snapshot-classes-addon';
import { CLASSES_PROPERTY, KubevirtSnapshotClass, KubevirtStorageClass } from './kubevirt-storage-class';
import { CSI_DRIVER_RULES } from './rules';
import { checkDnsSubdomain } from '../../../../manifests/values/dns';
import { Problem, problemIf } from '../../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION } from '../../../../manifests/values/storage-class';
import { checkDefaultClass, checkDefaultMark, checkOneDefault, checkTaken, Placed } from '../../../addons/csi/class-checks';

/** Checks the storage classes of a cluster and their snapshot classes. */
export function checkClasses(classes: readonly KubevirtStorageClass[]): Problem[] {
  const storage = classes.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  const snapshots = storage.flatMap(({ property, given }) => (given.snapshotClasses ?? []).map((snapshot, index) => ({
    property: `${property}.snapshotClasses[${index}]`, given: snapshot,
  })));
  return [
    ...[...storage, ...snapshots].flatMap(checkInfraClass),
    ...checkTaken(CSI_DRIVER_RULES.classTaken, 'storage class', storage),
    ...checkTaken(CSI_DRIVER_RULES.classTaken, 'snapshot class', snapshots),
    ...storage.flatMap((placed) => checkDefaultMark(CSI_DRIVER_RULES.label, placed, DEFAULT_CLASS_ANNOTATION)),
    ...snapshots.flatMap((placed) => checkDefaultMark(CSI_DRIVER_RULES.label, placed, DEFAULT_SNAPSHOT_CLASS_ANNOTATION)),
    ...checkDefaultClass(CSI_DRIVER_RULES.defaultClass, CLASSES_PROPERTY, storage),
    ...checkOneDefault(CSI_DRIVER_RULES.defaultSnapshotClass, snapshots),
    ...checkSnapshotInfraClasses(storage, snapshots),
  ];
}

function checkInfraClass({ property, given }: Placed<KubevirtStorageClass | KubevirtSnapshotClass>): Problem[] {
  return problemIf(
    CSI_DRIVER_RULES.className, `${property}.infraClass`, given.infraClass === undefined ? undefined : checkDnsSubdomain(given.infraClass),
    'write the name of the class as it is in the cluster that runs the machines',
  );
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
