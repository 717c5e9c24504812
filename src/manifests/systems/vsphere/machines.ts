import { VSPHERE_API_VERSION, VSPHERE_MACHINE, VSPHERE_MACHINE_TEMPLATE, VSPHERE_VM } from './vsphere-objects';
import {
  fieldAt, FieldPath, Finding, groupKind, isSet, isV1beta1, listAt, ManifestObject, ManifestRule, nameOf, numberAt, objectsAt, replaced, specPath,
  stringAt, stringsAt, TEMPLATE_FIELDS as MACHINE, templateProviderIds, templateYaml,
} from '../../rules/contract';
import { checkNameTemplate } from '../../rules/go-templates';
import { Cidr } from '../../values/cidr';

const SOURCE = 'kubernetes-sigs/cluster-api-provider-vsphere internal/webhooks/vspheremachinetemplate.go, vspheremachine.go';

const TEMPLATE_TEXT = templateYaml(VSPHERE_API_VERSION, 'VSphereMachineTemplate', `template: ubuntu-2404-kube-v1.35.4
numCPUs: 4
memoryMiB: 16384
powerOffMode: trySoft
network:
  devices:
    - {networkName: nodes, dhcp4: true}
`, 'acme-general-3f9a1c42');

const HARDWARE_VERSION = /^vmx-[1-9][0-9]?$/;

const machine: ManifestRule = {
  id: 'TC-ADMIT-VSPHERE-MACHINE',
  title: 'A template of vSphere machines must have no IDs or addresses of one machine and a hardware version such as vmx-17; machines must have addresses with a prefix length; '
    + 'and a time for the guest to stop is only for powerOffMode trySoft.',
  source: `${SOURCE}, vspherevm.go`,
  kinds: [VSPHERE_MACHINE_TEMPLATE, VSPHERE_MACHINE, VSPHERE_VM],
  example: replaced(TEMPLATE_TEXT, 'powerOffMode: trySoft', 'powerOffMode: hard\n      guestSoftPowerOffTimeoutSeconds: 300'),
  check: (object) => {
    const path = specPath(object);
    // The older version of the API has another name for the time.
    const time = ['guestSoftPowerOffTimeoutSeconds', 'guestSoftPowerOffTimeout'].find((field) => isSet(object, ...path, field) && fieldAt(object, ...path, field) !== 0);
    return [
      ...(groupKind(object) === VSPHERE_MACHINE_TEMPLATE ? checkTemplate(object) : checkMachine(object)),
      ...(time === undefined || stringAt(object, ...path, 'powerOffMode') === 'trySoft' ? [] : [{
        path: [...path, time], message: 'the guest is not waited for', fix: 'set powerOffMode to trySoft, or remove the time',
      }]),
      ...(groupKind(object) === VSPHERE_VM ? [] : checkDevices(object, path)),
    ];
  },
};

/** Checks what only a template must not have. */
function checkTemplate(object: object): Finding[] {
  const version = stringAt(object, ...MACHINE, 'hardwareVersion');
  return [
    ...templateProviderIds(object, MACHINE),
    ...objectsAt(object, ...MACHINE, 'network', 'devices').filter(([device]) => listAt(device, 'ipAddrs').length > 0).map(([, index]) => ({
      path: [...MACHINE, 'network', 'devices', index, 'ipAddrs'], message: 'all machines of the template would have one address', fix: 'take addresses from a pool: addressesFromPools',
    })),
    ...(version === undefined || HARDWARE_VERSION.test(version) ? [] : [{
      path: [...MACHINE, 'hardwareVersion'], message: `${JSON.stringify(version)} is no hardware version`, accepted: '"vmx-1" to "vmx-99"', fix: 'write a version such as "vmx-17"',
    }]),
    ...checkNaming(object),
  ];
}

/** Checks the addresses of one machine, and the name of one with Windows. */
function checkMachine(object: ManifestObject): Finding[] {
  // The definition of v1beta2 requires a spec.
  if (!isSet(object, 'spec') && isV1beta1(object)) return [{ path: ['spec'], message: 'the machine has no spec', fix: 'write template and network' }];
  const [name, isWindows] = [nameOf(object) ?? '', groupKind(object) === VSPHERE_VM && fieldAt(object, 'spec', 'os') === 'Windows'];
  const addresses = objectsAt(object, 'spec', 'network', 'devices').flatMap(([device, index]) => stringsAt(device, 'ipAddrs').filter(([text]) => Cidr.parse(text) === undefined)
    .map(([text, at]) => ({
      path: ['spec', 'network', 'devices', index, 'ipAddrs', at], message: `${JSON.stringify(text)} is no address with a prefix length`, accepted: 'such as 192.0.2.10/24', fix: 'write both',
    })));
  return name.length <= 15 || !isWindows ? addresses
    : [...addresses, { path: ['metadata', 'name'], message: `"${name}" has ${name.length} characters`, accepted: '15 for Windows', fix: 'choose a shorter name' }];
}

