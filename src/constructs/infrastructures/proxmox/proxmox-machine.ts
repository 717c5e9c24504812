import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { ProxmoxInfrastructure } from './proxmox-infrastructure';
import { ProxmoxNetworkDevice } from './proxmox-network-device';
import { MACHINE } from '../../../manifests/systems/proxmox/page-parts';
import { PROXMOX_CLUSTER_KIND } from '../../../manifests/systems/proxmox/proxmox-objects';
import {
  ClusterContext, devicePools, infrastructureOf, MachineAddressPool, MachineConfig, objectFields, PoolContext, ProviderMachine, ProviderObjects,
} from '../contract';

/** Comparison of templates with tags. */
export enum ProxmoxTagMatch {
  /** The template has these tags, and no others. */
  EXACT = 'exact',

  /** The one template that has these tags, and maybe others. */
  UNIQUE_SUBSET = 'uniqueSubset',

  /** Of the templates that have these tags, that with the fewest others. */
  BEST_SUBSET = 'bestSubset',
}

/**
 * Template of Proxmox VE that machines are cloned from. It holds the operating system with container runtime, kubelet and kubeadm of the
 * pool's Kubernetes version, cloud-init and the QEMU guest agent, as kubernetes-sigs/image-builder makes it.
 *
 * @example
 * const template = proxmox.ProxmoxTemplate.id(110, 'pve1');
 */
export class ProxmoxTemplate {
  /**
   * A template by its ID.
   *
   * @param id ID of the template, a whole number
   * @param node the node of Proxmox VE that has it
   */
  public static id(id: number, node: string): ProxmoxTemplate {
    return new ProxmoxTemplate({ templateID: id, sourceNode: node }, { templateID: 'template.id', sourceNode: 'template.node' });
  }

  /**
   * The template that has tags. A new template with the same tags is used by new machines, without a change of the page.
   *
   * @param tags tags: lower-case letters, digits, `_`, `-`, `+` and `.`
   * @param match how they are compared
   */
  public static tags(tags: string[], match: ProxmoxTagMatch = ProxmoxTagMatch.EXACT): ProxmoxTemplate {
    return new ProxmoxTemplate({ templateSelector: { matchTags: tags, matchPolicy: match } }, { 'templateSelector.matchTags[*]': 'template.tags[*]' });
  }

  private constructor(
    /** @internal */
    public readonly _fields: { readonly [field: string]: unknown },
    /** @internal */
    public readonly _sources: { readonly [field: string]: string },
  ) {}
}

/** The disk that a machine starts from. */
export interface ProxmoxBootDisk {
  /** Device of the disk in the template, e.g. `scsi0`. */
  readonly device: string;

  /** Size in whole GiB, 5 or more, and not less than in the template (`TC-ADMIT-FIELD-TYPE`). */
  readonly size: Size;
}

/** A range of IDs of virtual machines, from 100. */
export interface ProxmoxIdRange {
  /** The first ID. */
  readonly start: number;

  /** The last ID. */
  readonly end: number;
}

/** A virtual machine of Proxmox VE that becomes a node. A change of anything here replaces the machines. */
export interface ProxmoxMachineProps {
  /** The template that it is cloned from. */
  readonly template: ProxmoxTemplate;

  /** Number of cores of each socket. */
  readonly cores: number;

  /**
   * Number of sockets.
   *
   * @default 1
   */
  readonly sockets?: number;

  /** Memory in MiB, a multiple of 8. */
  readonly memory: Size;

  /** Network devices, one to ten. The first one gets the addresses of the cluster or zone. */
  readonly networkDevices: ProxmoxNetworkDevice[];

  /**
   * The disk that it starts from, where it should be larger than in the template.
   *
   * @default - as in the template, of a size that is not known
   */
  readonly bootDisk?: ProxmoxBootDisk;

  /**
   * True if the machine has copies of the template's disks. False for a linked clone, which needs the template as long as it lives.
   *
   * @default true
   */
  readonly fullClone?: boolean;

  /**
   * Storage of the disks, of a full clone.
   *
   * @default - that of the template
   */
  readonly storage?: string;

  /**
   * Name of a zone of the infrastructure (`TC-TRAP-PROXMOX-ZONE`).
   *
   * @default - none: the addresses of the cluster
   */
  readonly zone?: string;

  /**
   * Nodes of Proxmox VE that machines are put on.
   *
   * @default - those of the infrastructure
   */
  readonly allowedNodes?: string[];

  /**
   * Pool of Proxmox VE that the machine joins, for rights and quotas.
   *
   * @default - none
   */
  readonly resourcePool?: string;

  /**
   * IDs that machines may have.
   *
   * @default - the next free one
   */
  readonly ids?: ProxmoxIdRange;

  /**
   * Tags of the machine in Proxmox VE: lower-case letters, digits, `_`, `-`, `+` and `.`.
   *
   * @default - none
   */
  readonly tags?: string[];

  /**
   * Description of the machine in Proxmox VE.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * True if the provider does not wait for cloud-init, for images without it, such as Flatcar.
   *
   * Rule: `TC-TRAP-PROXMOX-CLOUD-INIT`.
   *
   * @default false
   */
  readonly skipCloudInitStatus?: boolean;
}

/**
 * A virtual machine of Proxmox VE (`ProxmoxMachineTemplate`, v1alpha2).
 *
 * The provider waits until cloud-init has finished, unless `skipCloudInitStatus` is true. It asks the QEMU guest agent in the machine.
 *
 * @example
 * const machine = new proxmox.ProxmoxMachine({
 *   template: proxmox.ProxmoxTemplate.id(110, 'pve1'),
 *   cores: 4,
 *   memory: Size.gibibytes(16),
 *   bootDisk: { device: 'scsi0', size: Size.gibibytes(100) },
 *   networkDevices: [{ bridge: 'vmbr0' }],
 * });
 */
export class ProxmoxMachine extends ProviderMachine {
  public constructor(private readonly props: ProxmoxMachineProps) {
    super(PROXMOX_CLUSTER_KIND, { cpu: props.cores * (props.sockets ?? 1), memory: props.memory, ephemeralStorage: props.bootDisk?.size });
  }

  /**
   * Number of nodes of Proxmox VE that machines are put on.
   *
   * @param cluster the cluster
   * @returns undefined if the node of the template is not known
   */
  public override hostsIn(cluster: ClusterContext): number | undefined {
    const nodes = this.props.allowedNodes ?? infrastructureOf(cluster, ProxmoxInfrastructure)?._props.allowedNodes ?? [];
    return nodes.length > 0 ? new Set(nodes).size : undefined;
  }

  /**
   * The pools that each machine takes addresses from: those of the cluster or zone, and of its network devices.
   *
   * @param context the pool it belongs to
   */
  public override addressPools(context: PoolContext): MachineAddressPool[] {
    const { zone, networkDevices } = this.props;
    const infrastructure = infrastructureOf(context.cluster, ProxmoxInfrastructure);
    return [...infrastructure?._addressPools(context.cluster.name, zone) ?? [], ...devicePools(networkDevices)];
  }

  /**
   * Makes the `ProxmoxMachineTemplate` of one pool or control plane.
   *
   * @param scope the parent construct
   * @param context the pool it belongs to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { template: { _fields: fields, _sources: sources }, networkDevices } = this.props;
    // The machine has them in this order.
    const devices = networkDevices.map((device, index) => ({ ...device, name: `net${index}` }));
    return {
      template: ProviderObjects.machineTemplate(scope, context, objectFields(
        MACHINE, { ...this.props, networkDevices: devices }, { templateID: undefined, ...fields }, sources,
      )),
    };
  }
}
