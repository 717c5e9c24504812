import { posix } from 'node:path';
import { checkPlainText, PLAIN_TEXT_RULE } from './cloud-config-text';
import {
  KubeadmConfigTemplateSpecTemplateSpecDiskSetup as TemplateDiskSetup,
  KubeadmConfigTemplateSpecTemplateSpecDiskSetupFilesystems as TemplateFilesystem,
  KubeadmConfigTemplateSpecTemplateSpecDiskSetupPartitions as TemplatePartition,
  KubeadmConfigTemplateSpecTemplateSpecDiskSetupPartitionsTableType as TemplateTable,
} from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { Problem, Rule } from '../../../../manifests/values/problem';

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

/** Kind of a partition table. */
export enum PartitionTable {
  /** Master boot record: four partitions, 2 TiB. */
  MBR = 'mbr',

  /** GUID partition table. */
  GPT = 'gpt',
}

/** One partition, as a share of its disk. */
export interface DiskShare {
  /** Share of the disk in percent, a whole number from 1 to 100; all of a disk are at most 100 (`TC-ADMIT-KUBEADM-DISK-SHARES`). */
  readonly percentage: number;

  /**
   * Type of the partition (`TC-ADMIT-KUBEADM-PARTITION-TYPE`, `TC-TRAP-KUBEADM-PARTITION-TYPE`).
   *
   * @default PartitionType.LINUX
   */
  readonly partitionType?: PartitionType;
}

/** Partitions of a disk, which cloud-init makes when the machine starts for the first time. */
export interface DiskPartitioning {
  /** Device of the disk, e.g. `/dev/vdb`; each once (`TC-KUBEADM-DISK-DEVICE-TAKEN`). */
  readonly device: string;

  /**
   * True if the disk gets one partition that fills it; false leaves it without any.
   *
   * @default - unset if `shares` is set; exactly one of the two is required (`TC-ADMIT-KUBEADM-DISK-LAYOUT`)
   */
  readonly layout?: boolean;

  /**
   * The partitions of the disk, in order, at most 100. Needs Cluster API 1.13.
   *
   * @default - unset if `layout` is set; exactly one of the two is required (`TC-ADMIT-KUBEADM-DISK-LAYOUT`)
   */
  readonly shares?: DiskShare[];

  /**
   * True if a disk that has partitions or a file system already loses them. It happens at the first start only, but a disk that
   * outlives its machine is emptied by the next one.
   *
   * @default false
   */
  readonly overwrite?: boolean;

  /**
   * Kind of the partition table.
   *
   * @default - mbr (canonical/cloud-init, module disk_setup)
   */
  readonly table?: PartitionTable;
}

/** A file system that cloud-init makes when the machine starts for the first time. */
export interface DiskFilesystem {
  /** Device of the disk, e.g. `/dev/vdb`. */
  readonly device: string;

  /** Type of the file system, e.g. `xfs`. */
  readonly filesystem: string;

  /**
   * Label of the file system, by which it can be mounted (`LABEL=…`).
   *
   * @default - none
   */
  readonly label?: string;

  /**
   * Partition of the device: its number, `any` (one that has such a file system already, else a free one), `auto` (the same, with
   * the label too), or `none`, which formats the device itself **even if it holds data**, even with `overwrite: false`
   * (canonical/cloud-init cloudinit/config/cc_disk_setup.py).
   *
   * @default - any
   */
  readonly partition?: string;

  /**
   * True if a file system that is there already is made anew, with the loss of its content.
   *
   * @default false
   */
  readonly overwrite?: boolean;

  /**
   * With partition `auto` or `any`: file system type that may be replaced, e.g. `ntfs`.
   *
   * @default - none
   */
  readonly replaceFs?: string;

  /**
   * Further arguments for the program that makes the file system, at most 100.
   *
   * @default - none
   */
  readonly extraOpts?: string[];
}

/** Partitions and file systems of the machine's disks. All texts read as text in YAML (`TC-KUBEADM-PLAIN-TEXT`). */
export interface DiskSetup {
  /**
   * Disks to partition, at most 100.
   *
   * @default - none
   */
  readonly partitions?: DiskPartitioning[];

