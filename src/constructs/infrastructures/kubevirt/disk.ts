import { Size, SizeRoundingBehavior } from 'cdk8s';
import { PersistentVolumeAccessMode, PersistentVolumeMode } from 'cdk8s-plus-28';
import { DataVolumeFields, DataVolumeTemplate, DiskFields, VolumeFields } from './template-types';
import { Quantity } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Rule } from '../../../manifests/values/problem';
import { checkQuantity } from '../../../manifests/values/quantity';
import { PropertyReport } from '../../app/problems/problems';
import { ClusterContext } from '../../contracts/cluster-context';

const UNITS = ['Mi', 'Gi', 'Ti'];

/** A size in MiB, fractions included. */
export function mebibytes(size: Size): number {
  return size.toMebibytes({ rounding: SizeRoundingBehavior.NONE });
}

/**
 * A size as a Kubernetes quantity in the largest unit that fits exactly, so that one size has one text however it was written:
 * `Size.mebibytes(2048)` and `Size.gibibytes(2)` are both `2Gi`.
 */
export function sizeText(size: Size): string {
  let amount = mebibytes(size);
  let unit = 0;
  while (unit < UNITS.length - 1 && amount > 0 && amount % 1024 === 0) {
    amount /= 1024;
    unit++;
  }
  return `${amount}${UNITS[unit]}`;
}

/** True if a size is a whole number of MiB above 0 that Kubernetes can count. */
export function isWhole(size: Size): boolean {
  return Number.isSafeInteger(mebibytes(size)) && checkQuantity(sizeText(size), { positive: true }) === undefined;
}

/** Name of the disk that a machine boots from. */
export const ROOT_DISK = 'root';

/** Block sizes that a disk shows to the guest. */
export interface BlockSize {
  /** Smallest unit that the guest addresses, in bytes: a power of two from 512 to 2097152 (`TC-TRAP-KUBEVIRT-BLOCK-SIZE`). */
  readonly logical: number;

  /** Unit that the storage writes at once, in bytes: a power of two from `logical` to 2097152 (`TC-TRAP-KUBEVIRT-BLOCK-SIZE`). */
  readonly physical: number;
}

/** Options of any disk of a machine. */
export interface DiskOptions {
  /**
   * Block sizes to show to the guest in place of the storage's own. An image made for 512-byte blocks does not boot from storage
   * with 4096-byte ones unless it is shown a logical size of 512
   * (kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go, `BlockSize`).
   *
   * @default - what QEMU shows: 512 bytes
   */
  readonly blockSize?: BlockSize;
}

/** Source of the content of a disk. */
export interface DiskSource {
  /** Options of the disk. */
  readonly options: DiskOptions;
  /** Size of the disk, where it is known. */
  readonly size?: Size;
  /** True if the content outlives a restart of the virtual machine. */
  readonly persistent: boolean;
  /** Access mode that the volume was asked for by name. */
  readonly accessMode?: string;
  /** The volume, without its name. */
  readonly volume: (disk: string, cluster: ClusterContext) => Omit<VolumeFields, 'name'>;
  /** The template of the DataVolume behind the volume, where there is one. */
  readonly dataVolume?: (disk: string, cluster: ClusterContext) => DataVolumeTemplate;
  /** Checks the source. */
  readonly check: (report: PropertyReport, cluster: ClusterContext) => void;
}

/** A disk, the volume behind it, and the DataVolume behind that. */
export interface RenderedDisk {
  readonly disk: DiskFields;
  readonly volume: VolumeFields;
  readonly dataVolume?: DataVolumeTemplate;
}

/**
 * Renders a disk on the virtio bus.
 *
 * @param name name of the disk, the volume and the DataVolume template
 * @param source its source
 * @param cluster the cluster that the machine belongs to
 * @param serial serial number, by which the guest finds the disk in `/dev/disk/by-id`
 */
