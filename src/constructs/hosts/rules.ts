import { Rule } from '../../manifests/values/problem';

const VALIDATION = 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go';
const HA = 'kubernetes/kubeadm docs/ha-considerations.md';
const WRITE_FILES = 'canonical/cloud-init cloudinit/config/cc_write_files.py';

/** Rules of `KubeadmCluster`. The rules of control planes, pools and networks apply to shared options. */
export const KUBEADM_CLUSTER_RULES = {
  name: {
    id: 'TC-KUBEADM-CLUSTER-NAME',
    title: 'The name of a cluster must be a DNS label, and unique in the app: its folder has this name.',
  },
  app: {
    id: 'TC-KUBEADM-CLUSTER-APP',
    title: 'The app must be a GitOpsApp, which writes the files of hosts.',
  },
  endpoint: {
    id: 'TC-KUBEADM-CLUSTER-ENDPOINT',
    title: 'The endpoint of the control plane must be a host and a port, at which the load balancer answers.',
    source: VALIDATION,
  },
  certificateValidity: {
    id: 'TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY',
    title: 'Certificates must be valid for at least a day, and must not outlive their authority.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go (CertificateValidityPeriod)',
  },
  nodeCount: {
    id: 'TC-KUBEADM-CLUSTER-NODE-COUNT',
    title: 'A control plane must have at least one node; with stacked etcd the number must be odd.',
    source: 'etcd.io/docs/v3.6/faq (why an odd number of cluster members)',
  },
  nodeName: {
    id: 'TC-KUBEADM-CLUSTER-NODE-NAME',
    title: 'The name of a host must be a DNS name of at most 63 characters, and unique in the cluster. A machine must be in one cluster only.',
    source: VALIDATION,
  },
  nodeAddress: {
    id: 'TC-KUBEADM-CLUSTER-NODE-ADDRESS',
    title: 'The address of a host must be unique, in the address family of Services, and outside of the ranges of pods and Services.',
    source: VALIDATION,
  },
  nodeZone: {
    id: 'TC-KUBEADM-CLUSTER-NODE-ZONE',
    title: 'The zone of a node must be a label value: the cloud controller manager labels the node with it.',
    source: 'kubernetes.io/docs/reference/labels-annotations-taints (topology.kubernetes.io/zone)',
  },
  label: {
    id: 'TC-KUBEADM-CLUSTER-LABEL',
    title: 'Labels must be allowed for kubelets to set.',
    source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go',
  },
  taint: {
    id: 'TC-KUBEADM-CLUSTER-TAINT',
    title: 'Taints must be well-formed, and not managed by another component.',
    source: 'kubernetes/kubernetes pkg/util/taints/taints.go',
  },
  kubeletArgument: {
    id: 'TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT',
    title: 'The kubelet must know each argument, no other option may set it, and its value must have no white space.',
    source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go, cmd/kubeadm/app/phases/kubelet/flags.go',
  },
  cloudProvider: {
    id: 'TC-KUBEADM-CLUSTER-CLOUD-PROVIDER',
    title: 'Kubelets must wait for a cloud controller manager if, and only if, one is installed.',
    source: 'kubernetes.io/docs/tasks/administer-cluster/running-cloud-controller',
  },
  loadBalancerService: {
    id: 'TC-KUBEADM-CLUSTER-LOAD-BALANCER',
    title: 'A Service of type LoadBalancer needs a cloud or an addon that publishes it: without one it has no address outside the cluster.',
    source: 'kubernetes.io/docs/concepts/services-networking/service (type: LoadBalancer)',
    warning: true,
  },
  file: {
    id: 'TC-KUBEADM-CLUSTER-FILE',
    title: 'A file must have an absolute path in its shortest form, octal permissions and a valid owner, and must not contain a private key.',
    source: WRITE_FILES,
  },
  fileTaken: {
    id: 'TC-KUBEADM-CLUSTER-FILE-TAKEN',
    title: 'A file of a host must have one writer only.',
    source: WRITE_FILES,
  },
  lbHosts: {
    id: 'TC-KUBEADM-CLUSTER-LB-HOSTS',
    title: 'At least two hosts must share the virtual address.',
    source: HA,
  },
  lbVip: {
    id: 'TC-KUBEADM-CLUSTER-LB-VIP',
    title: 'The virtual address must be a host address in the subnet of all hosts that share it, and no host may have it as its own.',
    source: HA,
  },
  lbRouterId: {
    id: 'TC-KUBEADM-CLUSTER-LB-ROUTER-ID',
    title: 'The virtual router id must be a whole number from 1 to 255, and unique in its subnet.',
    source: 'RFC 9568, section 5.2.3',
  },
  lbPriority: {
    id: 'TC-KUBEADM-CLUSTER-LB-PRIORITY',
    title: 'Priorities must be unique whole numbers up to 254, and larger than the weight of a failed check, so that exactly one host is the master.',
    source: 'acassen/keepalived doc/man/man5/keepalived.conf.5.in (priority, weight)',
  },
  lbInterface: {
    id: 'TC-KUBEADM-CLUSTER-LB-INTERFACE',
    title: 'The name of a network interface must have 1 to 15 letters, digits, dots, hyphens and underscores.',
    source: 'torvalds/linux net/core/dev.c (dev_valid_name)',
  },
  lbPort: {
    id: 'TC-KUBEADM-CLUSTER-LB-PORT',
    title: 'A load balancer and an API server on the same host must listen on different ports; kube-vip must use the port of the API server.',
    source: HA,
  },
  lbImage: {
    id: 'TC-KUBEADM-CLUSTER-LB-IMAGE',
    title: 'Images of static pods must have a digest, or a tag other than latest.',
    source: 'kubernetes.io/docs/concepts/containers/images',
  },
  helm: {
    id: 'TC-KUBEADM-CLUSTER-HELM',
    title: 'The Helm command needs packaged charts.',
    source: 'helm.sh/docs/helm/helm_upgrade',
  },
} satisfies Record<string, Rule>;
