import { PersistentVolumeAccessMode, PersistentVolumeMode } from 'cdk8s-plus-28';

/** One combination in which a StorageClass makes volumes: an entry of `claimPropertySets` in its `StorageProfile`. */
export interface ClaimPropertySet {
  /**
   * Access modes, at least one. Live migration needs `ReadWriteMany` among them.
   *
   * Rule: `TC-MANAGEMENT-CAPABILITIES-ENTRY`.
   */
  readonly accessModes: PersistentVolumeAccessMode[];

  /**
   * Form of the volumes: block devices or file systems.
   *
   * @default PersistentVolumeMode.FILE_SYSTEM
   */
  readonly volumeMode?: PersistentVolumeMode;
}

/** A StorageClass of a cluster that runs machines. */
export interface InfraStorageClass {
  /**
   * Name of the StorageClass, once in the list.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-ENTRY`, `TC-MANAGEMENT-CAPABILITIES-TWICE`.
   */
  readonly name: string;

  /**
   * True if claims get it that name no class: annotation `storageclass.kubernetes.io/is-default-class`. One class of a cluster at most
   * (`TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * True if disks of virtual machines get it that name no class, in place of the default: annotation
   * `storageclass.kubevirt.io/is-default-virt-class`. One class of a cluster at most (`TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS`).
   *
   * @default false
   */
  readonly isDefaultForMachines?: boolean;

  /**
   * How volumes of the class can be had, in the order of `status.claimPropertySets` of its `StorageProfile`: a disk without settings gets
   * the first (kubevirt/containerized-data-importer pkg/controller/datavolume/util.go).
   *
   * @default - not known: neither access modes nor volume modes are checked
   */
  readonly claimPropertySets?: ClaimPropertySet[];

  /**
   * True if volumes can grow: `allowVolumeExpansion` of the StorageClass.
   *
   * @default - not known, and not checked
   */
  readonly allowVolumeExpansion?: boolean;

  /**
   * Names of the VolumeSnapshotClasses that make snapshots of its volumes: those of the same driver. None where the list is empty.
   *
   * @default - not known, and not checked
   */
  readonly snapshotClasses?: string[];

  /**
   * True if a volume can be used on one host only, as local disks. A pod of the tenant could not follow its volume, since KubeVirt's
   * storage driver knows no topology (kubevirt/csi-driver issue 66).
   *
   * @default false
   */
  readonly local?: boolean;
}