export function renderDisk(name: string, source: DiskSource, cluster: ClusterContext, serial?: string): RenderedDisk {
  const { blockSize } = source.options;
  return {
    disk: { name, disk: { bus: 'virtio' }, serial, blockSize: blockSize && { custom: { ...blockSize } } },
    volume: { name, ...source.volume(name, cluster) },
    dataVolume: source.dataVolume?.(name, cluster),
  };
}

/** Options of any disk on a volume of the infrastructure cluster. */
export interface DataVolumeOptions extends DiskOptions {
  /**
   * StorageClass in the cluster that runs the machines (`TC-KUBEVIRT-INFRA-CLASS`, `TC-KUBEVIRT-INFRA-DEFAULT-CLASS`).
   *
   * @default - that cluster's default for virtual machines, else its default StorageClass
   */
  readonly storageClass?: string;

  /**
   * Access mode of the volume. Live migration needs `ReadWriteMany`.
   *
   * Rule: `TC-KUBEVIRT-INFRA-VOLUME-FORM`.
   *
   * @default - the one that the StorageClass's StorageProfile recommends
   * (kubevirt/containerized-data-importer doc/storageprofile.md)
   */
  readonly accessMode?: PersistentVolumeAccessMode;

  /**
   * Form of the volume: a block device, or a file system with an image file on it (`TC-KUBEVIRT-INFRA-VOLUME-FORM`).
   *
   * @default - the one that the StorageClass's StorageProfile recommends
   */
  readonly volumeMode?: PersistentVolumeMode;

  /**
   * True if the importer fills the volume through a second claim, a volume populator. With provisioners that bind a claim to
   * another volume than the populated one the disk stays pending with `ClaimMisbound`; `false` fills the volume directly
   * (kubevirt/containerized-data-importer doc/cdi-populators.md; seen with LINSTOR).
   *
   * @default - the importer decides
   */
  readonly usePopulator?: boolean;
}

/** A disk that is a copy of a claim. */
export interface ClonedDiskOptions extends DataVolumeOptions {
  /** Name of the PersistentVolumeClaim to copy. */
  readonly claimName: string;

  /**
   * Namespace of the claim. Another one than the virtual machines' needs a permission to create `datavolumes/source` there
   * (kubevirt/containerized-data-importer doc/clone-datavolume.md).
   *
   * @default - the tenant cluster's namespace; name it where the machines run in an external cluster
   */
  readonly namespace?: string;

  /**
   * Size of the disk, at least that of the claim.
   *
   * @default - the size of the claim; unknown to the autoscaler
   */
  readonly size?: Size;
}

/** A disk that is made from a snapshot. */
export interface SnapshotDiskOptions extends DataVolumeOptions {
  /** Name of the VolumeSnapshot to restore. */
  readonly snapshotName: string;

  /**
   * Namespace of the snapshot. Another one than the virtual machines' needs a permission to create `datavolumes/source` there
   * (kubevirt/containerized-data-importer doc/clone-datavolume.md).
   *
   * @default - the tenant cluster's namespace; name it where the machines run in an external cluster
   */
  readonly namespace?: string;

  /** Size of the disk, at least that of the snapshot: a whole number of MiB (`TC-KUBEVIRT-DISK-SIZE`). */
  readonly size: Size;
}

/** A disk that is described in the importer's own terms. */
export interface CustomDiskOptions extends DiskOptions {
  /**
   * `spec` of a DataVolume (cdi.kubevirt.io/v1beta1) in its own spelling, with one source and either `storage` or `pvc`
   * (`TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC`).
   */
  readonly dataVolumeSpec: { [field: string]: any };

  /**
   * Size of the disk as the autoscaler shall count it; the DataVolume is not changed by it.
   *
   * @default - not known
   */
  readonly size?: Size;
}

/** The fields and checks of one kind of DataVolume. */
interface DataVolumeKind {
  readonly size?: Size;
  readonly source: (cluster: ClusterContext) => DataVolumeFields['source'];
  readonly check: DiskSource['check'];
}

