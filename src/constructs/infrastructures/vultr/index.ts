// Vultr, as the infrastructure of tenant clusters.

export { CarriedVultrApiKeyOptions, VultrApiKey } from './api-key';
export { VultrApiServerLoadBalancer } from './api-server-load-balancer';
export { VultrBalancingAlgorithm } from './balancing-algorithm';
export {
  VultrCloudControllerManager, VultrCloudControllerManagerOptions,
} from './cloud-controller-manager/vultr-cloud-controller-manager';
export { VultrCsiDriver, VultrCsiDriverOptions } from './csi-driver/vultr-csi-driver';
export { VultrStorage, VultrStorageClass } from './csi-driver/vultr-storage-class';
export { VultrHealthCheck } from './health-check';
export { VultrFirewallRule } from './load-balancer/firewall-rule';
export { VultrLoadBalancer } from './load-balancer/vultr-load-balancer';
export {
  VultrLoadBalancerOptions, VultrProtocol, VultrServiceHealthCheck,
} from './load-balancer/vultr-load-balancer-options';
export { VultrInfrastructure, VultrInfrastructureProps } from './vultr-infrastructure';
export { VultrMachine, VultrMachineProps } from './vultr-machine';
