import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { OpenStackResource } from './openstack-resource';
import { OPENSTACK_CLUSTER_KIND } from '../../../manifests/systems/openstack/openstack-objects';
import { MACHINE } from '../../../manifests/systems/openstack/page-parts';
import { MachineConfig, objectFields, PoolContext, ProviderMachine, ProviderObjects, StatedCapacity } from '../contract';

/** Volume that a machine boots from, made of the image. It is deleted with the machine. */
export interface OpenStackRootVolume {
  /** Size, in whole GiB. */
  readonly size: Size;

  /**
   * Volume type of Cinder.
   *
   * @default - Cinder decides
   */
  readonly type?: string;

  /**
   * True if the volume is in the zone of the machine: the `failureDomain` of its pool. Cinder must have a zone of the same name.
   *
   * @default false
   */
  readonly machineZone?: boolean;
}

/** A port of a machine. */
export interface OpenStackPort {
  /**
   * Network of the port.
   *
   * @default - that of the cluster
   */
  readonly network?: OpenStackResource;

  /**
   * Security groups.
   *
   * @default - the managed group of the machine
   */
  readonly securityGroups?: OpenStackResource[];

  /**
   * Addresses beside its own that the port may send from, such as that of kube-vip, or the range of pods. Neutron drops their packets otherwise.
   *
   * @default - none
   */
  readonly allowedAddresses?: string[];

  /**
   * True if Neutron lets all packets through. It cannot have security groups then (`TC-TRAP-OPENSTACK-MACHINE`).
   *
   * @default - as the network has it
   */
  readonly disablePortSecurity?: boolean;
}

/** A server of OpenStack that becomes a node. A change of anything here but `capacity` replaces the machines, one after the other. */
export interface OpenStackMachineProps extends StatedCapacity {
  /** Name of the flavor, e.g. `m1.large`. */
  readonly flavor: string;

  /** Image with container runtime, kubelet and kubeadm of the pool's Kubernetes version, as kubernetes-sigs/image-builder makes it. */
  readonly image: OpenStackResource;

  /**
   * Name of the key pair of SSH.
   *
   * @default - none
   */
  readonly sshKeyName?: string;

  /**
   * Volume of Cinder that the machine boots from.
   *
   * @default - the disk of the flavor
   */
  readonly rootVolume?: OpenStackRootVolume;

  /**
   * Server group, by id or name. One with the policy `anti-affinity` keeps the machines on different hosts, and lets a rollout wait where there is no
   * spare host; `soft-anti-affinity` does not.
   *
   * @default - none
   */
  readonly serverGroup?: OpenStackResource;

  /**
   * Security groups beside the managed one.
   *
   * @default - none
   */
  readonly securityGroups?: OpenStackResource[];

  /**
   * Ports.
   *
   * @default - one port in the network of the cluster
   */
  readonly ports?: OpenStackPort[];

  /**
   * Tags of the server and what belongs to it, beside those of the cluster.
   *
   * @default - none
   */
  readonly tags?: string[];
}

/**
 * Nodes that are servers of OpenStack, made by Cluster API's provider for OpenStack (`OpenStackMachineTemplate`, v1beta1). A pool's `failureDomain` is
 * their availability zone.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack v0.14.7 api/v1beta1/openstackmachine_types.go.
 *
 * @example
 * new openstack.OpenStackMachine({
 *   flavor: 'm1.large',
 *   image: openstack.OpenStackResource.named('ubuntu-2404-kube-v1.35.4'),
 *   capacity: { cpu: 4, memory: Size.gibibytes(8) },
 * });
 */
export class OpenStackMachine extends ProviderMachine {
  public constructor(private readonly props: OpenStackMachineProps) {
    super(OPENSTACK_CLUSTER_KIND, props.capacity);
  }

  /**
   * Makes the `OpenStackMachineTemplate` of one group of machines.
   *
   * @param scope the parent construct
   * @param context the group they belong to
   */
  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { rootVolume, ports } = this.props;
    return {
      template: ProviderObjects.machineTemplate(scope, context, objectFields(MACHINE, {
        ...this.props,
        rootVolume: rootVolume && { ...rootVolume, machineZone: rootVolume.machineZone ? { from: 'Machine' } : undefined },
        ports: ports?.map((port) => ({ ...port, allowedAddresses: port.allowedAddresses?.map((ipAddress) => ({ ipAddress })) })),
      })),
    };
  }
}
