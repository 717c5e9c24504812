import { Rule } from '../../../../manifests/values/problem';

const WEBHOOK = 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go';
const SCHEMA = 'kubernetes-sigs/cluster-api controlplane/kubeadm/config/crd/bases/controlplane.cluster.x-k8s.io_kubeadmcontrolplanes.yaml';
const MANIFESTS = 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go';

/** What `KubeadmControlPlane` demands of its input, beside what pools and their bootstrap demand of the same options. */
export const KUBEADM_CONTROL_PLANE_RULES = {
  name: {
    id: 'TC-KUBEADM-CP-NAME',
    title: 'The names of control plane machines must be DNS labels: the cluster\'s name, "-control-plane" and six characters more.',
    source: 'kubernetes-sigs/cluster-api internal/topology/names/names.go',
  },
  nameTaken: {
    id: 'TC-KUBEADM-CP-NAME-TAKEN',
    title: 'A pool must not have the name of a control plane\'s machines in its namespace.',
  },
  infrastructure: {
    id: 'TC-KUBEADM-CP-INFRASTRUCTURE',
    title: 'The machines of a control plane must belong to the infrastructure of its cluster.',
  },
  machineSize: {
    id: 'TC-KUBEADM-CP-MACHINE-SIZE',
    title: 'A control plane machine must have at least 2 CPUs and 1700 MiB of memory: otherwise kubeadm does not start.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go (ControlPlaneNumCPU, ControlPlaneMem)',
  },
  remediation: {
    id: 'TC-KUBEADM-CP-REMEDIATION',
    title: 'The number of retries of a remediation must not be negative: Cluster API would replace no machine.',
    source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go',
  },
  inFlight: {
    id: 'TC-KUBEADM-CP-IN-FLIGHT',
    title: 'Cluster API replaces control plane machines one at a time: remediation cannot change that.',
    source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go',
  },
  encryptionAlgorithm: {
    id: 'TC-KUBEADM-CP-ENCRYPTION-ALGORITHM',
    title: 'The algorithm of keys must be one that kubeadm of the cluster\'s Kubernetes version knows.',
    source: SCHEMA,
  },
  certificateName: {
    id: 'TC-KUBEADM-CP-CERTIFICATE-NAME',
    title: 'Names in a certificate must be IP addresses, DNS names or wildcard DNS names.',
    source: SCHEMA,
  },
  image: {
    id: 'TC-KUBEADM-CP-IMAGE',
    title: 'Image repositories must have no tag, and tags must be valid.',
    source: WEBHOOK,
  },
  etcdEndpoint: {
    id: 'TC-KUBEADM-CP-ETCD-ENDPOINT',
    title: 'An external etcd must have unique https URLs, at least one.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
  },
  path: {
    id: 'TC-KUBEADM-CP-PATH',
    title: 'Paths on control plane machines are absolute, in their shortest form and at most 512 characters long.',
    source: SCHEMA,
  },
  argument: {
    id: 'TC-KUBEADM-CP-ARGUMENT',
    title: 'A component must know each argument in the cluster\'s Kubernetes version, and no other option may set it.',
    source: MANIFESTS,
  },
  anonymousAccess: {
    id: 'TC-KUBEADM-CP-ANONYMOUS-ACCESS',
    title: 'The API server answers anonymous requests: its probes are such.',
    source: MANIFESTS,
  },
  authorizationMode: {
    id: 'TC-KUBEADM-CP-AUTHORIZATION-MODE',
    title: 'The API server authorizes by Node and RBAC, and never everything.',
    source: 'kubernetes.io/docs/reference/access-authn-authz/authorization',
  },
  controllers: {
    id: 'TC-KUBEADM-CP-CONTROLLERS',
    title: 'The controller manager runs the controllers for bootstrap tokens.',
    source: MANIFESTS,
  },
  nodeRestriction: {
    id: 'TC-KUBEADM-CP-NODE-RESTRICTION',
    title: 'A list of admission plug-ins keeps NodeRestriction, which holds every kubelet to its own node.',
    source: MANIFESTS,
  },
  featureGate: {
    id: 'TC-KUBEADM-CP-FEATURE-GATE',
    title: 'Feature gates exist in the cluster\'s Kubernetes version, and none is locked to another value.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/component-base/featuregate/feature_gate.go',
  },
  kubeadmFeatureGate: {
    id: 'TC-KUBEADM-CP-KUBEADM-FEATURE-GATE',
    title: 'Feature gates of kubeadm exist in the cluster\'s Kubernetes version, and none is locked to another value.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/features/features.go',
  },
  volume: {
    id: 'TC-KUBEADM-CP-VOLUME',
    title: 'The names and mount paths of extra volumes must be unique and not used by kubeadm.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
  },
  mountedFile: {
    id: 'TC-KUBEADM-CP-MOUNTED-FILE',
    title: 'A file in an argument of a component must be in one of its volumes.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
  },
  auditLog: {
    id: 'TC-KUBEADM-CP-AUDIT-LOG',
    title: 'Old audit logs are deleted at some age or number: before Kubernetes 1.36 the API server keeps them all.',
    source: 'kubernetes/apiserver pkg/server/options/audit.go',
  },
  environment: {
    id: 'TC-KUBEADM-CP-ENVIRONMENT',
    title: 'Names of environment variables are printable and have no "=".',
    source: 'kubernetes/apimachinery pkg/util/validation/validation.go',
  },
  kubeProxy: {
    id: 'TC-KUBEADM-CP-KUBE-PROXY',
    title: 'Exactly one of kube-proxy and the pod network must implement Services.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt templates/cluster-template-lb-kube-proxy-free.yaml',
  },
} satisfies Record<string, Rule>;
