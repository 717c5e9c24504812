import { Rule } from '../../validation/problem';

const LOAD_BALANCER = 'vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go';
const INSTANCE = 'vultr/cluster-api-provider-vultr cloud/services/instance.go';
const SERVICES = 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go';
const MACHINE_CONTROLLER = 'vultr/cluster-api-provider-vultr internal/controller/vultrmachine_controller.go';

/** What machines and clusters at Vultr demand of their input. */
export const VULTR_RULES = {
  region: {
    id: 'TC-VULTR-REGION',
    title: 'A region is named by its code, such as ewr; the numbers of Vultr\'s first API are gone.',
    source: 'vultr/cluster-api-provider-vultr api/v1beta1/vultrcluster_types.go',
  },
  plan: {
    id: 'TC-VULTR-PLAN',
    title: 'A machine has the plan of an instance, named by its code, such as vc2-2c-4gb; the numbers of Vultr\'s first API are gone.',
    source: INSTANCE,
  },
  planCapacity: {
    id: 'TC-VULTR-PLAN-CAPACITY',
    title: 'A machine must not be said to have more CPUs or memory than the code of its plan names.',
    source: 'www.vultr.com/api, operation list-plans (id, vcpu_count, ram)',
  },
  resourceId: {
    id: 'TC-VULTR-RESOURCE-ID',
    title: 'Snapshots, SSH keys, VPCs, firewall groups and load balancers are named by their UUIDs.',
    source: 'vultr/cluster-api-provider-vultr docs/getting-started.md',
  },
  controlPlane: {
    id: 'TC-VULTR-CONTROL-PLANE',
    title: 'The control plane runs on machines of the cluster: the Vultr provider always makes the endpoint itself, and lets nobody else write it.',
    source: 'vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go, '
      + 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go',
  },
  machineName: {
    id: 'TC-VULTR-MACHINE-NAME',
    title: 'Names of control plane machines contain "control-plane", and no others do: by it the Vultr provider tells which ones serve the API.',
    source: MACHINE_CONTROLLER,
  },
  infrastructure: {
    id: 'TC-VULTR-INFRASTRUCTURE',
    title: 'Machines belong to the infrastructure of their cluster, so that region and VPC are the same.',
    source: LOAD_BALANCER,
  },
  vpcOnly: {
    id: 'TC-VULTR-VPC-ONLY',
    title: 'Machines without public address need a VPC, by which the load balancer reaches them.',
    source: `${INSTANCE}, ${LOAD_BALANCER}`,
  },
  provider: {
    id: 'TC-VULTR-PROVIDER',
    title: 'The management cluster has the Vultr provider, from v0.4 on for a VPC and for machines without public address.',
    source: 'vultr/cluster-api-provider-vultr api/v1beta1 of v0.3.0 and v0.4.0',
  },
  existingLoadBalancer: {
    id: 'TC-VULTR-EXISTING-LOAD-BALANCER',
    title: 'A load balancer that exists already is used as it is.',
    source: LOAD_BALANCER,
  },
  algorithm: {
    id: 'TC-VULTR-BALANCING-ALGORITHM',
    title: 'A load balancer chooses in a way that Vultr knows.',
    source: `${LOAD_BALANCER}, ${SERVICES}`,
  },
  healthCheck: {
    id: 'TC-VULTR-HEALTH-CHECK',
    title: 'Intervals of a health check are whole seconds from 1, thresholds whole numbers from 1.',
    source: `${LOAD_BALANCER}, ${SERVICES}`,
  },
  healthCheckOverlap: {
    id: 'TC-VULTR-HEALTH-CHECK-OVERLAP',
    title: 'A machine has answered a health check before it is asked again.',
  },
  apiKey: {
    id: 'TC-VULTR-API-KEY',
    title: 'API keys are referred to by the name of a Secret and a key within it, and never written out.',
    source: 'kubernetes.io/docs/concepts/configuration/secret',
  },
  storageClassName: {
    id: 'TC-VULTR-CSI-CLASS-NAME',
    title: 'A storage class has a name that Kubernetes accepts, and no other has it.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  storageClassChoice: {
    id: 'TC-VULTR-CSI-CHOICE',
    title: 'Storage, reclaim policy and binding mode of a storage class are ones that the driver and Kubernetes know.',
    source: 'vultr/vultr-csi driver/controller.go, internal/vultrstorage',
  },
  storageClassLabel: {
    id: 'TC-VULTR-CSI-LABEL',
    title: 'Labels and annotations of a storage class are valid.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  defaultStorageClass: {
    id: 'TC-VULTR-CSI-DEFAULT-CLASS',
    title: 'Of the storage classes of block storage exactly one is the default, and no file system is.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass), vultr/vultr-csi driver/controller.go',
  },
  idleDriver: {
    id: 'TC-VULTR-CSI-IDLE',
    title: 'The CSI driver, and each of its parts, runs where there are storage classes that need it, and only there.',
  },
  firewallRule: {
    id: 'TC-VULTR-FIREWALL-RULE',
    title: 'The API server is opened to CIDR blocks, each given once.',
    source: LOAD_BALANCER,
  },
  firewallMachines: {
    id: 'TC-VULTR-FIREWALL-MACHINES',
    title: 'Where the API server is open to some ranges only, machines have no public addresses of their own, which nobody knows beforehand.',
    source: `${LOAD_BALANCER}, vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go`,
  },
} satisfies Record<string, Rule>;
