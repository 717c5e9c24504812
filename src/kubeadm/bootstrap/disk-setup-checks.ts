import { checkPlainText } from './cloud-config-text';
import { DiskFilesystem, DiskPartitioning, DiskSetup, DiskShare, PartitionTable } from './disk-setup';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';

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
    ...checkTexts({ device: [disk.device, 256] }, property),
    ...checkDeviceTaken(disk.device, before, `${property}.device`),
    ...(disk.shares ?? []).flatMap((share, index) => checkType(share, disk.table, `${property}.shares[${index}].partitionType`)),
  ];
}

function checkDeviceTaken(device: string, before: readonly DiskPartitioning[], property: string): Problem[] {
  if (!before.some((other) => other.device === device)) return [];
  return [{
    rule: KUBEADM_RULES.diskDeviceTaken,
    property,
    message: `${JSON.stringify(device)} is there twice, and cloud-init takes the last one`,
    fix: 'join them into one entry with shares',
  }];
}

function checkType(share: DiskShare, table: PartitionTable | undefined, property: string): Problem[] {
  const type = share.partitionType;
  if (!type || (type._isKnown && !(type._isGuid && table !== PartitionTable.GPT))) return [];
  return [{
    rule: KUBEADM_RULES.partitionType,
    property,
    message: type._isKnown ? `the type ${type.name} is a GUID, which only a GPT has` : `${JSON.stringify(type.name)} is neither a partition type that Cluster API names nor a GUID`,
    fix: type._isKnown ? 'set table to PartitionTable.GPT' : 'use a member of PartitionType',
  }];
}

function checkFilesystem(filesystem: DiskFilesystem, property: string): Problem[] {
  const options = filesystem.extraOpts ?? [];
  // A number is a partition for cloud-init, whatever YAML takes it for.
  const partition = /^\d+$/.test(filesystem.partition ?? '') ? undefined : filesystem.partition;
  return [
    ...checkTexts({
      device: [filesystem.device, 256],
      filesystem: [filesystem.filesystem, 128],
      label: [filesystem.label, 512],
      partition: [partition, 128],
      replaceFs: [filesystem.replaceFs, 128],
    }, property),
    ...checkTexts(
      Object.fromEntries(options.map((option, index) => [`extraOpts[${index}]`, [option, 256]])), property,
      'write an option and its number as one text, such as "-b4096"',
    ),
  ];
}

function checkTexts(
  texts: { readonly [field: string]: readonly [string | undefined, number] }, property: string, fix = 'write it without these characters',
): Problem[] {
  return Object.entries(texts).flatMap(([field, [text, maxLength]]) => {
    const message = text === undefined ? undefined : checkPlainText(text, maxLength);
    return message === undefined ? [] : [{ rule: KUBEADM_RULES.plainText, property: `${property}.${field}`, message, fix }];
  });
}
