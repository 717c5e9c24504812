import { OBJECT_NAME_RULE } from './disk';
import { InterfaceFields, NetworkFields } from './template-types';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';

/** The interface that the cloud controller manager takes a node's addresses from (kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go). */
export const PRIMARY_INTERFACE = 'default';

const MIGRATE_BRIDGE = 'kubevirt.io/allow-pod-bridge-network-live-migration';

/** A primary interface on a network of its own. */
export interface MultusPrimaryOptions {
  /**
   * NetworkAttachmentDefinition: `name`, in the virtual machines' namespace, or `namespace/name`.
   *
   * It must give the machines their addresses. Where it leaves that to a DHCP server behind it, the guest needs the QEMU guest agent: a
   * machine is not ready before its address is known.
   *
   * Rules: `TC-KUBEVIRT-NETWORK-NAME`, `TC-KUBEVIRT-INFRA-NETWORK`.
   */
  readonly networkName: string;

  /**
   * True if the network takes the place of the pod network in the virtual machine's pod too, as Multus's default network.
   *
   * @default false
   */
  readonly replacesPodNetwork?: boolean;
}

/**
 * Network of a machine's first interface, which gives the node its address.
 *
 * KubeVirt's `masquerade` is not offered: behind it every guest has the address 10.0.2.2, so that all nodes of a cluster would have
 * the same one, while KubeVirt and Cluster API report the pods' and everything looks healthy
 * (kubevirt.io/user-guide/network/interfaces_and_networks, masquerade).
 *
 * @example
 * const primaryNetwork = PrimaryNetwork.multus({ networkName: 'tenants/vlan-200' });
 */
export class PrimaryNetwork {
  /**
   * The machine takes over the address of its pod. Needs `permitBridgeInterfaceOnPodNetwork`, which is KubeVirt's default.
   * The address changes when the machine is live-migrated, unless the pod network keeps it: migration is allowed for machines whose
   * `evictionStrategy` asks for it, and for no others, e.g. when KubeVirt is upgraded.
   */
  public static bridge(): PrimaryNetwork {
    return new PrimaryNetwork({ bridge: {} }, { pod: {} });
  }

  /**
   * The machine is bridged to a network that Multus attaches. NetworkPolicies do not reach such a network.
   *
   * @param options the network
   */
  public static multus(options: MultusPrimaryOptions): PrimaryNetwork {
    return new PrimaryNetwork(
      { bridge: {} },
      { multus: { networkName: options.networkName, default: options.replacesPodNetwork ? true : undefined } },
    );
  }

  /**
   * The machine shares the address of its pod through passt. Needs the network binding plugin `passt` in the KubeVirt object; KubeVirt's
   * built-in `passtBinding` is unknown to the KubeVirt provider 0.11.
   */
  public static passt(): PrimaryNetwork {
    return PrimaryNetwork.bindingPlugin('passt');
  }

  /**
   * The machine reaches the pod network through a network binding plugin
   * (kubevirt.io/user-guide/network/network_binding_plugins).
   *
   * @param name name of the plugin in the KubeVirt object, a DNS label (`TC-KUBEVIRT-OBJECT-NAME`)
   */
  public static bindingPlugin(name: string): PrimaryNetwork {
    return new PrimaryNetwork({ binding: { name } }, { pod: {} });
  }

  private constructor(
    private readonly connection: Omit<InterfaceFields, 'name'>,
    private readonly network: Omit<NetworkFields, 'name'>,
  ) {}

  /** @internal */
  public _interface(): InterfaceFields {
    return { name: PRIMARY_INTERFACE, ...this.connection };
  }

  /** @internal */
  public _network(): NetworkFields {
    return { name: PRIMARY_INTERFACE, ...this.network };
  }

  /**
   * Annotations of the pod that the network requires.
   *
   * @param migrates true if the machine is live-migrated
   * @internal
   */
  public _podAnnotations(migrates: boolean): { [key: string]: string } {
    // kubevirt/kubevirt pkg/network/vmispec (VerifyVMIMigratable): without it a machine that is bridged to the pod network cannot be migrated.
    return migrates && this.connection.bridge && this.network.pod ? { [MIGRATE_BRIDGE]: '' } : {};
  }

  /**
   * True if the machine has the address of its pod, at which the kubelet of the host probes it. A plug-in may lead packets elsewhere.
   *
   * @internal
   */
  public get _hasPodAddress(): boolean {
    return this.network.pod !== undefined && (this.connection.bridge !== undefined || this.connection.binding?.name === 'passt');
  }

  /** @internal */
  public _check(report: PropertyReport): void {
    if (this.network.multus) checkNetworkName(report.at('networkName'), this.network.multus.networkName);
    if (this.connection.binding) {
      report.expect(OBJECT_NAME_RULE, checkDnsLabel(this.connection.binding.name), 'write the name of the plugin as it is in the KubeVirt object');
    }
  }
}

/** Binding of a further interface to its network. */
export enum NetworkBinding {
  /** Through a bridge in the virtual machine's pod. */
  BRIDGE = 'bridge',

  /** By a device that is passed through to the guest. */
  SRIOV = 'sriov',
}

/** A network beside the primary one. */
export interface AdditionalNetwork {
  /**
   * NetworkAttachmentDefinition: `name`, in the virtual machines' namespace, or `namespace/name` (`TC-KUBEVIRT-NETWORK-NAME`,
   * `TC-KUBEVIRT-INFRA-NETWORK`).
   */
  readonly networkName: string;

  /**
   * Name of the interface in the virtual machine: letters, digits, `-` and `_`, once per machine and not `default` (`TC-TRAP-KUBEVIRT-NETWORKS`).
   *
   * @default - `net-1`, `net-2`, … by position
   */
  readonly name?: string;

  /**
   * Binding of the interface to the network.
   *
   * @default NetworkBinding.BRIDGE
   */
  readonly binding?: NetworkBinding;
}

/** Interface and network of every further network, under the same name. */
export function renderAdditionalNetworks(networks: readonly AdditionalNetwork[]): { interfaces: InterfaceFields[]; networks: NetworkFields[] } {
  return {
    interfaces: networks.map((network, index) => ({ name: nameOf(network, index), [network.binding ?? NetworkBinding.BRIDGE]: {} })),
    networks: networks.map((network, index) => ({ name: nameOf(network, index), multus: { networkName: network.networkName } })),
  };
}

/** Checks the further networks of a machine. */
export function checkAdditionalNetworks(report: PropertyReport, networks: readonly AdditionalNetwork[]): void {
  networks.forEach(({ networkName }, index) => checkNetworkName(report.item(index).at('networkName'), networkName));
}

function nameOf(network: AdditionalNetwork, index: number): string {
  return network.name ?? `net-${index + 1}`;
}

const NETWORK_NAME_RULE: Rule = {
  id: 'TC-KUBEVIRT-NETWORK-NAME',
  title: 'The name of a network that Multus attaches must be "network" or "namespace/network".',
  source: 'k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
};

function checkNetworkName(report: PropertyReport, networkName: string): void {
  const parts = networkName.split('/');
  if (parts.length > 2 || parts.some((part) => checkDnsLabel(part) !== undefined)) {
    report.add(NETWORK_NAME_RULE, {
      message: `"${networkName}" does not name a NetworkAttachmentDefinition`,
      accepted: '"name" or "namespace/name", each a DNS label',
      fix: 'write it as "namespace/name"',
    });
  }
}
