// Cluster API's development provider, as the infrastructure of tenant clusters.

export { DevClusterBackend, DevDockerClusterOptions, DevFailureDomain, DevLoadBalancerImage } from './dev-cluster-backend';
export { DevInfrastructure, DevInfrastructureProps } from './dev-infrastructure';
export { DevMachine, DevMachineProps } from './dev-machine';
export { DevDockerMachineOptions, DevInMemoryMachineOptions, DevMachineBackend, DevMount, DevStartup } from './dev-machine-backend';
