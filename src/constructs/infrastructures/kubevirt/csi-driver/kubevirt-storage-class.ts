import { checkDnsSubdomain } from '../../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../../../manifests/values/storage-class';
import type { SnapshotDeletionPolicy } from '../../../addons/catalog/snapshot-controller';
import { CLASSES_PROPERTY } from '../../../addons/csi/driver-checks';
import { checkDefaultClass, checkDefaultMark, checkOneDefault, checkTaken, Placed } from '../../../addons/csi/storage-classes';
import { VolumeAccessMode, VolumeClass } from '../../../contracts/addon';

/** Name of the driver, which storage classes refer to (kubevirt/csi-driver pkg/service/driver.go). */
export const DRIVER_NAME = 'csi.kubevirt.io';

/** The annotation of the class that snapshots get which name none. */
export const DEFAULT_SNAPSHOT_CLASS_ANNOTATION = 'snapshot.storage.kubernetes.io/is-default-class';

/** Bus that attaches a volume to a running virtual machine; no other bus can (kubevirt/kubevirt pkg/storage/admitters/storagehotplug.go). */
export enum KubevirtVolumeBus {
  /** As a SCSI disk. */
  SCSI = 'scsi',

  /** As a virtio disk. Each takes a PCIe port of the machine, of which there are few. */
  VIRTIO = 'virtio',
}

/** File systems that the CSI driver can make (kubevirt/csi-driver Dockerfile, with e2fsprogs and xfsprogs). */
export enum KubevirtFileSystem {
  /** ext3. */
  EXT3 = 'ext3',

  /** ext4. */
  EXT4 = 'ext4',

  /** XFS. */
  XFS = 'xfs',
}

/** A kind of snapshots that volumes of a storage class can have. */
export interface KubevirtSnapshotClass {
  /** Name of the VolumeSnapshotClass in the tenant (`TC-ADMIT-FIELD-METADATA`, `TC-KUBEVIRT-CSI-CLASS-TAKEN`). */
  readonly name: string;

  /**
   * Name of the VolumeSnapshotClass in the cluster that runs the machines. It is given if, and only if, every storage class of the list
   * names its `infraClass`.
   *
   * Rules: `TC-KUBEVIRT-CSI-CLASS-NAME`, `TC-KUBEVIRT-INFRA-SNAPSHOT-CLASS`, `TC-KUBEVIRT-CSI-SNAPSHOT-CLASS`.
   *
   * @default - the default snapshot class there
   */
  readonly infraClass?: string;

  /**
   * True if snapshots that name no class are of this one. At most one class is the default (`TC-KUBEVIRT-CSI-DEFAULT-SNAPSHOT-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * Treatment of a snapshot in the storage when its VolumeSnapshot is deleted (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default SnapshotDeletionPolicy.DELETE
   */
  readonly deletionPolicy?: SnapshotDeletionPolicy;

  /**
   * Labels of the VolumeSnapshotClass, e.g. `velero.io/csi-volumesnapshot-class: "true"` (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the VolumeSnapshotClass (`TC-KUBEVIRT-CSI-LABEL`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/**
 * A storage class of the tenant, backed by one of the cluster that runs the machines. Tenants get volumes of the storage that is listed,
 * and of no other.
 *
 * Volumes that one node mounts at a time (`ReadWriteOnce`) may hold a file system or be raw blocks; volumes for many nodes
 * (`ReadWriteMany`, `ReadOnlyMany`) must be raw blocks, of storage that can do that. The driver knows of no zones: the storage must be
 * reachable from every host. It takes no mount options either: those of a class would be ignored.
 *
 * The API server lets nothing be changed of a class under one name but `allowVolumeExpansion`, `isDefault`, labels and annotations: give
 * what is otherwise different a new name. A class can be removed from the list while it has volumes; they stay.
 *
 * Rule: `TC-STORAGE-CLAIM-ACCESS-MODE`, for claims among the workloads and addons. Source: kubevirt/csi-driver pkg/service/controller.go,
 * node.go; kubernetes/kubernetes pkg/apis/storage/validation/validation.go.
 */
export interface KubevirtStorageClass {
  /** Name of the StorageClass in the tenant (`TC-ADMIT-FIELD-METADATA`, `TC-KUBEVIRT-CSI-CLASS-TAKEN`). */
  readonly name: string;

  /**
   * Name of the StorageClass in the cluster that runs the machines.
   *
   * If one class of the list leaves it out, the driver puts every snapshot of the tenant into the default snapshot class there, so that
   * no snapshot class can name its own.
   *
   * Rules: `TC-KUBEVIRT-CSI-CLASS-NAME`, `TC-KUBEVIRT-INFRA-CLASS`, `TC-KUBEVIRT-INFRA-LOCAL`, `TC-KUBEVIRT-CSI-SNAPSHOT-CLASS`.
   *
   * @default - the default storage class there
   */
  readonly infraClass?: string;

  /**
   * True if claims that name no class are of this one. Exactly one class of the list is the default (`TC-KUBEVIRT-CSI-DEFAULT-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * Bus that attaches volumes to the machines (`TC-TRAP-KUBEVIRT-STORAGE-BUS`).
   *
   * @default KubevirtVolumeBus.SCSI
   */
  readonly bus?: KubevirtVolumeBus;

