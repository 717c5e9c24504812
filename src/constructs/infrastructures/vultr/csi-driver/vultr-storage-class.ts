import { Problem, Rule } from '../../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../../../manifests/values/storage-class';
import { CLASSES_PROPERTY } from '../../../addons/csi/driver-checks';
import { checkDefaultClass, checkDefaultMark, checkTaken, Placed } from '../../../addons/csi/storage-classes';
import { VolumeAccessMode, VolumeClass } from '../../../contracts/addon';

/** Access modes and sizes of volumes of a kind of storage: one node at a time for block storage, sizes as Vultr sells them. */
type VolumeLimits = Pick<VolumeClass, 'accessModes' | 'least' | 'most' | 'step'>;

const ONE_NODE = [VolumeAccessMode.READ_WRITE_ONCE, VolumeAccessMode.READ_WRITE_ONCE_POD];

// The driver rounds sizes down to whole GiB.
const STEP = '1Gi';

/**
 * Storage that a volume is made of (vultr/vultr-csi driver/controller.go, internal/vultrstorage; sizes: docs/kubernetes/README.md).
 *
 * @example
 * const fast = { name: 'fast', storage: vultr.VultrStorage.BLOCK_NVME, isDefault: true };
 */
export class VultrStorage {
  /** Block storage on NVMe for one node at a time (`ReadWriteOnce`, `ReadWriteOncePod`), from 1Gi to 100Ti. */
  public static readonly BLOCK_NVME = new VultrStorage('block', 'nvme', { accessModes: ONE_NODE, least: '1Gi', most: '100Ti', step: STEP });

  /** Block storage on hard disks for one node at a time (`ReadWriteOnce`, `ReadWriteOncePod`), from 40Gi to 40Ti. */
  public static readonly BLOCK_HDD = new VultrStorage('block', 'hdd', { accessModes: ONE_NODE, least: '40Gi', most: '40Ti', step: STEP });

  /** A file system on NVMe that many nodes share (`ReadWriteMany`, and nothing else). */
  public static readonly FILE_SYSTEM_NVME = new VultrStorage('vfs', 'nvme', { accessModes: [VolumeAccessMode.READ_WRITE_MANY], step: STEP });

  private constructor(
    /** Parameter `storage_type` of the storage class. */
    public readonly storageType: string,
    /** Parameter `disk_type` of the storage class. */
    public readonly diskType: string,
    /** @internal */
    public readonly _limits: VolumeLimits,
  ) {}
}

/**
 * A storage class of the tenant. A machine has at most 11 volumes. The driver that is installed knows no snapshots and clones. Claims
 * among the cluster's workloads and addons are checked against the limits of the storage.
 *
 * The API server lets nothing be changed of a class under one name but `allowVolumeExpansion`, `isDefault`, labels and annotations: give
 * what is otherwise different a new name.
 *
 * Rules: `TC-STORAGE-CLAIM-ACCESS-MODE`, `TC-STORAGE-CLAIM-SIZE`, `TC-STORAGE-CLAIM-SOURCE`.
 */
export interface VultrStorageClass {
  /** Name of the StorageClass (`TC-VULTR-CSI-CLASS-NAME`, `TC-ADMIT-FIELD-METADATA`). */
  readonly name: string;

  /** Storage that its volumes are made of. */
  readonly storage: VultrStorage;

  /**
   * True if claims that name no class are of this one. Of the classes of block storage exactly one is the default, and a file system is
   * not (`TC-VULTR-CSI-DEFAULT-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * Treatment of a volume when its claim is deleted (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default VolumeReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: VolumeReclaimPolicy;

  /**
   * True if volumes can grow.
   *
   * @default true
   */
  readonly allowVolumeExpansion?: boolean;

  /**
   * When a volume is made. All machines are in one region, so that to wait for a pod brings a volume no nearer.
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
   * Annotations of the StorageClass (`TC-VULTR-CSI-LABEL`, `TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** Access modes and sizes that claims of a class can have. */
export function volumeClassOf({ name, storage, isDefault }: VultrStorageClass): VolumeClass {
  return { ...storage._limits, name, isDefault, copies: false };
}

const CLASS_NAME_RULE: Rule = {
  id: 'TC-VULTR-CSI-CLASS-NAME',
  title: 'The name of a storage class must be unique.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

const DEFAULT_ANNOTATION_RULE: Rule = {
  id: 'TC-VULTR-CSI-LABEL',
  title: 'Annotations of a storage class must not contain the annotation of isDefault.',
};

/** Checks the storage classes of a cluster. */
export function checkClasses(classes: readonly VultrStorageClass[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  return [
    ...checkTaken(CLASS_NAME_RULE, 'storage class', placed),
    ...placed.flatMap((one) => checkDefaultMark(DEFAULT_ANNOTATION_RULE, one, DEFAULT_CLASS_ANNOTATION)),
    ...checkDefault(placed),
  ];
}

const DEFAULT_CLASS_RULE: Rule = {
  id: 'TC-VULTR-CSI-DEFAULT-CLASS',
  title: 'Exactly one storage class of block storage must be the default, and no class of a file system.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass), vultr/vultr-csi driver/controller.go',
};

/** File systems are for claims that name them: most claims that name no class are for one node, which a file system refuses. */
function checkDefault(classes: readonly Placed<VultrStorageClass>[]): Problem[] {
  const rule = DEFAULT_CLASS_RULE;
  const isFileSystem = ({ given }: Placed<VultrStorageClass>): boolean => given.storage === VultrStorage.FILE_SYSTEM_NVME;
  const blocks = classes.filter((one) => !isFileSystem(one));
  return [
    ...classes.filter((one) => one.given.isDefault && isFileSystem(one)).map(({ property, given }) => ({
      rule,
      property: `${property}.isDefault`,
      message: `"${given.name}" is a file system, which refuses claims for one node (ReadWriteOnce), and most that name no class are such`,
      fix: 'make a class of block storage the default',
    })),
    ...(blocks.length > 0 ? checkDefaultClass(rule, CLASSES_PROPERTY, blocks) : []),
  ];
}
