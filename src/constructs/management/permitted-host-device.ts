import { KubeVirtSpecConfigurationPermittedHostDevices } from '../../../imports/kubevirt.io';
import { checkQualifiedName } from '../../manifests/values/labels';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';

// kubevirt/kubevirt pkg/virt-handler/device-manager/pci_device.go: vendor and device, as lspci -nn shows them.
const PCI_SELECTOR = /^[0-9a-fA-F]{4}:[0-9a-fA-F]{4}$/;
const USB_ID = /^[0-9a-fA-F]{4}$/;

/** Options of a device. */
export interface PermittedHostDeviceOptions {
  /**
   * True if a separate device plugin, such as NVIDIA's GPU operator, offers the devices to Kubernetes.
   *
   * @default false - KubeVirt's own plugin does
   */
  readonly externalResourceProvider?: boolean;
}

interface Selector {
  readonly pci?: string;
  readonly mediated?: string;
  readonly usb?: { readonly vendor: string; readonly product: string };
}

/**
 * Host devices that machines may use, an entry of `permittedHostDevices` of the KubeVirt object (`TC-MANAGEMENT-DEVICE`).
 *
 * @example
 * const gpu = management.PermittedHostDevice.pci('nvidia.com/GA102GL_A10', '10DE:2236');
 */
export class PermittedHostDevice {
  /**
   * PCI devices, such as whole GPUs.
   *
   * @param resourceName resource that machines ask for, e.g. `nvidia.com/AD102GL_L40S`
   * @param vendorSelector vendor and device as `lspci -nn` shows them, e.g. `10DE:26B9`
   * @param options options of the device
   */
  public static pci(resourceName: string, vendorSelector: string, options: PermittedHostDeviceOptions = {}): PermittedHostDevice {
    return new PermittedHostDevice(resourceName, { pci: vendorSelector }, options);
  }

  /**
   * Mediated devices: shares of a GPU.
   *
   * @param resourceName resource that machines ask for, e.g. `nvidia.com/NVIDIA_A40-12Q`
   * @param nameSelector name of the type, e.g. `NVIDIA A40-12Q`
   * @param options options of the device
   */
  public static mediated(resourceName: string, nameSelector: string, options: PermittedHostDeviceOptions = {}): PermittedHostDevice {
    return new PermittedHostDevice(resourceName, { mediated: nameSelector }, options);
  }

  /**
   * USB devices.
   *
   * @param resourceName resource that machines ask for, e.g. `kubevirt.io/storage`
   * @param vendor vendor as `lsusb` shows it, e.g. `46f4`
   * @param product product as `lsusb` shows it, e.g. `0001`
   * @param options options of the device
   */
  public static usb(resourceName: string, vendor: string, product: string, options: PermittedHostDeviceOptions = {}): PermittedHostDevice {
    return new PermittedHostDevice(resourceName, { usb: { vendor, product } }, options);
  }

  /**
   * @param resourceName resource that machines ask for
   * @param _selector selector of the devices
   * @param _options options of the device
   */
  private constructor(
    public readonly resourceName: string,
    /** @internal */
    public readonly _selector: Selector,
    /** @internal */
    public readonly _options: PermittedHostDeviceOptions,
  ) {}
}

/** The field of the KubeVirt object; undefined without devices. */
export function permittedHostDevices(devices: readonly PermittedHostDevice[]): KubeVirtSpecConfigurationPermittedHostDevices | undefined {
  if (devices.length === 0) return undefined;
  const common = ({ resourceName, _options: { externalResourceProvider } }: PermittedHostDevice) => (
    { resourceName, ...(externalResourceProvider && { externalResourceProvider }) });
  const pciHostDevices = devices.flatMap((device) => (
    device._selector.pci === undefined ? [] : [{ ...common(device), pciVendorSelector: device._selector.pci }]));
  const mediatedDevices = devices.flatMap((device) => (
    device._selector.mediated === undefined ? [] : [{ ...common(device), mdevNameSelector: device._selector.mediated }]));
  const usb = devices.flatMap((device) => (device._selector.usb === undefined ? [] : [{ ...common(device), selectors: [device._selector.usb] }]));
  return {
    ...(pciHostDevices.length > 0 && { pciHostDevices }),
    ...(mediatedDevices.length > 0 && { mediatedDevices }),
    ...(usb.length > 0 && { usb }),
  };
}

const DEVICE_RULE: Rule = {
  id: 'TC-MANAGEMENT-DEVICE',
  title: 'The resource name of a permitted host device must be unique, and its selector must be valid in KubeVirt.',
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (PermittedHostDevices)',
};

/** Checks the devices. */
export function checkPermittedHostDevices(property: string, devices: readonly PermittedHostDevice[]): Problem[] {
  return devices.flatMap((device, index) => {
    const at = `${property}[${index}]`;
    const { resourceName } = device;
    const first = devices.findIndex((other) => other.resourceName === resourceName);
    const rule = DEVICE_RULE;
    return [
      ...problemIf(rule, `${at}.resourceName`, checkResourceName(resourceName), 'write a name with a domain, e.g. "nvidia.com/AD102GL_L40S"'),
      ...problemIf(rule, `${at}.resourceName`, first < index ? `"${resourceName}" is already at position ${first}` : undefined, 'choose another name'),
      ...problemIf(rule, at, checkSelector(device._selector), 'write the identifiers as lspci -nn, lsusb or mdevctl types show them'),
    ];
  });
}

function checkResourceName(name: string): string | undefined {
  return checkQualifiedName(name) ?? (name.includes('/') ? undefined : `"${name}" has no domain as its prefix`);
}

function checkSelector({ pci, mediated, usb }: Selector): string | undefined {
  if (pci !== undefined) return PCI_SELECTOR.test(pci) ? undefined : `"${pci}" is not vendor and device of a PCI device, such as "10DE:26B9"`;
  if (mediated !== undefined) return mediated.trim() === '' ? 'the name of the type is empty' : undefined;
  const wrong = [usb!.vendor, usb!.product].find((id) => !USB_ID.test(id));
  return wrong === undefined ? undefined : `"${wrong}" is not four hex digits, as vendor and product of a USB device are`;
}
