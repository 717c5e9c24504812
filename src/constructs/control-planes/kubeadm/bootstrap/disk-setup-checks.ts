import { checkPlainText } from './cloud-config-text';
import { DiskFilesystem, DiskPartitioning, DiskSetup } from './disk-setup';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../../../manifests/values/problem';

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

function checkDeviceTaken(device: string, before: readonly DiskPartitioning[], property: string): Problem[] {
  if (!before.some((other) => other.device === device)) return [];
  return [{
    rule: KUBEADM_RULES.diskDeviceTaken,
    property,
    message: `${JSON.stringify(device)} is there twice, and cloud-init takes the last one`,
    fix: 'join them into one entry with shares',
  }];
}

function checkFilesystem(filesystem: DiskFilesystem, property: string): Problem[] {
  const options = filesystem.extraOpts ?? [];
  // A number is a partition for cloud-init, whatever YAML takes it for.
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
    return message === undefined ? [] : [{ rule: KUBEADM_RULES.plainText, property: `${property}.${field}`, message, fix }];
  });
}