  /**
   * File systems to make, at most 100.
   *
   * @default - none
   */
  readonly filesystems?: DiskFilesystem[];
}

const TABLES: Readonly<Record<PartitionTable, TemplateTable>> = {
  [PartitionTable.MBR]: TemplateTable.MBR,
  [PartitionTable.GPT]: TemplateTable.GPT,
};

/** The disks as `KubeadmConfigTemplate` has them, or undefined if nothing is asked for. */
export function templateDiskSetup(setup: DiskSetup): TemplateDiskSetup | undefined {
  const { partitions = [], filesystems = [] } = setup;
  if (partitions.length === 0 && filesystems.length === 0) return undefined;
  return {
    ...(partitions.length > 0 && { partitions: partitions.map(templatePartition) }),
    ...(filesystems.length > 0 && { filesystems: filesystems.map(templateFilesystem) }),
  };
}

function templatePartition(disk: DiskPartitioning): TemplatePartition {
  return {
    device: disk.device,
    ...(disk.layout !== undefined && { layout: disk.layout }),
    ...(disk.shares?.length && {
      diskLayout: disk.shares.map(({ percentage, partitionType }) => ({ percentage, ...(partitionType && { partitionType: partitionType.name }) })),
    }),
    overwrite: disk.overwrite ?? false,
    ...(disk.table !== undefined && { tableType: TABLES[disk.table] }),
  };
}

function templateFilesystem(filesystem: DiskFilesystem): TemplateFilesystem {
  return {
    device: filesystem.device,
    filesystem: filesystem.filesystem,
    ...(filesystem.label !== undefined && { label: filesystem.label }),
    ...(filesystem.partition !== undefined && { partition: filesystem.partition }),
    overwrite: filesystem.overwrite ?? false,
    ...(filesystem.replaceFs !== undefined && { replaceFs: filesystem.replaceFs }),
    ...(filesystem.extraOpts?.length && { extraOpts: filesystem.extraOpts }),
  };
}

/** Checks the disks of a machine. */
export function checkDiskSetup(setup: DiskSetup, property: string): Problem[] {
  const { partitions = [], filesystems = [] } = setup;
  return [
    ...partitions.flatMap((disk, index) => checkDisk(disk, partitions.slice(0, index), `${property}.partitions[${index}]`)),
    ...filesystems.flatMap((filesystem, index) => checkFilesystem(filesystem, `${property}.filesystems[${index}]`)),
  ];
}

function checkDisk(disk: DiskPartitioning, before: readonly DiskPartitioning[], property: string): Problem[] {
  return [
    ...checkTexts({ device: disk.device }, property),
    ...checkDeviceTaken(disk.device, before, `${property}.device`),
  ];
}

const DISK_DEVICE_TAKEN_RULE: Rule = {
  id: 'TC-KUBEADM-DISK-DEVICE-TAKEN',
  title: 'A disk must be partitioned only once.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/disk_setup.go',
};

function checkDeviceTaken(device: string, before: readonly DiskPartitioning[], property: string): Problem[] {
  if (!before.some((other) => other.device === device)) return [];
  return [{
    rule: DISK_DEVICE_TAKEN_RULE,
    property,
    message: `${JSON.stringify(device)} is there twice, and cloud-init takes the last one`,
    fix: 'join them into one entry with shares',
  }];
}

function checkFilesystem(filesystem: DiskFilesystem, property: string): Problem[] {
  const options = filesystem.extraOpts ?? [];
  // cloud-init reads a number as a partition, even if it is no string in YAML.
  const partition = /^\d+$/.test(filesystem.partition ?? '') ? undefined : filesystem.partition;
  return [
    ...checkTexts({
      device: filesystem.device,
      filesystem: filesystem.filesystem,
      label: filesystem.label,
      partition,
      replaceFs: filesystem.replaceFs,
    }, property),
    ...checkTexts(
      Object.fromEntries(options.map((option, index) => [`extraOpts[${index}]`, option])), property,
      'write an option and its number as one text, such as "-b4096"',
    ),
  ];
}

