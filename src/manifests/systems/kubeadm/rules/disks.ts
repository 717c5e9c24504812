import { configTemplateYaml } from './example-kubeadm';
import { below, BOOTSTRAP_SCHEMA, BOOTSTRAP_WEBHOOK, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { ManifestObject } from '../../../objects/manifest-object';
import { isV1beta1 } from '../../../rules/cluster-api/cluster-api-kinds';
import { indented } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { FieldPath, Fields, isSet, objectsAt, numberAt, stringAt } from '../../../values/fields';
import { findingsOf } from '../../../values/finding';
import { isPartitionGuid, isPartitionType } from '../partition-types';

const LINUX_GUID = 'diskLayout:\n  - percentage: 100\n    partitionType: 0FC63DAF-8483-4772-8E79-3D69D8477DE4';

const LAYOUT: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-DISK-LAYOUT',
  title: 'A disk must have either one partition (layout) or shares (diskLayout).',
  source: BOOTSTRAP_SCHEMA,
  kinds: KUBEADM_KINDS,
  example: { failing: partitioned('layout: true\ndiskLayout:\n  - percentage: 100'), corrected: partitioned('diskLayout:\n  - percentage: 100') },
  check: (object) => (isV1beta1(object) ? [] : partitionsOf(object)
    .filter(({ disk }) => isSet(disk, 'layout') === isSet(disk, 'diskLayout')).map(({ disk, path }) => ({
      path, message: `it has ${isSet(disk, 'layout') ? 'both layout and shares (diskLayout)' : 'neither layout nor shares (diskLayout)'}`, fix: 'write layout: true for one partition, or shares for several',
    }))),
};

const SHARES: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-DISK-SHARES',
  title: 'The shares of a disk must sum up to at most 100 percent.',
  source: `${BOOTSTRAP_WEBHOOK} (validateDiskSetup)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: partitioned('diskLayout:\n  - percentage: 60\n  - percentage: 60'), corrected: partitioned('diskLayout:\n  - percentage: 60\n  - percentage: 40'),
  },
  check: (object) => partitionsOf(object).flatMap(({ disk, path }) => {
    const shares = objectsAt(disk, 'diskLayout').map(([share]) => numberAt(share, 'percentage') ?? 0);
    const sum = shares.reduce((total, share) => total + share, 0);
    // The schema has a bound for one share.
    return sum <= 100 || shares.some((share) => share < 1 || share > 100) ? [] : [{ path: [...path, 'diskLayout'], message: `the shares are ${sum}% together`, accepted: 'up to 100%', fix: 'make them smaller' }];
  }),
};

const TYPE: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-PARTITION-TYPE',
  title: 'The type of a partition must be a known name or a GUID.',
  source: BOOTSTRAP_SCHEMA,
  kinds: KUBEADM_KINDS,
  example: {
    failing: partitioned('diskLayout:\n  - percentage: 100\n    partitionType: ext4'), corrected: partitioned('diskLayout:\n  - percentage: 100\n    partitionType: Linux'),
  },
  check: (object) => partitionsOf(object).flatMap(({ disk, path }) => objectsAt(disk, 'diskLayout').flatMap(([share, index]) => {
    const type = stringAt(share, 'partitionType');
    return type === undefined || isPartitionType(type) ? [] : [{
      path: [...path, 'diskLayout', index, 'partitionType'],
      message: `${JSON.stringify(type)} is not a type of a partition`,
      accepted: 'Linux, LinuxSwap, LinuxRAID, LVM, Fat32, NTFS, LinuxExtended, or a GUID',
      fix: 'write one of these; the file system is named in filesystems',
    }];
  })),
};

const GUID: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PARTITION-TYPE',
  title: 'The type of a partition may only be a GUID on a disk with a GPT: cloud-init makes a master boot record unless tableType is gpt.',
  source: 'canonical/cloud-init cloudinit/config/cc_disk_setup.py',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: partitioned(LINUX_GUID), corrected: partitioned(`tableType: gpt\n${LINUX_GUID}`) },
  check: (object) => {
    const spec = kubeadmSpec(object);
    // Ignition makes a GPT.
    if (stringAt(spec.value, 'format') === 'ignition') return [];
    return partitionsOf(object).filter(({ disk }) => stringAt(disk, 'tableType') !== 'gpt').flatMap(({ disk, path }) => objectsAt(disk, 'diskLayout').flatMap(([share, index]) => {
      const type = stringAt(share, 'partitionType') ?? '';
      return findingsOf([...path, 'diskLayout', index, 'partitionType'], [isPartitionGuid(type) ? `the type ${type} is a GUID, which only a GPT has` : undefined], 'make the partition table of the disk a GPT');
    }));
  },
};

export const DISKS: readonly ManifestRule[] = [LAYOUT, SHARES, TYPE, GUID];

function partitioned(fields: string): string {
  return configTemplateYaml(`diskSetup:\n  partitions:\n    - device: /dev/vdb\n${indented(fields, 6)}`);
}

function partitionsOf(object: ManifestObject): { readonly disk: Fields; readonly path: FieldPath }[] {
  const spec = kubeadmSpec(object);
  return objectsAt(spec.value, 'diskSetup', 'partitions').map(([disk, index]) => ({ disk, path: below(spec, 'diskSetup', 'partitions', index) }));
}
