import { Rule } from '../../validation/problem';

const WEBHOOK = 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go';
const SCHEMA = 'kubernetes-sigs/cluster-api controlplane/kubeadm/config/crd/bases/controlplane.cluster.x-k8s.io_kubeadmcontrolplanes.yaml';
const MANIFESTS = 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go';

/** What `KubeadmControlPlane` demands of its input, beside what pools and their bootstrap demand of the same options. */
export const KUBEADM_CONTROL_PLANE_RULES = {
  name: {
    id: 'TC-KUBEADM-CP-NAME',
    title: 'The names of control plane machines are DNS labels: the cluster\'s name, "-control-plane" and six characters more.',
    source: 'kubernetes-sigs/cluster-api internal/topology/names/names.go',
  },
  nameTaken: {
    id: 'TC-KUBEADM-CP-NAME-TAKEN',
    title: 'No pool of the namespace has the name that the machines of a control plane have.',
  },
  infrastructure: {
    id: 'TC-KUBEADM-CP-INFRASTRUCTURE',
    title: 'The machines of a control plane belong to the infrastructure of its cluster.',
  },
  machineSize: {
    id: 'TC-KUBEADM-CP-MACHINE-SIZE',
    title: 'A control plane machine has at least 2 CPUs and 1700 MiB of memory, or kubeadm does not start.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go (ControlPlaneNumCPU, ControlPlaneMem)',
  },
  replicas: {
    id: 'TC-KUBEADM-CP-REPLICAS',
    title: 'A control plane has at least one machine; with etcd on its machines it has an odd number of them.',
    source: WEBHOOK,
  },
  maxSurge: {
    id: 'TC-KUBEADM-CP-MAX-SURGE',
    title: 'A rollout of the control plane adds one machine at a time, or none where there are at least three.',
    source: WEBHOOK,
  },
  rolloutBefore: {
    id: 'TC-KUBEADM-CP-ROLLOUT-BEFORE',
    title: 'Machines are replaced at least 7 days before their certificates expire and later than they are made, or not for that reason.',
    source: WEBHOOK,
  },
  rolloutAfter: {
    id: 'TC-KUBEADM-CP-ROLLOUT-AFTER',
    title: 'The time of a rollout is a date and time of RFC 3339.',
    source: SCHEMA,
  },
  remediation: {
    id: 'TC-KUBEADM-CP-REMEDIATION',
    title: 'Retries of a remediation are a whole number from 0, and its periods whole seconds, in 32 bits.',
    source: SCHEMA,
  },
  inFlight: {
    id: 'TC-KUBEADM-CP-IN-FLIGHT',
    title: 'Control plane machines are replaced one at a time.',
    source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go',
  },
  certificateValidity: {
    id: 'TC-KUBEADM-CP-CERTIFICATE-VALIDITY',
    title: 'Certificates are valid for 1 to 1095 whole days, those of authorities for up to 36500, and none outlives its authority.',
    source: WEBHOOK,
  },
  encryptionAlgorithm: {
    id: 'TC-KUBEADM-CP-ENCRYPTION-ALGORITHM',
    title: 'The algorithm of keys is one that kubeadm of the cluster\'s Kubernetes version knows.',
    source: SCHEMA,
  },
  certificateName: {
    id: 'TC-KUBEADM-CP-CERTIFICATE-NAME',
    title: 'Names in a certificate are IP addresses, DNS names or wildcard DNS names, at most 100 of them.',
    source: SCHEMA,
  },
  image: {
    id: 'TC-KUBEADM-CP-IMAGE',
    title: 'Image repositories have no tag, tags are tags, and the tag of CoreDNS is a version.',
    source: WEBHOOK,
  },
  etcdEndpoint: {
    id: 'TC-KUBEADM-CP-ETCD-ENDPOINT',
    title: 'An external etcd is reached at 1 to 50 https URLs, each once.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
  },
  path: {
    id: 'TC-KUBEADM-CP-PATH',
    title: 'Paths on control plane machines are absolute, in their shortest form and at most 512 characters long.',
    source: SCHEMA,
  },
  argument: {
    id: 'TC-KUBEADM-CP-ARGUMENT',
    title: 'A component knows each of its arguments in the cluster\'s Kubernetes version, and nobody else sets it.',
    source: MANIFESTS,
  },
  argumentLength: {
    id: 'TC-KUBEADM-CP-ARGUMENT-LENGTH',
    title: 'A component has at most 100 arguments, with values of at most 1024 characters.',
    source: SCHEMA,
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
    title: 'Extra volumes have names and mount paths of their own, which kubeadm does not use, and number at most 100.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
  },
  mountedFile: {
    id: 'TC-KUBEADM-CP-MOUNTED-FILE',
    title: 'A file that a component is pointed to is in a volume that it sees.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
  },
  auditLog: {
    id: 'TC-KUBEADM-CP-AUDIT-LOG',
    title: 'Old audit logs are deleted at some age or number: before Kubernetes 1.36 the API server keeps them all.',
    source: 'kubernetes/apiserver pkg/server/options/audit.go',
  },
  machineNaming: {
    id: 'TC-KUBEADM-CP-MACHINE-NAMING',
    title: 'The template of machine names has the mark for what differs between machines.',
    source: WEBHOOK,
  },
  environment: {
    id: 'TC-KUBEADM-CP-ENVIRONMENT',
    title: 'Names of environment variables are printable and have no "="; a component has at most 100.',
    source: 'kubernetes/apimachinery pkg/util/validation/validation.go',
  },
  kubeProxy: {
    id: 'TC-KUBEADM-CP-KUBE-PROXY',
    title: 'Exactly one of kube-proxy and the pod network leads Services to their pods.',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt templates/cluster-template-lb-kube-proxy-free.yaml',
  },
} satisfies Record<string, Rule>;
