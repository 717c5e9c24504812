import { Rule } from '../../../validation/problem';

const CLOUD_CONFIG = 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go';
const SLICES = 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go';

/** What KubeVirt's cloud controller manager demands of its options. */
export const CLOUD_CONTROLLER_MANAGER_RULES = {
  idle: {
    id: 'TC-KUBEVIRT-CCM-IDLE',
    title: 'A cloud controller manager initializes nodes or makes load balancers.',
    source: CLOUD_CONFIG,
  },
  zones: {
    id: 'TC-KUBEVIRT-CCM-ZONES',
    title: 'Zones are written to nodes by a cloud controller manager that initializes them.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go',
  },
  poll: {
    id: 'TC-KUBEVIRT-CCM-POLL',
    title: 'The address of a load balancer is waited for in whole seconds from 1, and looked for at least once in that time.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
  },
  infraLabel: {
    id: 'TC-KUBEVIRT-CCM-INFRA-LABEL',
    title: 'Further labels of load balancer Services are valid, and none is one that the cloud controller manager finds them by.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
  },
  infraCluster: {
    id: 'TC-KUBEVIRT-CCM-INFRA-CLUSTER',
    title: 'A cloud controller manager reaches another cluster with a kubeconfig from its own namespace, and the management cluster without one.',
    source: CLOUD_CONFIG,
  },
  sharedNamespace: {
    id: 'TC-KUBEVIRT-CCM-SHARED-NAMESPACE',
    title: 'Load balancers with local traffic need a namespace of virtual machines for each cluster: the Services of all in it are taken for one\'s own.',
    source: SLICES,
  },
  imageVersion: {
    id: 'TC-KUBEVIRT-CCM-IMAGE-VERSION',
    title: 'Load balancers without a selector need version 0.6 of the cloud controller manager, which older ones do not say.',
    source: CLOUD_CONFIG,
  },
} satisfies Record<string, Rule>;
