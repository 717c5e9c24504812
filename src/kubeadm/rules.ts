import { Rule } from '../validation/problem';

const VALIDATION = 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go';
const HA = 'kubernetes/kubeadm docs/ha-considerations.md';
const WRITE_FILES = 'canonical/cloud-init cloudinit/config/cc_write_files.py';

/** What `KubeadmCluster` demands of its input, beside what control planes, pools and networks demand of the same options. */
export const KUBEADM_CLUSTER_RULES = {
  name: {
    id: 'TC-KUBEADM-CLUSTER-NAME',
    title: 'A cluster has a name that is a DNS label, and that no other cluster of the app has: its folder is named so.',
  },
  app: {
    id: 'TC-KUBEADM-CLUSTER-APP',
    title: 'The app writes the files of hosts.',
  },
  endpoint: {
    id: 'TC-KUBEADM-CLUSTER-ENDPOINT',
    title: 'The endpoint of the control plane is a host and a port, at which the load balancer answers.',
    source: VALIDATION,
  },
  text: {
    id: 'TC-KUBEADM-CLUSTER-TEXT',
    title: 'Endpoint, names, addresses, zones, interfaces, images and files of hosts must be strings.',
  },
  nodeCount: {
    id: 'TC-KUBEADM-CLUSTER-NODE-COUNT',
    title: 'A control plane has at least one node; with etcd on its nodes it has an odd number of them.',
    source: 'etcd.io/docs/v3.6/faq (why an odd number of cluster members)',
  },
  nodeName: {
    id: 'TC-KUBEADM-CLUSTER-NODE-NAME',
    title: 'Every host is named, by a DNS name of at most 63 characters; no two hosts of a cluster have one name, and no machine is in two clusters.',
    source: VALIDATION,
  },
  nodeAddress: {
    id: 'TC-KUBEADM-CLUSTER-NODE-ADDRESS',
    title: 'Every host has an address of its own, of the family of Services, which is no address of pods and Services.',
    source: VALIDATION,
  },
  label: {
    id: 'TC-KUBEADM-CLUSTER-LABEL',
    title: 'Labels are those that a kubelet may set itself.',
    source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go',
  },
  taint: {
    id: 'TC-KUBEADM-CLUSTER-TAINT',
    title: 'Taints are well-formed, and nobody else\'s.',
    source: 'kubernetes/kubernetes pkg/util/taints/taints.go',
  },
  kubeletArgument: {
    id: 'TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT',
    title: 'The kubelet knows each of its arguments, nobody else sets it, and its value has no white space.',
    source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go, cmd/kubeadm/app/phases/kubelet/flags.go',
  },
  cloudProvider: {
    id: 'TC-KUBEADM-CLUSTER-CLOUD-PROVIDER',
    title: 'Kubelets wait for a cloud controller manager if, and only if, one is installed.',
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
    title: 'A file has an absolute path in its shortest form, permissions in octal digits, an owner, and no private key in it.',
    source: WRITE_FILES,
  },
  fileTaken: {
    id: 'TC-KUBEADM-CLUSTER-FILE-TAKEN',
    title: 'A file of a host has one writer.',
    source: WRITE_FILES,
  },
  lbHosts: {
    id: 'TC-KUBEADM-CLUSTER-LB-HOSTS',
    title: 'At least two hosts share the virtual address.',
    source: HA,
  },
  lbVip: {
    id: 'TC-KUBEADM-CLUSTER-LB-VIP',
    title: 'The virtual address is a host address of the one subnet that all who share it are in, and no host has it.',
    source: HA,
  },
  lbRouterId: {
    id: 'TC-KUBEADM-CLUSTER-LB-ROUTER-ID',
    title: 'The virtual router id is a whole number from 1 to 255, used once in a subnet.',
    source: 'RFC 9568, section 5.2.3',
  },
  lbPriority: {
    id: 'TC-KUBEADM-CLUSTER-LB-PRIORITY',
    title: 'Priorities are different whole numbers up to 254, and leave room for what a failed check takes away, so that exactly one host is the master.',
    source: 'acassen/keepalived doc/man/man5/keepalived.conf.5.in (priority, weight)',
  },
  lbInterface: {
    id: 'TC-KUBEADM-CLUSTER-LB-INTERFACE',
    title: 'A network interface has a name of 1 to 15 letters, digits, dots, hyphens and underscores.',
    source: 'torvalds/linux net/core/dev.c (dev_valid_name)',
  },
  lbPort: {
    id: 'TC-KUBEADM-CLUSTER-LB-PORT',
    title: 'On a host that runs both, load balancer and API server listen on different ports; kube-vip has no port of its own.',
    source: HA,
  },
  lbImage: {
    id: 'TC-KUBEADM-CLUSTER-LB-IMAGE',
    title: 'Static pods have images that cannot change unnoticed: with a digest, or a tag other than latest.',
    source: 'kubernetes.io/docs/concepts/containers/images',
  },
  helm: {
    id: 'TC-KUBEADM-CLUSTER-HELM',
    title: 'Charts that are installed by the Helm command are packaged ones.',
    source: 'helm.sh/docs/helm/helm_upgrade',
  },
} satisfies Record<string, Rule>;
