
/**
 * Type of a partition. `of` accepts types that are not in this list.
 *
 * Source: kubernetes-sigs/cluster-api bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml.
 *
 * @example
 * const partition = { size: 100, type: PartitionType.LINUX };
 */
export class PartitionType {
  /** A file system of Linux. */
  public static readonly LINUX = new PartitionType('Linux');

  /** Swap space of Linux. */
  public static readonly LINUX_SWAP = new PartitionType('LinuxSwap');

  /** A part of a software RAID. */
  public static readonly LINUX_RAID = new PartitionType('LinuxRAID');

  /** A physical volume of LVM. */
  public static readonly LVM = new PartitionType('LVM');

  /** A FAT32 file system. */
  public static readonly FAT32 = new PartitionType('Fat32');

  /** An NTFS file system. */
  public static readonly NTFS = new PartitionType('NTFS');

  /** An extended partition of Linux. */
  public static readonly LINUX_EXTENDED = new PartitionType('LinuxExtended');

  /**
   * A type by its GUID, on disks with a GPT (`TC-TRAP-KUBEADM-PARTITION-TYPE`).
   *
   * @param guid the type, e.g. `0FC63DAF-8483-4772-8E79-3D69D8477DE4`
   */
  public static guid(guid: string): PartitionType {
    return new PartitionType(guid);
  }

  /**
   * A type that this list does not have yet.
   *
   * @param name its name in Cluster API (`TC-ADMIT-KUBEADM-PARTITION-TYPE`)
   */
  public static of(name: string): PartitionType {
    return new PartitionType(name);
  }

  /** The type as Cluster API names it. */
  public readonly name: string;

  private constructor(name: string) {
    this.name = name;
  }
}
