/** Number of nodes and pods that use a volume at a time. */
export enum VolumeAccessMode {
  /** One node reads and writes. */
  READ_WRITE_ONCE = 'ReadWriteOnce',

  /** One pod reads and writes. */
  READ_WRITE_ONCE_POD = 'ReadWriteOncePod',

  /** Many nodes read. */
  READ_ONLY_MANY = 'ReadOnlyMany',

  /** Many nodes read and write. */
  READ_WRITE_MANY = 'ReadWriteMany',
}

/**
 * What volumes of a storage class can be, as the CSI driver behind it has it. Claims of a cluster's workloads and addons are checked at
 * synthesis; the driver would refuse them at run time, and the pods wait for ever.
 */
export interface VolumeClass {
  /** Name of the StorageClass. */
  readonly name: string;

  /**
   * True if claims that name no class are of this one.
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /** Access modes that volumes with a file system can have (`TC-STORAGE-CLAIM-ACCESS-MODE`). */
  readonly accessModes: VolumeAccessMode[];

  /**
   * Access modes that raw block volumes can have (`TC-STORAGE-CLAIM-ACCESS-MODE`).
   *
   * @default - the same
   */
  readonly blockAccessModes?: VolumeAccessMode[];

  /**
   * The smallest volume, as a Kubernetes quantity (`TC-STORAGE-CLAIM-SIZE`).
   *
   * @default - any size
   */
  readonly least?: string;

  /**
   * The largest volume, as a Kubernetes quantity (`TC-STORAGE-CLAIM-SIZE`).
   *
   * @default - any size
   */
  readonly most?: string;

  /**
   * What sizes are multiples of, as a Kubernetes quantity (`TC-STORAGE-CLAIM-SIZE`).
   *
   * @default - any size
   */
  readonly step?: string;

  /**
   * True if a volume can begin as a copy of a snapshot or of another volume (`TC-STORAGE-CLAIM-SOURCE`).
   *
   * @default true
   */
  readonly copies?: boolean;
}
