import { Rule } from '../../../../manifests/values/problem';

const CLOUD_CONFIG = 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go';
const SLICES = 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go';

/** What KubeVirt's cloud controller manager demands of its options. */
export const CLOUD_CONTROLLER_MANAGER_RULES = {
  idle: {
    id: 'TC-KUBEVIRT-CCM-IDLE',
    title: 'A cloud controller manager must initialize nodes or create load balancers.',
    source: CLOUD_CONFIG,
  },
  zones: {
    id: 'TC-KUBEVIRT-CCM-ZONES',
    title: 'Zones require a cloud controller manager that initializes nodes.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go',
  },
  poll: {
    id: 'TC-KUBEVIRT-CCM-POLL',
    title: 'The wait for the address of a load balancer must be whole seconds from 1, with at least one poll in that time.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
  },
  infraLabel: {
    id: 'TC-KUBEVIRT-CCM-INFRA-LABEL',
    title: 'Additional labels of load balancer Services must be valid, and must not be labels by which the cloud controller manager finds them.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
  },
  infraCluster: {
    id: 'TC-KUBEVIRT-CCM-INFRA-CLUSTER',
    title: 'A cloud controller manager must use a kubeconfig from its own namespace for another cluster, and none for the management cluster.',
    source: CLOUD_CONFIG,
  },
  sharedNamespace: {
    id: 'TC-KUBEVIRT-CCM-SHARED-NAMESPACE',
    title: 'Load balancers with local traffic require a namespace of virtual machines per cluster: the controller handles all Services in it as its own.',
    source: SLICES,
  },
  machineCidr: {
    id: 'TC-KUBEVIRT-CCM-MACHINE-CIDR',
    title: 'Ranges of machines behind load balancers with local traffic must be CIDR blocks without nodes, Services and pods of the management cluster and machines of other tenants.',
    source: SLICES,
  },
  guestAddress: {
    id: 'TC-KUBEVIRT-CCM-GUEST-ADDRESS',
    title: 'With load balancers of local traffic, machines must be on the pod network, or the ranges of their network must be stated: guests may choose their address elsewhere.',
    source: `${SLICES}, kubevirt/kubevirt pkg/network/setup/netstat.go, CVE-2021-25740`,
  },
  imageVersion: {
    id: 'TC-KUBEVIRT-CCM-IMAGE-VERSION',
    title: 'Load balancers without a selector require version 0.6 of the cloud controller manager.',
    source: CLOUD_CONFIG,
  },
} satisfies Record<string, Rule>;
