import { AddressPool } from '../contract';

/** Model of a network device. */
export enum ProxmoxNetworkModel {
  /** Paravirtualized, the fastest. */
  VIRTIO = 'virtio',

  /** Intel's network card. */
  E1000 = 'e1000',

  /** Realtek's network card. */
  RTL8139 = 'rtl8139',

  /** VMware's paravirtualized card. */
  VMXNET3 = 'vmxnet3',
}

/** A network device of a machine. The first one gets the addresses of the cluster or zone, and the default route. */
export interface ProxmoxNetworkDevice {
  /** Bridge of Proxmox VE, e.g. `vmbr0`. */
  readonly bridge: string;

  /**
   * VLAN, from 1 to 4094.
   *
   * @default - untagged
   */
  readonly vlan?: number;

  /**
   * Model of the device.
   *
   * @default ProxmoxNetworkModel.VIRTIO
   */
  readonly model?: ProxmoxNetworkModel;

  /**
   * Size of the largest packet in bytes, from 1280, or 1 for that of the bridge (`TC-TRAP-PROXMOX-NETWORK`).
   *
   * @default - that of Proxmox VE
   */
  readonly mtu?: number;

  /**
   * Pools that the device takes one address each from: of Cluster API's in-cluster address provider. Those of the first device come beside the
   * addresses of the cluster.
   *
   * @default - none
   */
  readonly addressPools?: AddressPool[];

  /**
   * DNS servers that are asked by this device.
   *
   * @default - those of the cluster
   */
  readonly dnsServers?: string[];
}
