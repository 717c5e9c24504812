// Proxmox VE, as the infrastructure of tenant clusters.

export { ProxmoxAddresses, ProxmoxZone } from './proxmox-addresses';
export { ProxmoxApi, ProxmoxStorageClass } from './proxmox-charts';
export { ProxmoxInfrastructure, ProxmoxInfrastructureProps } from './proxmox-infrastructure';
export { ProxmoxBootDisk, ProxmoxIdRange, ProxmoxMachine, ProxmoxMachineProps, ProxmoxTagMatch, ProxmoxTemplate } from './proxmox-machine';
export { ProxmoxNetworkDevice, ProxmoxNetworkModel } from './proxmox-network-device';