function checkTexts(texts: { readonly [field: string]: string | undefined }, property: string, fix = 'write it without these characters'): Problem[] {
  return Object.entries(texts).flatMap(([field, text]) => {
    const message = text === undefined ? undefined : checkPlainText(text);
    return message === undefined ? [] : [{ rule: PLAIN_TEXT_RULE, property: `${property}.${field}`, message, fix }];
  });
}

/** A file system that the machine mounts at every start: one line of its fstab. Its texts read as text in YAML (`TC-KUBEADM-PLAIN-TEXT`). */
export interface BootstrapMount {
  /** Source of the mount: a device such as `/dev/vdb1`, `LABEL=data`, `UUID=…`, or a directory for a bind mount. */
  readonly device: string;

  /** Mount point: an absolute path, each once, or `none` for swap space (`TC-KUBEADM-MOUNT-PATH`). */
  readonly path: string;

  /**
   * Type of the file system, e.g. `xfs`; `none` for a bind mount.
   *
   * @default auto
   */
  readonly filesystem?: string;

  /**
   * Mount options, e.g. `['defaults', 'nofail']`.
   *
   * @default - cloud-init's: defaults, nofail, after cloud-init (canonical/cloud-init, module mounts)
   */
  readonly options?: string[];
}

/** The mount as `KubeadmConfigTemplate` has it; trailing fields that cloud-init fills are left out. */
export function templateMount(mount: BootstrapMount, isIgnition: boolean): string[] {
  const options = mount.options?.length ? [mount.options.join(',')] : [];
  // Cluster API takes all that follows the path for options (bootstrap/kubeadm/pkg/ignition/clc/clc.go).
  if (isIgnition) return [mount.device, mount.path, ...options];
  const filesystem = mount.filesystem ?? (options.length > 0 ? 'auto' : undefined);
  return [mount.device, mount.path, ...(filesystem === undefined ? [] : [filesystem]), ...options];
}

/** Checks the mounts of a machine. */
export function checkMounts(mounts: readonly BootstrapMount[], property: string): Problem[] {
  return mounts.flatMap((mount, index) => checkMount(mount, mounts.slice(0, index), `${property}[${index}]`));
}

function checkMount(mount: BootstrapMount, before: readonly BootstrapMount[], property: string): Problem[] {
  const texts: [string, string | undefined][] = [
    ['device', mount.device], ['path', mount.path], ['filesystem', mount.filesystem],
    ['options', mount.options?.length ? mount.options.join(',') : undefined],
  ];
  return [
    ...texts.flatMap(([field, text]) => {
      const message = text === undefined ? undefined : checkPlainText(text);
      return message === undefined ? [] : [{ rule: PLAIN_TEXT_RULE, property: `${property}.${field}`, message, fix: 'write it as in fstab' }];
    }),
    ...checkMountPath(mount.path, before, `${property}.path`),
  ];
}

const MOUNT_PATH_RULE: Rule = {
  id: 'TC-KUBEADM-MOUNT-PATH',
  title: 'A device is mounted at an absolute path of its own, or at "none" as swap space.',
  source: 'canonical/cloud-init cloudinit/config/cc_mounts.py',
};

function checkMountPath(path: string, before: readonly BootstrapMount[], property: string): Problem[] {
  if (path === 'none') return [];
  const usable = path.startsWith('/') && path !== '/' && posix.normalize(path).replace(/(.)\/$/, '$1') === path;
  const message = usable ? (before.some((other) => other.path === path) ? `${JSON.stringify(path)} is mounted over by a second entry` : undefined)
    : `${JSON.stringify(path)} is not a mount point in its shortest form`;
  if (message === undefined) return [];
  return [{
    rule: MOUNT_PATH_RULE,
    property,
    message,
    accepted: 'absolute paths, each once, or "none" for swap space',
    fix: 'write a path such as "/var/lib/containerd"',
  }];
}
