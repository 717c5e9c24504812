import { Rule } from '../../../manifests/values/problem';

/** What is demanded of the statement of what a management cluster offers, and of the tenants' versions by it. */
export const CAPABILITIES_RULES = {
  entry: {
    id: 'TC-MANAGEMENT-CAPABILITIES-ENTRY',
    title: 'What a cluster is said to offer is written the way Kubernetes, KubeVirt and Multus have it.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names, k8snetworkplumbingwg/multus-cni pkg/k8sclient/k8sclient.go',
  },
  twice: {
    id: 'TC-MANAGEMENT-CAPABILITIES-TWICE',
    title: 'What a cluster is said to offer is said once.',
  },
  defaultClass: {
    id: 'TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS',
    title: 'A cluster has one default StorageClass, and one for virtual machines, at most: with several the youngest is taken.',
    source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
  },
  cidr: {
    id: 'TC-MANAGEMENT-CAPABILITIES-CIDR',
    title: 'The ranges of a cluster are CIDR blocks, and its Services have none in common with its pods and nodes.',
    source: 'kubernetes.io/docs/concepts/cluster-administration/networking',
  },
  controlPlaneProvider: {
    id: 'TC-MANAGEMENT-CONTROL-PLANE-PROVIDER',
    title: 'The management cluster has the Cluster API provider that a tenant\'s control plane is made by.',
    source: 'cluster-api.sigs.k8s.io/user/concepts (providers)',
  },
  infrastructureProvider: {
    id: 'TC-MANAGEMENT-INFRASTRUCTURE-PROVIDER',
    title: 'The management cluster has the Cluster API provider that a tenant\'s machines are made by.',
    source: 'cluster-api.sigs.k8s.io/user/concepts (providers)',
  },
  kubernetesVersion: {
    id: 'TC-MANAGEMENT-KUBERNETES-VERSION',
    title: 'A tenant has a Kubernetes version that the management cluster offers.',
  },
} satisfies Record<string, Rule>;
