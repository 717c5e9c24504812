// Vultr, as the infrastructure of tenant clusters.

export { CarriedVultrApiKeyOptions, VultrApiKey } from './api-key';
export { VultrApiServerLoadBalancer } from './api-server-load-balancer';
export { VultrBalancingAlgorithm, VultrHealthCheck } from './load-balancing';
export { VultrCloudControllerManager, VultrCloudControllerManagerOptions } from './vultr-cloud-controller-manager';
export { VultrCsiDriver, VultrCsiDriverOptions } from './csi-driver/vultr-csi-driver';
export { VultrStorage, VultrStorageClass } from './csi-driver/vultr-storage-class';
export {
  VultrFirewallRule, VultrLoadBalancer, VultrLoadBalancerOptions, VultrProtocol, VultrServiceHealthCheck,
} from './vultr-load-balancer';
export { VultrInfrastructure, VultrInfrastructureProps } from './vultr-infrastructure';
export { VultrMachine, VultrMachineProps } from './vultr-machine';
