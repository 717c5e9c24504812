import { Rule } from '../../../manifests/values/problem';

const NETWORK_POLICY_VALIDATION = 'kubernetes/kubernetes pkg/apis/networking/validation/validation.go';
const CORE_VALIDATION = 'kubernetes/kubernetes pkg/apis/core/validation/validation.go';
const QUOTA_EVALUATOR = 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/pods.go';

/** What the isolation of a tenant in the management cluster demands of its input. */
export const ISOLATION_RULES = {
  range: {
    id: 'TC-ISOLATION-RANGE',
    title: 'Ranges of addresses are CIDR blocks, exceptions lie inside the block that they are taken from.',
    source: NETWORK_POLICY_VALIDATION,
  },
  rangesUnknown: {
    id: 'TC-ISOLATION-RANGES-UNKNOWN',
    title: 'A NetworkPolicy can only keep machines and control planes out of the management cluster when that cluster\'s ranges are known, in each address family of the tenant.',
    source: 'openshift/hypershift hypershift-operator/controllers/hostedcluster/network_policies.go',
  },
  apiServersUnknown: {
    id: 'TC-ISOLATION-API-SERVERS-UNKNOWN',
    title: 'NetworkPolicies need the node range or the API server addresses of the management cluster: controllers must reach them, machines must not.',
    source: 'kubernetes.io/docs/concepts/services-networking/network-policies (addresses before and after translation)',
  },
  dataStoreUnknown: {
    id: 'TC-ISOLATION-DATA-STORE-UNKNOWN',
    title: 'The policy of a hosted control plane must let it through to its data store.',
    source: 'clastix/kamaji internal/builders/controlplane/deployment.go (etcd-servers), 26.8.2-edge',
  },
  networkPlugin: {
    id: 'TC-ISOLATION-NETWORK-PLUGIN',
    title: 'The network plug-in of the management cluster enforces the policies of a tenant, and matches nodes where they mean nodes.',
    source: 'docs.cilium.io/en/stable/security/policy/language (CIDR based), github.com/flannel-io/flannel README.md (networking details)',
  },
  networkPluginUnknown: {
    id: 'TC-ISOLATION-NETWORK-PLUGIN-UNKNOWN',
    title: 'The kind of policies should follow from the network plug-in of the management cluster, or be chosen.',
    source: 'docs.cilium.io/en/stable/security/policy/language (CIDR based)',
    warning: true,
  },
  services: {
    id: 'TC-ISOLATION-SERVICES',
    title: 'What Services of a tenant may ask for must be stated by keys of annotations, addresses or ranges, and a number of ports.',
    source: CORE_VALIDATION,
  },
  endpointsUnknown: {
    id: 'TC-ISOLATION-ENDPOINTS-UNKNOWN',
    title: 'Where a controller of the tenant writes EndpointSlices in the management cluster, the ranges of the machines\' addresses must be known.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go, CVE-2021-25740',
  },
  infraCluster: {
    id: 'TC-ISOLATION-INFRA-CLUSTER',
    title: 'Where another cluster than the management cluster runs the machines, and only there, the isolation must state what keeps the tenant apart there.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0',
  },
  servicesOpen: {
    id: 'TC-ISOLATION-SERVICES-OPEN',
    title: 'A tenant whose Services are published in the management cluster, or in another that runs its machines, should have an isolation: externalIPs and annotations are copied there.',
    source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0',
    warning: true,
  },
  machinesUnknown: {
    id: 'TC-ISOLATION-MACHINES-UNKNOWN',
    title: 'An infrastructure that runs machines in the management cluster must state the labels of their pods, by which policies select them.',
    source: 'kubernetes.io/docs/concepts/services-networking/network-policies',
  },
  peer: {
    id: 'TC-ISOLATION-PEER',
    title: 'Peers are named by labels and namespaces that Kubernetes accepts, and by Cilium\'s entities only in Cilium\'s policies.',
    source: `${NETWORK_POLICY_VALIDATION}, docs.cilium.io/en/stable/security/policy/language`,
  },
  port: {
    id: 'TC-ISOLATION-PORT',
    title: 'Ports are whole numbers from 1 to 65535.',
    source: NETWORK_POLICY_VALIDATION,
  },
  apiRoute: {
    id: 'TC-ISOLATION-API-ROUTE',
    title: 'Machines must be allowed to reach the Ingress or Gateway controller that serves their API server\'s host name.',
    source: 'openshift/hypershift hypershift-operator/controllers/hostedcluster/network_policies.go',
  },
  controlPlanePort: {
    id: 'TC-ISOLATION-CONTROL-PLANE-PORT',
    title: 'Every port of the control plane\'s Service is one that the policies let through.',
    source: 'clastix/kamaji internal/resources/k8s_service_resource.go',
  },
  sharedNamespace: {
    id: 'TC-ISOLATION-SHARED-NAMESPACE',
    title: 'Where network policies cut off all other pods of a namespace, each cluster in it must have network policies.',
    source: 'kubernetes.io/docs/concepts/services-networking/network-policies (default deny)',
  },
  quotaEntry: {
    id: 'TC-ISOLATION-QUOTA-ENTRY',
    title: 'A quota names resources that a ResourceQuota counts, with quantities of them.',
    source: `${CORE_VALIDATION} (ValidateResourceQuotaSpec)`,
  },
  quota: {
    id: 'TC-ISOLATION-QUOTA',
    title: 'A quota has room for all pools at their largest during a rollout, and for a rollout of the control plane.',
    source: `${QUOTA_EVALUATOR}, kubevirt/kubevirt pkg/virt-controller/services/renderresources.go`,
  },
  quotaUnset: {
    id: 'TC-ISOLATION-QUOTA-UNSET',
    title: 'With a quota of CPU or memory, every container has that request or limit, or gets it from the limit range.',
    source: `${QUOTA_EVALUATOR} (Constraints)`,
  },
  tenantLimit: {
    id: 'TC-ISOLATION-TENANT-LIMIT',
    title: 'What a tenant cluster may need, and what its quota grants, is within what the management cluster gives one tenant.',
    source: QUOTA_EVALUATOR,
  },
  totalLimit: {
    id: 'TC-ISOLATION-TOTAL-LIMIT',
    title: 'What the tenant clusters of an app may need together is within what the management cluster has for them.',
    source: QUOTA_EVALUATOR,
  },
  limitRange: {
    id: 'TC-ISOLATION-LIMIT-RANGE',
    title: 'A limit range limits something: resources of containers, or volume claims, by quantities.',
    source: `${CORE_VALIDATION} (ValidateLimitRange)`,
  },
  limits: {
    id: 'TC-ISOLATION-LIMITS',
    title: 'Machines and control plane fit into the limit range, and are not throttled or evicted by a default limit.',
    source: 'kubernetes/kubernetes plugin/pkg/admission/limitranger/admission.go, kubevirt/kubevirt issue 970, '
      + 'cozystack/cozystack commits 94d42749a and 90e4aba4e',
  },
  subject: {
    id: 'TC-ISOLATION-SUBJECT',
    title: 'Access must be granted to named users, groups and service accounts, not to groups that every client belongs to.',
    source: 'kubernetes/kubernetes pkg/apis/rbac/validation/validation.go',
  },
  access: {
    id: 'TC-ISOLATION-ACCESS',
    title: 'A role of a tenant must not change the Namespace, escalate or bind roles, or have a controller apply anything, and must create pods only where the Namespace enforces pod security.',
    source: 'kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, kubernetes.io/docs/concepts/security/pod-security-standards',
  },
  accessWide: {
    id: 'TC-ISOLATION-ACCESS-WIDE',
    title: 'A role of a tenant should not read all Secrets of the namespace, act as its ServiceAccounts, run commands in pods, or write network policies, quotas, Services, endpoints or virtual machines.',
    source: 'kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, kubernetes.io/docs/concepts/security/rbac-good-practices',
    warning: true,
  },
} satisfies Record<string, Rule>;
