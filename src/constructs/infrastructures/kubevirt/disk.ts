import { Size } from 'cdk8s';
import { DataVolumeTemplate, DiskFields, VolumeFields } from './template-types';
import { PropertyReport } from '../../app/problems/property-report';
import { ClusterContext } from '../../contracts/cluster-context';

/** Name of the disk that a machine boots from. */
export const ROOT_DISK = 'root';

/** Block sizes that a disk shows to the guest. */
export interface BlockSize {
  /** Smallest unit that the guest addresses, in bytes: a power of two from 512 to 2097152 (`TC-TRAP-KUBEVIRT-BLOCK-SIZE`). */
  readonly logical: number;

  /** Unit that the storage writes at once, in bytes: a power of two from `logical` to 2097152 (`TC-TRAP-KUBEVIRT-BLOCK-SIZE`). */
  readonly physical: number;
}

/** What any disk of a machine can be given. */
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

/** Where the content of a disk comes from. */
export interface DiskSource {
  /** What the disk shows to the guest. */
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
  /** Reports what is wrong with the source. */
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
 * @param source where its content comes from
 * @param cluster the cluster that the machine belongs to
 * @param serial what the guest finds the disk by, in `/dev/disk/by-id`
 */
export function renderDisk(name: string, source: DiskSource, cluster: ClusterContext, serial?: string): RenderedDisk {
  const { blockSize } = source.options;
  return {
    disk: { name, disk: { bus: 'virtio' }, serial, blockSize: blockSize && { custom: { ...blockSize } } },
    volume: { name, ...source.volume(name, cluster) },
    dataVolume: source.dataVolume?.(name, cluster),
  };
}
