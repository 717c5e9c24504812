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

/** Codes of regions, such as "ewr"; the first API had numbers. */
export const REGION = /^[a-z]{3}$/;

/** Codes of plans, such as "vc2-2c-4gb"; the first API had numbers. */
export const PLAN = /^[a-z][a-z0-9]*(-[a-z0-9.]+)+$/;

/** CPUs and GiB of memory in the code of a plan, e.g. 1 and 2 in "voc-c-1c-2gb-25s-amd" or 2 and 8 in "vcg-a16-2c-8g-2vram". */
export const PLAN_SIZE = /-(\d+)c-(\d+(?:\.\d+)?)gb?(?:-|$)/;

/** Prefix of the plans of bare metal. */
export const BARE_METAL = 'vbm-';

/** Start of the codes of plans with GPUs. */
export const GPU_PLAN = 'vcg-';

/** Mark in the names of machines by which the provider recognizes those of the control plane. */
export const CONTROL_PLANE_MARK = 'control-plane';

/** The text behind which the provider writes a command of its own into the user data, wherever it stands. */
export const RUN_COMMANDS = 'runcmd:';

/** Prefix of the annotations that the cloud controller manager reads. */
export const PREFIX = 'service.beta.kubernetes.io/vultr-loadbalancer-';

/** Protocols of clients and of pods. */
export const PROTOCOLS: readonly string[] = ['tcp', 'udp', 'http', 'https'];

/** True if a number of seconds or answers is one that Vultr accepts. */
export function isWholeFrom1(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** True if a load balancer can have this number of nodes. */
export function isNodeCount(count: number): boolean {
  return isWholeFrom1(count) && count % 2 === 1;
}