/** A disk on a DataVolume that the library describes. With `storage`, the StorageProfile sets unset fields. */
export function dataVolumeSource(options: DataVolumeOptions, kind: DataVolumeKind): DiskSource {
  const { storageClass, accessMode, volumeMode, usePopulator } = options;
  return {
    options,
    size: kind.size,
    persistent: true,
    accessMode,
    volume: (disk) => ({ dataVolume: { name: disk } }),
    dataVolume: (disk, cluster) => ({
      metadata: {
        name: disk,
        annotations: usePopulator === undefined ? undefined : { 'cdi.kubevirt.io/storage.usePopulator': `${usePopulator}` },
      },
      spec: {
        source: kind.source(cluster),
        storage: {
          accessModes: accessMode && [accessMode],
          volumeMode,
          storageClassName: storageClass,
          resources: kind.size && { requests: { storage: Quantity.fromString(sizeText(kind.size)) } },
        },
      },
    }),
    check: (report, cluster) => {
      kind.check(report, cluster);
      checkDiskSize(report.at('size'), kind.size);
      checkObjectName(report.at('storageClass'), storageClass);
    },
  };
}

/** A copy of a claim. */
export function clonedDisk(options: ClonedDiskOptions): DiskSource {
  return dataVolumeSource(options, {
    size: options.size,
    source: ({ namespace }) => ({ pvc: { name: options.claimName, namespace: options.namespace ?? namespace } }),
    check: (report) => {
      requireObjectName(report.at('claimName'), options.claimName);
      checkNamespace(report.at('namespace'), options.namespace);
    },
  });
}

/** A restored snapshot. */
export function snapshotDisk(options: SnapshotDiskOptions): DiskSource {
  return dataVolumeSource(options, {
    size: options.size,
    source: ({ namespace }) => ({ snapshot: { name: options.snapshotName, namespace: options.namespace ?? namespace } }),
    check: (report) => {
      requireObjectName(report.at('snapshotName'), options.snapshotName);
      checkNamespace(report.at('namespace'), options.namespace);
    },
  });
}

/** A disk in the importer's own terms. */
export function customDisk(options: CustomDiskOptions): DiskSource {
  const spec = options.dataVolumeSpec;
  const claim = spec.storage ?? spec.pvc;
  return {
    options,
    size: options.size,
    persistent: true,
    accessMode: claim?.accessModes?.[0],
    volume: (disk) => ({ dataVolume: { name: disk } }),
    dataVolume: (disk) => ({ metadata: { name: disk }, spec: options.dataVolumeSpec }),
    check: (report) => checkDiskSize(report.at('size'), options.size),
  };
}

/** Checks the name of an object that may be referred to. */
export function checkObjectName(report: PropertyReport, name: string | undefined): void {
  if (name !== undefined) requireObjectName(report, name);
}

export const OBJECT_NAME_RULE: Rule = {
  id: 'TC-KUBEVIRT-OBJECT-NAME',
  title: 'Names of objects in the cluster that runs the machines must be valid.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/** Checks the name of an object that must be referred to. */
export function requireObjectName(report: PropertyReport, name: string): void {
  report.expect(OBJECT_NAME_RULE, checkDnsSubdomain(name), 'write the name of the object as it is in the cluster');
}

/** Checks the name of a namespace. */
export function checkNamespace(report: PropertyReport, name: string | undefined): void {
  if (name !== undefined) report.expect(OBJECT_NAME_RULE, checkDnsLabel(name), 'write the name of the namespace as it is in the cluster');
}

const DISK_SIZE_RULE: Rule = {
  id: 'TC-KUBEVIRT-DISK-SIZE',
  title: 'The size of a disk must be a whole number of MiB above 0, and below 2^63 bytes.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go',
};

/** Checks the size of a disk. */
export function checkDiskSize(report: PropertyReport, size: Size | undefined): void {
  if (size === undefined) return;
  if (!isWhole(size)) {
    report.add(DISK_SIZE_RULE, {
      message: `${size.asString()} is not a whole number of MiB above 0, or too large for Kubernetes`,
      fix: 'give a size such as Size.gibibytes(40)',
    });
  }
}