  /**
   * File system of volumes that are no raw blocks.
   *
   * @default KubevirtFileSystem.EXT4
   */
  readonly fsType?: KubevirtFileSystem;

  /**
   * Treatment of a volume when its claim is deleted (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default VolumeReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: VolumeReclaimPolicy;

  /**
   * True if volumes can grow. The storage class in the cluster that runs the machines must allow it, too (`TC-KUBEVIRT-INFRA-EXPANSION`).
   *
   * @default true
   */
  readonly allowVolumeExpansion?: boolean;

  /**
   * When a volume is made. The driver knows of no zones, so that to wait for a pod brings a volume no nearer to it.
   *
   * Rule: `TC-ADMIT-FIELD-VALUE`.
   *
   * @default VolumeBindingMode.IMMEDIATE
   */
  readonly volumeBindingMode?: VolumeBindingMode;

  /**
   * Labels of the StorageClass (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the StorageClass (`TC-KUBEVIRT-CSI-LABEL`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Snapshots that volumes of the class can have. The cluster needs the addon that brings snapshots, such as `new SnapshotController()`.
   *
   * Once no class of the list has any, no controller deletes existing snapshots.
   *
   * Rule: `TC-ADDON-REQUIREMENT`.
   *
   * @default - none
   */
  readonly snapshotClasses?: KubevirtSnapshotClass[];
}

/** All snapshot classes of a list of storage classes, in its order. */
export function snapshotClassesOf(classes: readonly KubevirtStorageClass[]): KubevirtSnapshotClass[] {
  return classes.flatMap(({ snapshotClasses = [] }) => snapshotClasses);
}

const ONE_NODE = [VolumeAccessMode.READ_WRITE_ONCE, VolumeAccessMode.READ_WRITE_ONCE_POD];

/** Access modes that claims of a class can have (kubevirt/csi-driver pkg/service/controller.go). */
export function volumeClassOf({ name, isDefault }: KubevirtStorageClass): VolumeClass {
  return { name, isDefault, accessModes: ONE_NODE, blockAccessModes: Object.values(VolumeAccessMode) };
}

const CLASS_TAKEN_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-CLASS-TAKEN',
  title: 'The names of storage classes must be unique in a cluster, and so must those of snapshot classes.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

const DEFAULT_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-DEFAULT-CLASS',
  title: 'Exactly one storage class of a cluster must be the default: without one, claims without a class wait for ever; of two, the younger wins.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
};

const DEFAULT_ANNOTATION_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-LABEL',
  title: 'Annotations of classes must not contain the annotation of isDefault.',
};

const DEFAULT_SNAPSHOT_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-DEFAULT-SNAPSHOT-CLASS',
  title: 'At most one snapshot class of a driver must be the default: with two, snapshots without a class fail.',
  source: 'kubernetes-csi/external-snapshotter pkg/common-controller/snapshot_controller.go',
};

/** Checks the storage classes of a cluster and their snapshot classes. */
export function checkClasses(classes: readonly KubevirtStorageClass[]): Problem[] {
  const storage = classes.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  const snapshots = storage.flatMap(({ property, given }) => (given.snapshotClasses ?? []).map((snapshot, index) => ({
    property: `${property}.snapshotClasses[${index}]`, given: snapshot,
  })));
  return [
    ...[...storage, ...snapshots].flatMap(checkInfraClass),
    ...checkTaken(CLASS_TAKEN_RULE, 'storage class', storage),
    ...checkTaken(CLASS_TAKEN_RULE, 'snapshot class', snapshots),
    ...storage.flatMap((placed) => checkDefaultMark(DEFAULT_ANNOTATION_RULE, placed, DEFAULT_CLASS_ANNOTATION)),
    ...snapshots.flatMap((placed) => checkDefaultMark(DEFAULT_ANNOTATION_RULE, placed, DEFAULT_SNAPSHOT_CLASS_ANNOTATION)),
    ...checkDefaultClass(DEFAULT_CLASS_RULE, CLASSES_PROPERTY, storage),
    ...checkOneDefault(DEFAULT_SNAPSHOT_CLASS_RULE, snapshots),
    ...checkSnapshotInfraClasses(storage, snapshots),
  ];
}

const INFRA_CLASS_NAME_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-CLASS-NAME',
  title: 'Names of storage and snapshot classes in the cluster that runs the machines must be valid.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

function checkInfraClass({ property, given }: Placed<KubevirtStorageClass | KubevirtSnapshotClass>): Problem[] {
  return problemIf(
    INFRA_CLASS_NAME_RULE, `${property}.infraClass`, given.infraClass === undefined ? undefined : checkDnsSubdomain(given.infraClass),
    'write the name of the class as it is in the cluster that runs the machines',
  );
}

const SNAPSHOT_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-SNAPSHOT-CLASS',
  title: 'Snapshot classes must name their infrastructure class if all storage classes do, and only then: the driver requires the name then, and ignores it otherwise.',
  source: 'kubevirt/csi-driver pkg/kubevirt/client.go',
};

function checkSnapshotInfraClasses(storage: readonly Placed<KubevirtStorageClass>[], snapshots: readonly Placed<KubevirtSnapshotClass>[]): Problem[] {
  const rule = SNAPSHOT_CLASS_RULE;
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
