import { DEVICES, domainWith, machineExample } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { mapsAt, numberAt } from '../manifest-fields';
import { FieldPath, ManifestRule } from '../manifest-rule';

/** What KubeVirt counts without a sign (kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go). */
const COUNTS: readonly (readonly string[])[] = [
  ...['cores', 'sockets', 'threads', 'maxSockets'].map((field) => ['domain', 'cpu', field]), ['domain', 'ioThreads', 'supplementalPoolThreadCount'],
  ['domain', 'features', 'hyperv', 'spinlocks', 'spinlocks'],
];
const BLOCK_SIZES: readonly string[] = ['logical', 'physical', 'discardGranularity'];

/** Most that a count can be; what is no count may be more than anybody writes. */
const MOST = 2 ** 32 - 1;

/** Numbers without a sign, for which the schema has no bounds. */
export const COUNTED: ManifestRule = {
  id: 'TC-ADMIT-KUBEVIRT-COUNT',
  title: 'Numbers of cores, threads and the like are not below 0, and fit into 32 bits: the webhook of the provider cannot read others.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/webhookhandler/validator.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  example: machineExample({ domain: domainWith(DEVICES, '                cpu: {cores: -1}\n                memory: {guest: 16Gi}\n') }),
  check: (object) => {
    const { fields, path } = instance(object);
    const found: FieldPath[] = [
      ...COUNTS,
      ...mapsAt(fields, 'domain', 'devices', 'interfaces').map(([, index]) => ['domain', 'devices', 'interfaces', index, 'bootOrder']),
      ...mapsAt(fields, 'domain', 'devices', 'disks').flatMap(([, index]) => [['bootOrder'], ...BLOCK_SIZES.map((field) => ['blockSize', 'custom', field])]
        .map((field) => ['domain', 'devices', 'disks', index, ...field])),
    ];
    return found.flatMap((field) => {
      const value = numberAt(fields, ...field.map(String)) ?? 0;
      const isTooLarge = value > MOST && COUNTS.some((count) => count === field);
      return value >= 0 && !isTooLarge ? [] : [{
        path: [...path, ...field],
        message: `${value} is too ${isTooLarge ? 'large' : 'small'}`,
        accepted: isTooLarge ? `whole numbers from 0 to ${MOST}` : 'whole numbers from 0',
        fix: 'correct the number',
      }];
    });
  },
};
