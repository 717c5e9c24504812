import { Rule } from '../../../manifests/values/problem';

const MACHINE_DEPLOYMENT_WEBHOOK = 'kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go';
const AUTOSCALER = 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md';
const PRESSURE_EVICTION = 'kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction';
const RESERVED_RESOURCES = 'kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources';

const MACHINE_RECONCILER = 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go';

/** What a node pool demands of its input. */
export const POOL_RULES = {
  name: {
    id: 'TC-POOL-NAME',
    title: 'The names of a pool\'s MachineDeployment and machines are DNS labels: at most 51 characters for the first, 12 more for the second.',
    source: 'kubernetes-sigs/cluster-api internal/topology/names/names.go',
  },
  nameTaken: {
    id: 'TC-POOL-NAME-TAKEN',
    title: 'Two pools of one namespace have different names: cluster a with pool b-c and cluster a-b with pool c would be the same.',
  },
  infrastructure: {
    id: 'TC-POOL-INFRASTRUCTURE',
    title: 'The machines of a pool belong to the infrastructure of its cluster.',
  },
  sizeWhole: {
    id: 'TC-POOL-SIZE-WHOLE',
    title: 'The size of a pool is a whole number of machines, 0 or more.',
    source: MACHINE_DEPLOYMENT_WEBHOOK,
  },
  hibernationDrain: {
    id: 'TC-POOL-HIBERNATION-DRAIN',
    title: 'Machines of a cluster that sleeps should not wait forever for their nodes to be drained: with no node left, a PodDisruptionBudget is never met.',
    source: MACHINE_RECONCILER,
    warning: true,
  },
  autoscalingOption: {
    id: 'TC-POOL-AUTOSCALING-OPTION',
    title: 'Autoscaling thresholds are shares between 0 and 1.',
    source: AUTOSCALER,
  },
  provisionTime: {
    id: 'TC-POOL-PROVISION-TIME',
    title: 'The autoscaler waits for a new node at least as long as the health check does.',
    source: AUTOSCALER,
  },
  capacityUnknown: {
    id: 'TC-POOL-CAPACITY-UNKNOWN',
    title: 'The size of an autoscaled pool\'s machines is known, so that the autoscaler can plan with machines that do not exist yet.',
    source: AUTOSCALER,
  },
  capacity: {
    id: 'TC-POOL-CAPACITY',
    title: 'The size of a machine, where it is known, is an amount above 0 of everything.',
  },
  gpuKinds: {
    id: 'TC-POOL-GPU-KINDS',
    title: 'The machines of an autoscaled pool have GPUs of one kind: the autoscaler plans with one only.',
    source: AUTOSCALER,
  },
  version: {
    id: 'TC-POOL-VERSION',
    title: 'The Kubernetes version of a pool is a full version.',
    source: MACHINE_DEPLOYMENT_WEBHOOK,
  },
  label: {
    id: 'TC-POOL-LABEL',
    title: 'Node labels are valid, and of a domain that a kubelet or Cluster API may set.',
    source: 'k8s.io/kubelet pkg/apis/well_known_labels.go',
  },
  taint: {
    id: 'TC-POOL-TAINT',
    title: 'Node taints are valid, each key and effect once, and none is another controller\'s.',
    source: 'k8s.io/kubernetes pkg/util/taints',
  },
  rolloutCount: {
    id: 'TC-POOL-ROLLOUT-COUNT',
    title: 'Numbers of machines in a rollout are finite.',
  },
  timeout: {
    id: 'TC-POOL-TIMEOUT',
    title: 'Timeouts are whole seconds; other durations are whole milliseconds.',
    source: 'kubernetes-sigs/cluster-api core/config/crd/bases/cluster.x-k8s.io_machinedeployments.yaml',
  },
  remediationOff: {
    id: 'TC-POOL-REMEDIATION-OFF',
    title: 'A health check allows at least one machine to be replaced at every size of the pool.',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go',
  },
  maxPods: {
    id: 'TC-POOL-MAX-PODS',
    title: 'The pod limit of a node is a whole number above 0, in 32 bits, and no larger than the number of addresses that the node has for pods.',
    source: 'kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1',
  },
  reservation: {
    id: 'TC-POOL-RESERVATION',
    title: 'Reserved resources are quantities above 0 of cpu, memory, ephemeral-storage or pid.',
    source: RESERVED_RESOURCES,
  },
  reservationTooLarge: {
    id: 'TC-POOL-RESERVATION-TOO-LARGE',
    title: 'Reservations and the hard memory threshold leave something of the machine for pods.',
    source: RESERVED_RESOURCES,
  },
  evictionThreshold: {
    id: 'TC-POOL-EVICTION-THRESHOLD',
    title: 'Eviction thresholds name a signal of the kubelet, with a quantity or a percentage between 0 and 100.',
    source: PRESSURE_EVICTION,
  },
  evictionOrder: {
    id: 'TC-POOL-EVICTION-ORDER',
    title: 'A soft eviction threshold is passed before the hard one.',
    source: PRESSURE_EVICTION,
  },
  kubeletField: {
    id: 'TC-POOL-KUBELET-FIELD',
    title: 'Further kubelet fields exist in the kubelet\'s version, have values of JSON and no property of their own, and are not the cluster\'s to decide.',
    source: 'kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1',
  },
} satisfies Record<string, Rule>;
