import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Problem, Rule } from '../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../../manifests/values/storage-class';
import { addStorageClass, checkDefaultMark, checkOneDefault, checkTaken } from '../../addons/csi/storage-classes';
import { VolumeAccessMode, VolumeClass } from '../../contracts/addon';

/** Type of a disk. Without `-a` or `-b` Nifcloud chooses one of the two, which are separate failure domains. */
export enum NifcloudDiskType {
  /** Standard disk. */
  STANDARD = 'standard',

  /** High-speed disk, A or B. */
  HIGH_SPEED = 'high-speed',

  /** High-speed disk A. */
  HIGH_SPEED_A = 'high-speed-a',

  /** High-speed disk B. */
  HIGH_SPEED_B = 'high-speed-b',

  /** Flash drive. */
  FLASH = 'flash',

  /** Standard flash drive, A or B. */
  STANDARD_FLASH = 'standard-flash',

  /** Standard flash drive A. */
  STANDARD_FLASH_A = 'standard-flash-a',

  /** Standard flash drive B. */
  STANDARD_FLASH_B = 'standard-flash-b',

  /** High-speed flash drive, A or B. */
  HIGH_SPEED_FLASH = 'high-speed-flash',

  /** High-speed flash drive A. */
  HIGH_SPEED_FLASH_A = 'high-speed-flash-a',

  /** High-speed flash drive B. */
  HIGH_SPEED_FLASH_B = 'high-speed-flash-b',
}

/** Accounting of a disk. */
export enum NifcloudDiskAccountingType {
  /** Monthly price. */
  MONTHLY = 'monthly',

  /** Hourly price. */
  HOURLY = 'hourly',
}

/** File systems that the CSI driver makes. */
export enum NifcloudFileSystem {
  /** ext2. */
  EXT2 = 'ext2',

  /** ext3. */
  EXT3 = 'ext3',

  /** ext4. */
  EXT4 = 'ext4',

  /** XFS. */
  XFS = 'xfs',
}

/**
 * A storage class of Nifcloud's additional storage. The driver creates a disk when a pod needs it, in the zone of the pod's node
 * (`WaitForFirstConsumer`; with `Immediate` the zone would be arbitrary). A disk never leaves its zone: if a zone has one node only, a
 * drain leaves the pod without a node. A node has at most 14 disks.
 *
 * The API server only accepts changes of `allowVolumeExpansion`, `isDefault`, labels and annotations of a class: for other changes use a
 * new name.
 */
export interface NifcloudStorageClass {
  /** Name of the StorageClass (`TC-ADMIT-FIELD-METADATA`, `TC-NIFCLOUD-CLASS-NAME`). */
  readonly name: string;

  /**
   * Type of the disk.
   *
   * @default NifcloudDiskType.STANDARD_FLASH_A
   */
  readonly type?: NifcloudDiskType;

  /**
   * Accounting of a disk.
   *
   * @default NifcloudDiskAccountingType.HOURLY
   */
  readonly accountingType?: NifcloudDiskAccountingType;

  /**
   * File system of volumes that are not raw blocks.
   *
   * @default NifcloudFileSystem.EXT4
   */
  readonly fsType?: NifcloudFileSystem;

  /**
   * True if this is the default class, for claims that name none. At most one class can be the default (`TC-NIFCLOUD-CLASS-DEFAULT`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * Action for a disk when its claim is deleted.
   *
   * @default VolumeReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: VolumeReclaimPolicy;

  /**
   * True if disks can grow. They do so in steps of 100 GiB, while a pod uses them.
   *
   * @default true
   */
  readonly allowVolumeExpansion?: boolean;

  /**
   * Labels of the StorageClass (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the StorageClass (`TC-ADMIT-FIELD-METADATA`, `TC-NIFCLOUD-CLASS-LABEL`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** Name of the CSI driver (nifcloud/nifcloud-additional-storage-csi-driver pkg/driver/driver.go). */
const PROVISIONER = 'additional-storage.csi.nifcloud.com';

/** Step of disk sizes. */
const STEP = '100Gi';

/** Adds the StorageClass of one class. */
export function addNifcloudStorageClass(scope: Construct, storageClass: NifcloudStorageClass): ApiObject {
  const { name, type, accountingType, fsType } = storageClass;
  return addStorageClass(scope, name, { ...storageClass, volumeBindingMode: VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER }, PROVISIONER, {
    'csi.storage.k8s.io/fstype': fsType ?? NifcloudFileSystem.EXT4,
    'type': type ?? NifcloudDiskType.STANDARD_FLASH_A,
    'accountingType': accountingType ?? NifcloudDiskAccountingType.HOURLY,
  });
}

/**
 * The capabilities of a class's volumes.
 *
 * Source: nifcloud/nifcloud-additional-storage-csi-driver pkg/driver/controller.go, pkg/cloud/cloud.go.
 */
export function volumeClassOf({ name, isDefault }: NifcloudStorageClass): VolumeClass {
  const accessModes = [VolumeAccessMode.READ_WRITE_ONCE, VolumeAccessMode.READ_WRITE_ONCE_POD];
  return { name, isDefault, accessModes, least: STEP, step: STEP, copies: false };
}

const CLASS_NAME_RULE: Rule = {
  id: 'TC-NIFCLOUD-CLASS-NAME',
  title: 'The name of a storage class must be unique.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes',
};

const CLASS_DEFAULT_RULE: Rule = {
  id: 'TC-NIFCLOUD-CLASS-DEFAULT',
  title: 'At most one storage class may be the default.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes',
};

const CLASS_LABEL_RULE: Rule = {
  id: 'TC-NIFCLOUD-CLASS-LABEL',
  title: 'Annotations of storage classes must not contain the annotation of isDefault.',
};

/** Checks the storage classes of a cluster. */
export function checkStorageClasses(classes: readonly NifcloudStorageClass[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `storageClasses[${index}]`, given }));
  return [
    ...checkTaken(CLASS_NAME_RULE, 'storage class', placed),
    ...placed.flatMap((one) => checkDefaultMark(CLASS_LABEL_RULE, one, DEFAULT_CLASS_ANNOTATION)),
    ...checkOneDefault(CLASS_DEFAULT_RULE, placed),
  ];
}
