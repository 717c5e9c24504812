import { Rule } from '../../../manifests/values/problem';

const LOAD_BALANCER = 'vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go';
const SERVICES = 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go';
const MACHINE_CONTROLLER = 'vultr/cluster-api-provider-vultr internal/controller/vultrmachine_controller.go';

/** What machines and clusters at Vultr demand of their input. */
export const VULTR_RULES = {
  planCapacity: {
    id: 'TC-VULTR-PLAN-CAPACITY',
    title: 'The declared CPUs and memory of a machine must not exceed those in the code of its plan.',
    source: 'www.vultr.com/api, operation list-plans (id, vcpu_count, ram)',
  },
  controlPlane: {
    id: 'TC-VULTR-CONTROL-PLANE',
    title: 'The control plane must run on machines of the cluster: the Vultr provider always creates the endpoint itself, and no other provider can write it.',
    source: 'vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go, '
      + 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go',
  },
  machineName: {
    id: 'TC-VULTR-MACHINE-NAME',
    title: 'Names of control plane machines, and only those, must contain "control-plane", by which the Vultr provider finds the machines that serve the API.',
    source: MACHINE_CONTROLLER,
  },
  infrastructure: {
    id: 'TC-VULTR-INFRASTRUCTURE',
    title: 'Machines must belong to the infrastructure of their cluster, so that region and VPC are the same.',
    source: LOAD_BALANCER,
  },
  provider: {
    id: 'TC-VULTR-PROVIDER',
    title: 'The management cluster must have the Vultr provider, from v0.4 on for a VPC and for machines without public address.',
    source: 'vultr/cluster-api-provider-vultr api/v1beta1 of v0.3.0 and v0.4.0',
  },
  healthCheck: {
    id: 'TC-VULTR-HEALTH-CHECK',
    title: 'Intervals of a health check must be whole seconds from 1, thresholds whole numbers from 1.',
    source: `${LOAD_BALANCER}, ${SERVICES}`,
  },
  healthCheckOverlap: {
    id: 'TC-VULTR-HEALTH-CHECK-OVERLAP',
    title: 'The response timeout of a health check must be shorter than its interval.',
  },
  apiKey: {
    id: 'TC-VULTR-API-KEY',
    title: 'An API key must be a reference to a key of a Secret, never a value.',
    source: 'kubernetes.io/docs/concepts/configuration/secret',
  },
  storageClassName: {
    id: 'TC-VULTR-CSI-CLASS-NAME',
    title: 'The name of a storage class must be unique.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  storageClassLabel: {
    id: 'TC-VULTR-CSI-LABEL',
    title: 'Annotations of a storage class must not contain the annotation of isDefault.',
  },
  defaultStorageClass: {
    id: 'TC-VULTR-CSI-DEFAULT-CLASS',
    title: 'Exactly one storage class of block storage must be the default, and no class of a file system.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass), vultr/vultr-csi driver/controller.go',
  },
  idleDriver: {
    id: 'TC-VULTR-CSI-IDLE',
    title: 'The CSI driver, and each of its parts, requires storage classes that need it, and each storage class requires the driver.',
  },
  firewallRule: {
    id: 'TC-VULTR-FIREWALL-RULE',
    title: 'Allowed ranges of the API server must be unique CIDR blocks.',
    source: LOAD_BALANCER,
  },
  firewallMachines: {
    id: 'TC-VULTR-FIREWALL-MACHINES',
    title: 'Where the API server is open to some ranges only, machines must not have public addresses, which are not known beforehand.',
    source: `${LOAD_BALANCER}, vultr/cluster-api-provider-vultr internal/controller/vultrcluster_controller.go`,
  },
} satisfies Record<string, Rule>;
