import { Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { VSphereInfrastructure } from './vsphere-infrastructure';
import { MACHINE } from '../../../manifests/systems/vsphere/page-parts';
import { VSPHERE_CLUSTER_KIND } from '../../../manifests/systems/vsphere/vsphere-objects';
import {
  AddressPool, devicePools, ExtendedResource, FieldSources, infrastructureOf, MachineAddressPool, MachineConfig, objectFields, PoolContext,
  ProviderMachine, ProviderObjects,
} from '../contract';

/** A network device of a machine. It gets addresses by DHCP or from pools (`TC-TRAP-VSPHERE-ADDRESS`). */
export interface VSphereNetworkDevice {
  /** Name or inventory path of the network. */
  readonly network: string;

  /**
   * True if the device gets an IPv4 address by DHCP.
   *
   * @default - true, unless there are addressPools or dhcp6
   */
  readonly dhcp4?: boolean;

  /**
   * True if the device gets an IPv6 address by DHCP.
   *
   * @default false
   */
  readonly dhcp6?: boolean;

  /**
   * Pools that the device takes one address each from.
   *
   * @default - none
   */
  readonly addressPools?: AddressPool[];

  /**
   * DNS servers, for devices without DHCP.
   *
   * @default - none
   */
  readonly nameservers?: string[];

  /**
   * Domains in which names without a dot are looked for.
   *
   * @default - none
   */
  readonly searchDomains?: string[];

  /**
   * Size of the largest packet in bytes.
   *
   * @default - that of the operating system
   */
  readonly mtu?: number;
}

/** A disk beside that of the template. */
export interface VSphereDataDisk {
  /** Name of the disk, unique in the machine. */
  readonly name: string;

  /** Size in whole GiB (`TC-ADMIT-FIELD-TYPE`). */
  readonly size: Size;

  /**
   * Provisioning: `Thin`, `Thick` or `EagerlyZeroed`.
   *
   * @default - that of the storage policy
   */
  readonly provisioning?: string;
}

/**
 * A device of the host that a machine has for itself, such as a graphics card.
 *
 * @example
 * const card = vsphere.VSpherePciDevice.vgpu('grid_t4-4c');
 */
export class VSpherePciDevice {
  /**
   * A virtual graphics card.
   *
   * @param profile name of its profile, e.g. `grid_t4-4c`
   */
  public static vgpu(profile: string): VSpherePciDevice {
    return new VSpherePciDevice({ vGPUProfile: profile });
  }

  /**
   * A device that is passed through.
   *
   * @param deviceId ID of the device, as a number: `0x1EB8`
   * @param vendorId ID of the vendor, as a number: `0x10DE`
   */
  public static passthrough(deviceId: number, vendorId: number): VSpherePciDevice {
    return new VSpherePciDevice({ deviceId, vendorId });
  }

  private constructor(
    /** @internal */
    public readonly _spec: { readonly [field: string]: unknown },
  ) {}
}

/** A virtual machine of vSphere that becomes a node. A change of anything here but `gpus` replaces the machines. */
export interface VSphereMachineProps {
  /**
   * Name or inventory path of the virtual machine that it is cloned from. It holds the operating system with container runtime, kubelet and
   * kubeadm of the pool's Kubernetes version, as kubernetes-sigs/image-builder makes it.
   */
  readonly template: string;

  /** Number of processors, 2 or more. */
  readonly cpu: number;

  /**
   * Number of cores of each socket.
   *
   * @default - as in the template
   */
  readonly coresPerSocket?: number;

  /** Memory, in whole MiB. */
  readonly memory: Size;

  /**
   * Size of the disk, in whole GiB and not less than in the template. The clone is a full one then (`TC-ADMIT-FIELD-TYPE`).
   *
   * @default - as in the template, of a size that is not known; the clone is a linked one if the template has a snapshot
   */
  readonly disk?: Size;

  /**
   * Further disks.
   *
   * @default - none
   */
  readonly dataDisks?: VSphereDataDisk[];

  /** Network devices, one or more. */
  readonly networkDevices: VSphereNetworkDevice[];

  /**
   * Name or inventory path of the datastore.
   *
   * @default - that of the storage policy, or the zone
   */
  readonly datastore?: string;

  /**
   * Name of the storage policy.
   *
   * @default - none
   */
  readonly storagePolicy?: string;

  /**
   * Name or inventory path of the folder.
   *
   * @default - that of the data center, or the zone
   */
  readonly folder?: string;

  /**
   * Name or inventory path of the resource pool.
   *
   * @default - that of the data center, or the zone
   */
  readonly resourcePool?: string;

  /**
   * Time that the operating system may take to stop before the machine is switched off.
   *
   * @default Duration.minutes(5)
   */
  readonly stopTimeout?: Duration;

  /**
   * Hardware version, e.g. `vmx-21` (`TC-ADMIT-VSPHERE-MACHINE`).
   *
   * @default - as in the template
   */
  readonly hardwareVersion?: string;

  /**
   * Devices of the host.
   *
   * @default - none
   */
  readonly pciDevices?: VSpherePciDevice[];

  /**
   * Resources that nodes offer because of these devices. Pools that are empty tell the autoscaler.
   *
   * @default - none
   */
  readonly gpus?: ExtendedResource[];

  /**
   * Tags of the machine, as URNs: `urn:vmomi:InventoryServiceTag:…`.
   *
   * @default - none
   */
  readonly tagIds?: string[];
}

/**
 * A virtual machine of vSphere (`VSphereMachineTemplate`, v1beta2).
 *
 * @example
 * const machine = new vsphere.VSphereMachine({
 *   template: 'ubuntu-2404-kube-v1.35.4',
 *   cpu: 4,
 *   memory: Size.gibibytes(16),
 *   disk: Size.gibibytes(60),
 *   networkDevices: [{ network: 'nodes' }],
 * });
 */
export class VSphereMachine extends ProviderMachine {
  public constructor(private readonly props: VSphereMachineProps) {
    super(VSPHERE_CLUSTER_KIND, { cpu: props.cpu, memory: props.memory, ephemeralStorage: props.disk, gpus: props.gpus });
  }

  /**
   * The pools that each machine takes addresses from: those of its network devices.
   *
   * @param _context the pool it belongs to
   */
  public override addressPools(_context: PoolContext): MachineAddressPool[] {
    return devicePools(this.props.networkDevices);
  }

  /**
   * Makes the `VSphereMachineTemplate` of one pool or control plane.
   *
   * @param scope the parent construct
   * @param context the pool it belongs to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { disk, networkDevices } = this.props;
    const devices = networkDevices.map((device) => ({ ...device, dhcp4: device.dhcp4 ?? (!device.addressPools?.length && device.dhcp6 !== true) }));
    const object = ProviderObjects.machineTemplate(scope, context, objectFields(MACHINE, { ...this.props, networkDevices: devices }, {
      cloneMode: disk ? 'fullClone' : 'linkedClone',
      os: 'Linux',
      powerOffMode: 'trySoft',
      datacenter: infrastructureOf(context.cluster, VSphereInfrastructure)?._props.datacenter,
    }));
    FieldSources.record(object, scope, { 'spec.template.spec.datacenter': 'infrastructure.datacenter' });
    return { template: object };
  }
}
