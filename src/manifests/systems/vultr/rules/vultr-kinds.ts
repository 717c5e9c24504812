export const VULTR_CLUSTER = 'infrastructure.cluster.x-k8s.io/VultrCluster';
export const VULTR_CLUSTER_TEMPLATE = 'infrastructure.cluster.x-k8s.io/VultrClusterTemplate';
export const VULTR_MACHINE = 'infrastructure.cluster.x-k8s.io/VultrMachine';
export const VULTR_MACHINE_TEMPLATE = 'infrastructure.cluster.x-k8s.io/VultrMachineTemplate';

const PROVIDER = 'vultr/cluster-api-provider-vultr';

export const INSTANCE = `${PROVIDER} cloud/services/instance.go`;
export const LOAD_BALANCER = `${PROVIDER} cloud/services/loadbalancer.go`;
export const CLUSTER_CONTROLLER = `${PROVIDER} internal/controller/vultrcluster_controller.go`;
export const MACHINE_CONTROLLER = `${PROVIDER} internal/controller/vultrmachine_controller.go`;
export const SERVICES = 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go';
export const VOLUMES = 'vultr/vultr-csi driver/controller.go, internal/vultrstorage';
