import { VolumeReclaimPolicy } from '../../../manifests/values/storage-class';

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
  /** By the month. */
  MONTHLY = 'monthly',

  /** By the hour. */
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
  /** Name of the StorageClass (`TC-NIFCLOUD-CLASS-NAME`). */
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
   * Labels of the StorageClass (`TC-NIFCLOUD-CLASS-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the StorageClass (`TC-NIFCLOUD-CLASS-LABEL`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}
