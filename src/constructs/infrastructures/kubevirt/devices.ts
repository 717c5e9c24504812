import { DeviceFields, DomainFields } from './template-types';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { ExtendedResource } from '../../contracts/machine-capacity';

/** The functions of a PCI bus. */
const MOST_DEVICES = 256;

/** GPUs of one kind that are passed through to the guest. */
export interface GpuDevice {
  /**
   * Resource of the infrastructure cluster's hosts, as in `permittedHostDevices` of the KubeVirt object, e.g.
   * `nvidia.com/AD102GL_L40S` (`TC-KUBEVIRT-DEVICE`, `TC-KUBEVIRT-INFRA-DEVICE`).
   */
  readonly deviceName: string;

  /**
   * Number for each machine: a whole number from 1 to 256 (`TC-KUBEVIRT-DEVICE`).
   *
   * @default 1
   */
  readonly count?: number;

  /**
   * Resource that the tenant's node will offer, once a device plugin runs on it; the autoscaler plans with it.
   *
   * @default - `gpu` in the domain of `deviceName`, e.g. `nvidia.com/gpu`
   */
  readonly nodeResourceName?: string;
}

/** Devices of one kind, other than GPUs, that are passed through to the guest. */
export interface HostDevice {
  /**
   * Resource of the infrastructure cluster's hosts, as in `permittedHostDevices` of the KubeVirt object (`TC-KUBEVIRT-DEVICE`,
   * `TC-KUBEVIRT-INFRA-DEVICE`).
   */
  readonly deviceName: string;

  /**
   * Number for each machine: a whole number from 1 to 256 (`TC-KUBEVIRT-DEVICE`).
   *
   * @default 1
   */
  readonly count?: number;
}

/** One entry for every GPU: `gpu-1`, `gpu-2`, … */
export function renderGpus(gpus: readonly GpuDevice[]): DeviceFields['gpus'] {
  return numbered('gpu', gpus);
}

/** One entry for every device: `hostdevice-1`, `hostdevice-2`, … */
export function renderHostDevices(devices: readonly HostDevice[]): DeviceFields['hostDevices'] {
  return numbered('hostdevice', devices);
}

/**
 * Extended resources of the tenant's node, one entry for each.
 *
 * @param gpus the machine's GPUs
 * @param further further resources of the machine
 */
export function gpuResources(gpus: readonly GpuDevice[], further: readonly ExtendedResource[] = []): ExtendedResource[] {
  const counts = new Map<string, number>();
  const add = (name: string, count: number): unknown => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const { resourceName, count } of further) add(resourceName, count);
  for (const gpu of gpus) add(gpu.nodeResourceName ?? `${gpu.deviceName.split('/')[0]}/gpu`, countOf(gpu));
  return [...counts].map(([resourceName, count]) => ({ resourceName, count }));
}

/** Checks the GPUs of a machine. */
export function checkGpus(report: PropertyReport, gpus: readonly GpuDevice[]): void {
  checkHostDevices(report, gpus);
  gpus.forEach(({ nodeResourceName }, index) => {
    if (nodeResourceName !== undefined) checkResource(report.item(index).at('nodeResourceName'), nodeResourceName);
  });
}

const DEVICE_RULE: Rule = {
  id: 'TC-KUBEVIRT-DEVICE',
  title: 'Devices must be resource names with a domain, in whole numbers from 1 to 256.',
  source: 'kubevirt.io/user-guide/compute/host-devices',
};

/** Checks the devices of a machine. */
export function checkHostDevices(report: PropertyReport, devices: readonly HostDevice[]): void {
  devices.forEach(({ deviceName, count }, index) => {
    checkResource(report.item(index).at('deviceName'), deviceName);
    if (count !== undefined && !isCount(count)) {
      report.item(index).at('count').add(DEVICE_RULE, {
        message: `${count} is not a number of devices`,
        accepted: `whole numbers from 1 to ${MOST_DEVICES}`,
        fix: 'give the number of devices that each machine gets, or remove the entry',
      });
    }
  });
}

function checkResource(report: PropertyReport, name: string): void {
  report.expect(DEVICE_RULE, checkResourceName(name), 'write domain and name, such as "nvidia.com/gpu"');
}

/** Checks the resource name of a device. */
export function checkResourceName(name: string): string | undefined {
  return checkQualifiedName(name) ?? (name.includes('/') ? undefined : `"${name}" has no domain`);
}

function numbered(prefix: string, devices: readonly HostDevice[]): { name: string; deviceName: string }[] | undefined {
  const names = devices.flatMap((device) => Array.from({ length: countOf(device) }, () => device.deviceName));
  return names.length === 0 ? undefined : names.map((deviceName, index) => ({ name: `${prefix}-${index + 1}`, deviceName }));
}

/** A count that cannot be right is reported, and must not stop the rendering. */
function countOf({ count = 1 }: HostDevice): number {
  return isCount(count) ? count : 1;
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST_DEVICES;
}

/** Firmware of the guest. */
export enum Firmware {
  /** A BIOS. Not on arm64. */
  BIOS = 'bios',

  /** UEFI that starts any boot loader. */
  UEFI = 'uefi',

  /** UEFI that starts signed boot loaders only. Not on arm64. */
  UEFI_SECURE_BOOT = 'uefi-secure-boot',
}

/** A TPM that KubeVirt emulates. */
export enum VirtualTpm {
  /** A TPM that loses its secrets whenever the virtual machine stops. */
  EPHEMERAL = 'ephemeral',

  /** A TPM that keeps its secrets; requires `vmStateStorageClass` in the KubeVirt object. */
  PERSISTENT = 'persistent',
}

/**
 * Firmware fields of a domain. KubeVirt enables secure boot with UEFI by default, and refuses secure boot without system
 * management mode (kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go).
 */
export function renderFirmware(firmware: Firmware | undefined): Pick<DomainFields, 'firmware' | 'features'> {
  switch (firmware) {
    case Firmware.BIOS:
      return { firmware: { bootloader: { bios: {} } } };
    case Firmware.UEFI:
      return { firmware: { bootloader: { efi: { secureBoot: false } } } };
    case Firmware.UEFI_SECURE_BOOT:
      return { firmware: { bootloader: { efi: { secureBoot: true } } }, features: { smm: { enabled: true } } };
    default:
      return {};
  }
}

/** The TPM of a domain. */
export function renderTpm(tpm: VirtualTpm | undefined): DomainFields['devices']['tpm'] {
  return tpm && { enabled: true, persistent: tpm === VirtualTpm.PERSISTENT ? true : undefined };
}
