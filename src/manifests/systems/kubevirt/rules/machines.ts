import { BOOT_DISK } from './disks';
import { DEVICES, domainWith, INSTANCE, machineExample, persistentMachine } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_KINDS, machineFields, VIRTUAL_MACHINE, virtualMachine } from './kubevirt-objects';
import { MIGRATION } from './migration';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isFields, isSet, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const MACHINE_WEBHOOK = 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vms-admitter.go';
const INSTANCE_WEBHOOK = 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go';
const PROVIDER_MACHINE = 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go';

const RUN_STRATEGIES: readonly string[] = ['Always', 'Halted', 'Manual', 'Once', 'RerunOnFailure'];

/** Fields that an instance type replaces (kubevirt/kubevirt pkg/instancetype/apply/cpu.go, memory.go). */
const SIZE_FIELDS: readonly (readonly string[])[] = [
  ...['sockets', 'cores', 'threads'].map((field) => ['cpu', field]),
  ['memory', 'guest'],
  ...['requests', 'limits'].flatMap((part) => ['cpu', 'memory'].map((field) => ['resources', part, field])),
];

const sizing: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SIZING',
  title: 'The size of a machine must come from either an instance type or its domain: KubeVirt refuses the machine otherwise.',
  source: 'kubevirt/kubevirt pkg/instancetype/apply/cpu.go, memory.go',
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ machine: `          instancetype: {name: u1.xlarge}\n${persistentMachine()}` }),
  check: (object) => {
    const machine = virtualMachine(object);
    if (!isSet(machine.fields, 'instancetype')) return [];
    const { fields } = instance(object);
    const given = SIZE_FIELDS.filter((field) => isSet(fields, 'domain', ...field)).map((field) => field.join('.')).join(' and ');
    const name = stringAt(machine.fields, 'instancetype', 'name');
    return given === '' ? [] : [{
      path: [...machine.path, 'instancetype'],
      message: `${given} and the instance type${name === undefined ? '' : ` "${name}"`} are both given, and KubeVirt refuses such a machine`,
      fix: `remove ${given}, or the instance type`,
    }];
  },
};

/** Fields of a domain that ask for memory; KubeVirt takes a limit for the request. */
const MEMORY_FIELDS: readonly (readonly string[])[] = [
  ['memory', 'guest'], ['memory', 'hugepages'], ['resources', 'requests', 'memory'], ['resources', 'limits', 'memory'],
];

const memory: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-MEMORY',
  title: 'A machine must have memory, from its domain or an instance type: KubeVirt accepts the VirtualMachine otherwise, and refuses to start it.',
  source: `${INSTANCE_WEBHOOK} (ValidateVirtualMachineInstanceMandatoryFields)`,
  kinds: [...MACHINE_KINDS, VIRTUAL_MACHINE],
  trap: true,
  example: machineExample({ domain: domainWith(DEVICES, '                cpu: {cores: 4}\n') }),
  check: (object) => (isSet(virtualMachine(object).fields, 'instancetype') ? [] : missingMemory(object)),
};

/** A finding for a domain that asks for no memory. */
export function missingMemory(object: ManifestObject): readonly Finding[] {
  const { fields, path } = instance(object);
  return !isFields(fieldAt(fields, 'domain')) || MEMORY_FIELDS.some((field) => isSet(fields, 'domain', ...field)) ? [] : [{
    path: [...path, 'domain', 'memory', 'guest'], message: 'the machine has no memory', fix: 'write the memory, such as memory: {guest: 4Gi}',
  }];
}

const runStrategy: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-RUN-STRATEGY',
  title: 'A machine must have either runStrategy or running, with a strategy that starts it: KubeVirt refuses the machine otherwise.',
  source: MACHINE_WEBHOOK,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ machine: persistentMachine('') }),
  check: checkRunStrategy,
};

const secureBoot: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SECURE-BOOT',
  title: 'UEFI with secure boot, its default, requires features.smm: KubeVirt refuses the machine otherwise.',
  source: INSTANCE_WEBHOOK,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample(
    { domain: domainWith(DEVICES, '                memory: {guest: 16Gi}\n                firmware: {bootloader: {efi: {}}}\n') },
    { domain: domainWith(DEVICES, '                memory: {guest: 16Gi}\n                firmware: {bootloader: {efi: {secureBoot: false}}}\n') },
  ),
  check: (object) => {
    const { fields, path } = instance(object);
    const efi = ['domain', 'firmware', 'bootloader', 'efi'];
    const smm = fieldAt(fields, 'domain', 'features', 'smm');
    const hasSmm = isSet(fields, 'domain', 'features', 'smm') && fieldAt(smm, 'enabled') !== false;
    return !isSet(fields, ...efi) || fieldAt(fields, ...efi, 'secureBoot') === false || hasSmm ? [] : [{
      path: [...path, ...efi], message: 'secure boot is on, and features.smm is not', fix: 'write secureBoot: false, or features: {smm: {enabled: true}}',
    }];
  },
};

const hostname: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-HOSTNAME',
  title: 'Machines must not have a host name of their own: their nodes are found by the names of the machines.',
  source: PROVIDER_MACHINE,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ instance: `              hostname: worker\n${INSTANCE}` }),
  check: (object) => {
    const { fields, path } = instance(object);
    const given = stringAt(fields, 'hostname');
    return given === undefined ? [] : [{
      path: [...path, 'hostname'], message: `the node would be called "${given}", and the provider looks for one with the name of the machine`, fix: 'remove it',
    }];
  },
};

const providerId: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-PROVIDER-ID',
  title: 'A template must not have a providerID, which all machines would share: the provider writes it.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  trap: true,
  example: {
    failing: machineExample({}).corrected.replace('      virtualMachineBootstrapCheck', '      providerID: kubevirt://acme\n      virtualMachineBootstrapCheck'),
    corrected: machineExample({}).corrected,
  },
  check: (object) => {
    const { fields, path } = machineFields(object);
    return isSet(fields, 'providerID') ? [{ path: [...path, 'providerID'], message: 'all machines would have the same providerID', fix: 'remove it' }] : [];
  },
};

/** Rules of KubeVirt for any virtual machine. */
export const REFUSED_MACHINES: readonly ManifestRule[] = [sizing, runStrategy, secureBoot];

/** Rules for machines of Cluster API. */
export const MACHINES: readonly ManifestRule[] = [sizing, memory, runStrategy, BOOT_DISK, secureBoot, ...MIGRATION, hostname, providerId];

function checkRunStrategy(object: ManifestObject): readonly Finding[] {
  const { fields, path } = virtualMachine(object);
  if (fields === undefined) return [];
  const [strategy, running] = [isSet(fields, 'runStrategy'), isSet(fields, 'running')];
  if (strategy === running) {
    return [{
      path: [...path, 'runStrategy'],
      message: strategy ? 'runStrategy and running are both given' : 'neither runStrategy nor running is given',
      fix: strategy ? 'remove running' : 'write runStrategy, such as RerunOnFailure',
    }];
  }
  const given = stringAt(fields, 'runStrategy');
  // A machine that waits to be received is not started.
  const accepted = groupKind(object) === VIRTUAL_MACHINE ? [...RUN_STRATEGIES, 'WaitAsReceiver'] : RUN_STRATEGIES;
  return given === undefined || accepted.includes(given) ? [] : [{
    path: [...path, 'runStrategy'], message: `machines cannot have the strategy "${given}"`, accepted: accepted.join(', '), fix: 'choose one of them',
  }];
}
