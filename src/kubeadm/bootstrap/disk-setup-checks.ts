import { checkPlainText } from './cloud-config-text';
import { DiskFilesystem, DiskPartitioning, DiskSetup, DiskShare, PartitionTable } from './disk-setup';
import { checkLength } from './list-length';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';

const MAX_ITEMS = 100;

/** Checks the disks of a machine. */
export function checkDiskSetup(setup: DiskSetup, property: string): Problem[] {
  const { partitions = [], filesystems = [] } = setup;
  return [
    ...checkLength(partitions, MAX_ITEMS, `${property}.partitions`),
    ...partitions.flatMap((disk, index) => checkDisk(disk, partitions.slice(0, index), `${property}.partitions[${index}]`)),
    ...checkLength(filesystems, MAX_ITEMS, `${property}.filesystems`),
    ...filesystems.flatMap((filesystem, index) => checkFilesystem(filesystem, `${property}.filesystems[${index}]`)),
  ];
}

function checkDisk(disk: DiskPartitioning, before: readonly DiskPartitioning[], property: string): Problem[] {
  const shares = disk.shares ?? [];
  return [
    ...checkTexts({ device: [disk.device, 256] }, property),
    ...checkDeviceTaken(disk.device, before, `${property}.device`),
    ...checkLayout(disk, property),
    ...checkLength(shares, MAX_ITEMS, `${property}.shares`),
    ...checkShares(shares, `${property}.shares`),
    ...shares.flatMap((share, index) => checkType(share, disk.table, `${property}.shares[${index}].partitionType`)),
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

function checkLayout(disk: DiskPartitioning, property: string): Problem[] {
  if ((disk.layout === undefined) !== (disk.shares === undefined || disk.shares.length === 0)) return [];
  return [{
    rule: KUBEADM_RULES.diskLayout,
    property,
    message: `${JSON.stringify(disk.device)} has ${disk.layout === undefined ? 'neither layout nor shares' : 'both layout and shares'}`,
    fix: 'give it layout: true for one partition, or shares for several',
  }];
}

function checkShares(shares: readonly DiskShare[], property: string): Problem[] {
  const rule = KUBEADM_RULES.diskShares;
  const odd = shares.flatMap(({ percentage }, index) => (Number.isInteger(percentage) && percentage >= 1 && percentage <= 100 ? [] : [{
    rule,
    property: `${property}[${index}].percentage`,
    message: `${percentage} is not a share`,
    accepted: 'whole numbers from 1 to 100',
    fix: 'correct the share',
  }]));
  const sum = shares.reduce((total, { percentage }) => total + percentage, 0);
  if (odd.length > 0 || sum <= 100) return odd;
  return [{ rule, property, message: `the shares are ${sum} % together`, accepted: 'at most 100', fix: 'make them smaller' }];
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
    ...checkLength(options, MAX_ITEMS, `${property}.extraOpts`),
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
