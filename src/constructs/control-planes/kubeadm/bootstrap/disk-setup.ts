import { PartitionType } from './partition-type';
import {
  KubeadmConfigTemplateSpecTemplateSpecDiskSetup as TemplateDiskSetup,
  KubeadmConfigTemplateSpecTemplateSpecDiskSetupFilesystems as TemplateFilesystem,
  KubeadmConfigTemplateSpecTemplateSpecDiskSetupPartitions as TemplatePartition,
  KubeadmConfigTemplateSpecTemplateSpecDiskSetupPartitionsTableType as TemplateTable,
} from '../../../../../imports/bootstrap.cluster.x-k8s.io';

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

/** How a disk is partitioned, by cloud-init, when the machine starts for the first time. */
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
