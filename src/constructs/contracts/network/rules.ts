import { Rule } from '../../../manifests/values/problem';

const TENANT_CONTROL_PLANE = 'clastix/kamaji charts/kamaji/crds (TenantControlPlane)';

/** What a cluster demands of its networks. */
export const NETWORK_RULES = {
  cidr: {
    id: 'TC-NETWORK-CIDR',
    title: 'A range is written as its first address and a prefix length, and pods and Services have none of loopback, link-local or multicast addresses.',
    source: 'kubernetes-sigs/cluster-api core/webhooks/admission/cluster.go; RFC 6890 and IANA\'s special-purpose address registries',
  },
  families: {
    id: 'TC-NETWORK-FAMILIES',
    title: 'Pods and Services have one range each, or one for each address family, in the same order.',
    source: TENANT_CONTROL_PLANE,
  },
  dualStack: {
    id: 'TC-NETWORK-DUAL-STACK',
    title: 'Two address families need a control plane that hands both on.',
    source: 'clastix/cluster-api-control-plane-provider-kamaji v0.20.0 controllers/kamajicontrolplane_controller_tcp.go',
  },
  serviceSize: {
    id: 'TC-NETWORK-SERVICE-SIZE',
    title: 'The range of Services has room for the DNS Service, and up to Kubernetes 1.33, or with kubeadm, at most 20 host bits.',
    source: 'k8s.io/kubernetes cmd/kube-apiserver/app/options/validation.go, cmd/kubeadm/app/apis/kubeadm/validation (ValidateServiceSubnetSize)',
  },
  podSize: {
    id: 'TC-NETWORK-POD-SIZE',
    title: 'The range of pods holds at least one node\'s block, and at most 65,536.',
    source: 'k8s.io/kubernetes cmd/kubeadm/app/apis/kubeadm/validation (ValidatePodSubnetNodeMask)',
  },
  nodeMask: {
    id: 'TC-NETWORK-NODE-MASK',
    title: 'Each range of pods has one prefix length for what a node gets of it, which leaves addresses for pods.',
    source: 'k8s.io/kubernetes cmd/kube-controller-manager/app/core.go',
  },
  podCapacity: {
    id: 'TC-NETWORK-POD-CAPACITY',
    title: 'The range of pods holds a block for every node that the pools may grow to.',
    source: 'k8s.io/kubernetes pkg/controller/nodeipam',
  },
  overlap: {
    id: 'TC-NETWORK-OVERLAP',
    title: 'Pods, Services, the machines\' own network and the API server have no address in common.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md',
  },
  serviceDomain: {
    id: 'TC-NETWORK-SERVICE-DOMAIN',
    title: 'The service domain is a DNS name with a dot.',
    source: TENANT_CONTROL_PLANE,
  },
} satisfies Record<string, Rule>;
