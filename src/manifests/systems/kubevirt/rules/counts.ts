import { DEVICES, domainWith, machineExample } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { ManifestRule } from '../../../rules/manifest-rule';
import { FieldPath, objectsAt, numberAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';

/** What KubeVirt counts without a sign (kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go). */
const COUNTS: readonly (readonly string[])[] = [
  ...['cores', 'sockets', 'threads', 'maxSockets'].map((field) => ['domain', 'cpu', field]), ['domain', 'ioThreads', 'supplementalPoolThreadCount'],
  ['domain', 'features', 'hyperv', 'spinlocks', 'spinlocks'],
];
const OF_DISK: readonly (readonly string[])[] = [['bootOrder'], ...['logical', 'physical', 'discardGranularity'].map((field) => ['blockSize', 'custom', field])];

/** The maximum of `COUNTS`; the other numbers have none. */
const MOST = 2 ** 32 - 1;

/** Numbers without a sign, for which the schema has no bounds. */
export const COUNTED: ManifestRule = {
  id: 'TC-ADMIT-KUBEVIRT-COUNT',
  title: 'Numbers such as those of cores and threads must not be negative, and must fit into 32 bits: the webhook of the provider cannot read others.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/webhookhandler/validator.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  example: machineExample({ domain: domainWith(DEVICES, '                cpu: {cores: -1}\n                memory: {guest: 16Gi}\n') }),
  check: (object) => {
    const { fields, path } = instance(object);
    const [interfaces, disks] = [objectsAt(fields, 'domain', 'devices', 'interfaces'), objectsAt(fields, 'domain', 'devices', 'disks')];
    return allOf(
      COUNTS.flatMap((count) => outOfBounds(fields, count, path, MOST)),
      interfaces.flatMap(([one, index]) => outOfBounds(one, ['bootOrder'], [...path, 'domain', 'devices', 'interfaces', index])),
      disks.flatMap(([disk, index]) => OF_DISK.flatMap((count) => outOfBounds(disk, count, [...path, 'domain', 'devices', 'disks', index]))),
    );
  },
};

/** @param path the path of the fields */
function outOfBounds(fields: unknown, count: readonly string[], path: FieldPath, most = Infinity): readonly Finding[] {
  const value = numberAt(fields, ...count) ?? 0;
  return value >= 0 && value <= most ? [] : [{
    path: [...path, ...count],
    message: `${value} is too ${value > most ? 'large' : 'small'}`,
    accepted: value > most ? `whole numbers from 0 to ${most}` : 'whole numbers from 0',
    fix: 'correct the number',
  }];
}