/** Checks that each PCI device is a vGPU, or one that is passed through. */
function checkDevices(object: object, machinePath: FieldPath): Finding[] {
  return objectsAt(object, ...machinePath, 'pciDevices').filter(([device]) => {
    const [isProfile, hasDevice, hasVendor] = [stringAt(device, 'vGPUProfile') !== undefined, isSet(device, 'deviceId'), isSet(device, 'vendorId')];
    return isProfile ? hasDevice || hasVendor : !hasDevice || !hasVendor;
  }).map(([, index]) => ({
    path: [...machinePath, 'pciDevices', index], message: 'it is neither a vGPU nor one device', accepted: 'vGPUProfile, or deviceId and vendorId', fix: 'set one of both',
  }));
}

/** Checks a template for names (pkg/util/template.go, GenerateMachineNameFromTemplate). */
function checkNaming(object: object): Finding[] {
  const path: FieldPath = [...MACHINE, isSet(object, ...MACHINE, 'naming') ? 'naming' : 'namingStrategy', 'template'];
  const message = checkNameTemplate(stringAt(object, ...path) ?? 'machine', { machine: { name: 'machine' } }, ['trimSuffix', 'trunc']);
  return message === undefined ? [] : [{
    path, message, accepted: 'lower-case letters, digits, "-" and ".", with {{ .machine.name }}', fix: 'write a template such as "{{ .machine.name }}"',
  }];
}

const address: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-ADDRESS',
  title: 'Each network device of a vSphere machine must get an address by DHCP or from a pool, or skip that: the machine waits for it for ever.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere controllers/vspherevm_controller.go (isWaitingForStaticIPAllocation)',
  kinds: [VSPHERE_MACHINE_TEMPLATE],
  trap: true,
  example: replaced(TEMPLATE_TEXT, 'dhcp4: true', 'dhcp4: false'),
  check: (object) => objectsAt(object, ...MACHINE, 'network', 'devices')
    .filter(([device]) => !['dhcp4', 'dhcp6', 'skipIPAllocation'].some((field) => device[field] === true)
      // Addresses of one machine are refused.
      && listAt(device, 'addressesFromPools').length === 0 && listAt(device, 'ipAddrs').length === 0)
    .map(([, index]) => ({
      path: [...MACHINE, 'network', 'devices', index], message: 'the device gets no address', accepted: 'dhcp4, dhcp6, addressesFromPools or skipIPAllocation', fix: 'set dhcp4 to true, or name a pool',
    })),
};

const disk: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-DISK',
  title: 'The disk of a linked clone has the size that it has in the template: diskGiB is ignored.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere pkg/services/govmomi/vcenter/clone.go, api/govmomi/v1beta2/types.go (cloneMode)',
  kinds: [VSPHERE_MACHINE_TEMPLATE],
  trap: true,
  // The clone is a full one, and the field counts, if the template has no snapshot.
  warning: true,
  example: replaced(TEMPLATE_TEXT.replace('numCPUs: 4', 'numCPUs: 4\n      cloneMode: fullClone\n      diskGiB: 60'), 'fullClone', 'linkedClone'),
  check: (object) => (isSet(object, ...MACHINE, 'diskGiB') && (stringAt(object, ...MACHINE, 'cloneMode') ?? 'linkedClone') === 'linkedClone' ? [{
    path: [...MACHINE, 'diskGiB'], message: 'the clone is a linked one if the template has a snapshot, and keeps the size of the template', fix: 'set cloneMode to fullClone, or remove diskGiB',
  }] : []),
};

const sockets: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-SOCKETS',
  title: 'The number of CPUs of a machine must be a multiple of the cores of a socket: vSphere does not make it otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere pkg/services/govmomi/vcenter/clone.go, vmware/govmomi vim25/types/types.go (VirtualHardware, NumCoresPerSocket)',
  kinds: [VSPHERE_MACHINE_TEMPLATE],
  trap: true,
  example: replaced(TEMPLATE_TEXT.replace('numCPUs: 4', 'numCPUs: 4\n      numCoresPerSocket: 2'), 'numCoresPerSocket: 2', 'numCoresPerSocket: 3'),
  check: (object) => {
    const [cpus, cores] = ['numCPUs', 'numCoresPerSocket'].map((field) => numberAt(object, ...MACHINE, field));
    return !cpus || !cores || cpus % cores === 0 ? [] : [{
      path: [...MACHINE, 'numCoresPerSocket'], message: `${cpus} CPUs do not fill sockets of ${cores} cores`, fix: 'write a number of cores that numCPUs is a multiple of',
    }];
  },
};

/** Rules over templates of vSphere machines. */
export const VSPHERE_MACHINE_RULES: readonly ManifestRule[] = [machine, address, disk, sockets];
