import { ApiObject, Duration, Size, SizeRoundingBehavior } from 'cdk8s';
import { Construct } from 'constructs';
import { VSphereInfrastructure } from './vsphere-infrastructure';
import { VSPHERE_API_VERSION, VSPHERE_CLUSTER_KIND } from '../../../manifests/systems/vsphere/vsphere-objects';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { Machine, MachineConfig } from '../../contracts/machine';
import { ExtendedResource, MachineCapacity } from '../../contracts/machine-capacity';
import { AddressPool, MachineAddressPool } from '../../contracts/network/address-pool';
import { PoolContext } from '../../contracts/node-pool/pool-context';

const PROPERTY = 'machine';
const SPEC = 'spec.template.spec';

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

  /** Size in whole GiB (`TC-VSPHERE-DISK-SIZE`). */
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
    public readonly _fields: { readonly [field: string]: unknown },
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
   * Size of the disk, in whole GiB and not less than in the template. The clone is a full one then (`TC-VSPHERE-DISK-SIZE`).
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

const DISK_RULE: Rule = {
  id: 'TC-VSPHERE-DISK-SIZE',
  title: 'Disks of vSphere machines must have whole GiB, and memory whole MiB.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere api/govmomi/v1beta2/types.go',
};

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
export class VSphereMachine extends Machine {
  /** Kind of infrastructure object that such machines belong to. */
  public readonly infrastructureKind = VSPHERE_CLUSTER_KIND;

  /** Capacity of one machine. */
  public readonly capacity?: MachineCapacity;

  public constructor(private readonly props: VSphereMachineProps) {
    super();
    const { cpu, memory, disk, gpus } = props;
    this.capacity = { cpu, memory, ephemeralStorage: disk, gpus };
  }

  /**
   * The pools that each machine takes addresses from: those of its network devices.
   *
   * @param _context the pool it belongs to
   */
  public override addressPools(_context: PoolContext): MachineAddressPool[] {
    return this.props.networkDevices.flatMap(({ addressPools = [] }, index) => (
      addressPools.map((pool, at) => ({ pool, property: `networkDevices[${index}].addressPools[${at}]` }))));
  }

  /**
   * Makes the `VSphereMachineTemplate` of one pool or control plane.
   *
   * @param scope the parent construct
   * @param context the pool it belongs to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const problems = Problems.of(scope);
    this.check().forEach((problem) => problems.add(problem));
    const { template, cpu, coresPerSocket, memory, disk, dataDisks = [], networkDevices, stopTimeout, pciDevices = [] } = this.props;
    const { datastore, folder, resourcePool, hardwareVersion, storagePolicy, tagIds } = this.props;
    const datacenter = VSphereInfrastructure._of(context.cluster.infrastructure)?._props.datacenter;
    const renamed = { storagePolicyName: storagePolicy, tagIDs: tagIds, numCoresPerSocket: coresPerSocket };
    const given = { datacenter, datastore, folder, resourcePool, hardwareVersion, ...renamed };
    const object = new ApiObject(scope, 'Resource', {
      apiVersion: VSPHERE_API_VERSION,
      kind: 'VSphereMachineTemplate',
      metadata: { name: context.name },
      spec: {
        template: {
          spec: {
            template,
            cloneMode: disk ? 'fullClone' : 'linkedClone',
            numCPUs: cpu,
            memoryMiB: memory.toMebibytes({ rounding: SizeRoundingBehavior.NONE }),
            ...(disk && { diskGiB: gibibytes(disk) }),
            ...(dataDisks.length > 0 && { dataDisks: dataDisks.map(diskFields) }),
            network: { devices: networkDevices.map(deviceFields) },
            os: 'Linux',
            powerOffMode: 'trySoft',
            ...(stopTimeout && { guestSoftPowerOffTimeoutSeconds: stopTimeout.toSeconds() }),
            ...(pciDevices.length > 0 && { pciDevices: pciDevices.map(({ _fields }) => _fields) }),
            ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
          },
        },
      },
    });
    FieldSources.record(object, scope, this.sources());
    return { template: object };
  }

  private sources(): { [field: string]: string } {
    const names = {
      numCPUs: 'cpu',
      numCoresPerSocket: 'coresPerSocket',
      memoryMiB: 'memory',
      diskGiB: 'disk',
      storagePolicyName: 'storagePolicy',
      tagIDs: 'tagIds',
      guestSoftPowerOffTimeoutSeconds: 'stopTimeout',
      pciDevices: 'pciDevices',
      datastore: 'datastore',
      folder: 'folder',
      resourcePool: 'resourcePool',
      hardwareVersion: 'hardwareVersion',
      template: 'template',
    };
    return {
      [SPEC]: PROPERTY,
      ...Object.fromEntries(Object.entries(names).map(([field, name]) => [`${SPEC}.${field}`, `${PROPERTY}.${name}`])),
      [`${SPEC}.datacenter`]: 'infrastructure.datacenter',
      [`${SPEC}.dataDisks[*].**`]: `${PROPERTY}.dataDisks[*].**`,
      [`${SPEC}.dataDisks[*].sizeGiB`]: `${PROPERTY}.dataDisks[*].size`,
      [`${SPEC}.dataDisks[*].provisioningMode`]: `${PROPERTY}.dataDisks[*].provisioning`,
      [`${SPEC}.network.devices`]: `${PROPERTY}.networkDevices`,
      [`${SPEC}.network.devices[*].**`]: `${PROPERTY}.networkDevices[*].**`,
      [`${SPEC}.network.devices[*].networkName`]: `${PROPERTY}.networkDevices[*].network`,
      [`${SPEC}.network.devices[*].addressesFromPools[*]`]: `${PROPERTY}.networkDevices[*].addressPools[*]`,
    };
  }

  private check(): Problem[] {
    const { memory, disk, dataDisks = [] } = this.props;
    const sizes = [
      ...(disk ? [{ property: 'disk', amount: gibibytes(disk), unit: 'GiB' }] : []),
      ...dataDisks.map(({ size }, index) => ({ property: `dataDisks[${index}].size`, amount: gibibytes(size), unit: 'GiB' })),
      { property: 'memory', amount: memory.toMebibytes({ rounding: SizeRoundingBehavior.NONE }), unit: 'MiB' },
    ];
    return sizes.filter(({ amount }) => !Number.isInteger(amount)).map(({ property, amount, unit }) => ({
      rule: DISK_RULE, property: `${PROPERTY}.${property}`, message: `${amount} ${unit} are no whole number`, fix: `give whole ${unit}`,
    }));
  }
}

function diskFields({ name, size, provisioning }: VSphereDataDisk): object {
  return { name, sizeGiB: gibibytes(size), ...(provisioning !== undefined && { provisioningMode: provisioning }) };
}

function deviceFields({ network, addressPools = [], dhcp6 = false, nameservers, searchDomains, mtu, ...given }: VSphereNetworkDevice): object {
  const { dhcp4 = addressPools.length === 0 && !dhcp6 } = given;
  return {
    networkName: network,
    dhcp4,
    dhcp6,
    ...(addressPools.length > 0 && { addressesFromPools: addressPools.map(({ reference: { apiGroup, kind, name } }) => ({ apiGroup, kind, name })) }),
    ...Object.fromEntries(Object.entries({ nameservers, searchDomains, mtu }).filter(([, value]) => value !== undefined)),
  };
}

function gibibytes(size: Size): number {
  return size.toGibibytes({ rounding: SizeRoundingBehavior.NONE });
}
