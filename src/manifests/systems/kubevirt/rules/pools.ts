import { DEVICES, domainWith, INSTANCE, machineDeployment, machineExample, machineTemplate, persistentMachine } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE, machineFields, virtualMachine } from './kubevirt-objects';
import { groupKind, ManifestObject, nameOf } from '../../../objects/manifest-object';
import { MACHINE_DEPLOYMENT } from '../../../rules/cluster-api/cluster-api-kinds';
import { healthCheckYaml } from '../../../rules/cluster-api/example-manifests';
import { ignoredFailureDomain } from '../../../rules/cluster-api/failure-domains';
import { healthChecksOf } from '../../../rules/cluster-api/health-check-limits';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { clusterOfOwner, machineOwners, partOf } from '../../../rules/references/object-references';
import { FieldPath, isSet, numberAt, objectsAt, stringAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';

const POOL = machineDeployment('acme-general');
const ONCE = machineTemplate({ machine: persistentMachine('          runStrategy: Once\n') }) + POOL;

const failureDomain = ignoredFailureDomain({
  id: 'TC-TRAP-KUBEVIRT-FAILURE-DOMAIN',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go, v0.11.2',
  provider: 'KubeVirt',
  templateKind: KUBEVIRT_MACHINE_TEMPLATE,
  fix: 'remove it, make a pool for each zone, and select the hosts of the zone with nodeSelector of its machines, e.g. by topology.kubernetes.io/zone',
  example: {
    failing: `${machineTemplate()}${POOL}      failureDomain: zone-a\n`,
    corrected: machineTemplate({ instance: `              nodeSelector: {topology.kubernetes.io/zone: zone-a}\n${INSTANCE}` }) + POOL,
  },
});

const once: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-ONCE',
  title: 'Pools whose machines are started once must have a health check: a machine that has ended is not replaced otherwise.',
  source: 'kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  trap: true,
  warning: true,
  example: { failing: ONCE, corrected: `${ONCE}---\n${healthCheckYaml('')}` },
  check: (object, index) => {
    const { fields, path } = virtualMachine(object);
    if (stringAt(fields, 'runStrategy') !== 'Once') return [];
    const pools = machineOwners(object, index)
      .filter((owner) => groupKind(owner) === MACHINE_DEPLOYMENT && healthChecksOf(owner, index).length === 0);
    return pools.length === 0 ? [] : [{
      path: [...path, 'runStrategy'],
      message: `no MachineHealthCheck watches ${pools.map(nameOf).join(', ')}, and a machine that is started once stays in its pool when it has ended`,
      fix: 'give the pool a health check',
    }];
  },
};

const externalEviction: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-EXTERNAL-EVICTION',
  title: 'The provider must not evict machines in another cluster than the management cluster: it fails up to 0.11.2, and the drain of their host waits for ever.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go (setVmiDeletionGraceTime), v0.11.2, issue 403',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  trap: true,
  warning: true,
  example: { failing: elsewhere('External'), corrected: elsewhere('None') },
  check: (object, index) => {
    const { fields, path } = instance(object);
    return stringAt(fields, 'evictionStrategy') !== 'External' || !runsElsewhere(object, index) ? [] : [{
      path: [...path, 'evictionStrategy'],
      message: 'the machines run in another cluster, in which the KubeVirt provider up to 0.11.2 cannot drain them: the drain of their host waits '
        + 'for ever',
      fix: 'write None, or LiveMigrate for machines whose disks can be used on several hosts',
    }];
  },
};

/** Rules for pools and their machines. */
export const POOLS: readonly ManifestRule[] = [failureDomain, once, externalEviction];

/** True if the machines of a template run in another cluster than that of its object. */
export function runsElsewhere(template: ManifestObject, index: ManifestIndex): boolean {
  if (isSet(machineFields(template).fields, 'infraClusterSecretRef')) return true;
  return machineOwners(template, index).some((owner) => {
    const parent = clusterOfOwner(owner, index);
    return parent !== undefined && isSet(partOf(parent, 'infrastructureRef', index), 'spec', 'infraClusterSecretRef');
  });
}

function elsewhere(evictionStrategy: string): string {
  return machineTemplate({ instance: `              evictionStrategy: ${evictionStrategy}\n${INSTANCE}` })
    .replace('    spec:\n', '    spec:\n      infraClusterSecretRef: {name: hall-2, namespace: tenant-acme}\n');
}

/** Fields that KubeVirt reads as unsigned numbers (kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go). */
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
