import { NODE_MASK_FLAGS } from '../../../contracts/network/node-ranges';

// Source of everything here: kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go and phases/etcd/local.go. kubeadm
// lets extra arguments win over its own, so that these would break the control plane.

const FILE = 'kubeadm names the file that it or Cluster API writes';
const ETCD = 'controlPlane.etcd decides it';
const NETWORK = 'it follows from the network of the cluster';
const EACH_MACHINE = 'it differs from machine to machine, and kubeadm sets it';
const ONE_LEADER = 'without a leader the machines would work against each other';
const PROBED = 'the probes ask at its default port';
const KUBELETS_ALONE = 'only kubelets need to know that the cluster has a cloud controller manager';

/** Flags of the API server that extra arguments cannot carry, each with the reason. */
export const API_SERVER_FLAGS: Readonly<Record<string, string>> = {
  'advertise-address': EACH_MACHINE,
  'allow-privileged': 'kube-proxy and pod networks run privileged containers',
  'client-ca-file': FILE,
  'cloud-provider': KUBELETS_ALONE,
  'enable-bootstrap-token-auth': 'machines join with such a token',
  'etcd-cafile': ETCD,
  'etcd-certfile': ETCD,
  'etcd-keyfile': ETCD,
  'etcd-servers': ETCD,
  'kubelet-client-certificate': FILE,
  'kubelet-client-key': FILE,
  'proxy-client-cert-file': FILE,
  'proxy-client-key-file': FILE,
  'requestheader-client-ca-file': FILE,
  'secure-port': 'the load balancer of the infrastructure leads to port 6443',
  'service-account-key-file': FILE,
  'service-account-signing-key-file': FILE,
  'service-cluster-ip-range': NETWORK,
  'tls-cert-file': FILE,
  'tls-private-key-file': FILE,
};

/** Flags of the controller manager that extra arguments cannot carry. */
export const CONTROLLER_MANAGER_FLAGS: Readonly<Record<string, string>> = {
  'authentication-kubeconfig': FILE,
  'authorization-kubeconfig': FILE,
  'client-ca-file': FILE,
  'cloud-provider': KUBELETS_ALONE,
  'cluster-cidr': NETWORK,
  'cluster-name': 'it is the name of the cluster',
  'cluster-signing-cert-file': FILE,
  'cluster-signing-key-file': FILE,
  'kubeconfig': FILE,
  'leader-elect': ONE_LEADER,
  ...NODE_MASK_FLAGS,
  'requestheader-client-ca-file': FILE,
  'root-ca-file': FILE,
  'secure-port': PROBED,
  'service-account-private-key-file': FILE,
  'service-cluster-ip-range': NETWORK,
};

/** Flags of the scheduler that extra arguments cannot carry. */
export const SCHEDULER_FLAGS: Readonly<Record<string, string>> = {
  'authentication-kubeconfig': FILE,
  'authorization-kubeconfig': FILE,
  'kubeconfig': FILE,
  'leader-elect': ONE_LEADER,
  'secure-port': PROBED,
};

/** Flags of etcd that extra arguments cannot carry. */
export const ETCD_FLAGS: Readonly<Record<string, string>> = {
  'advertise-client-urls': EACH_MACHINE,
  'cert-file': FILE,
  'client-cert-auth': 'only clients with a certificate may read the cluster\'s Secrets',
  'data-dir': 'controlPlane.etcd has a property for it',
  'initial-advertise-peer-urls': EACH_MACHINE,
  'initial-cluster': EACH_MACHINE,
  'initial-cluster-state': EACH_MACHINE,
  'key-file': FILE,
  'listen-client-urls': EACH_MACHINE,
  'listen-peer-urls': EACH_MACHINE,
  'name': EACH_MACHINE,
  'peer-cert-file': FILE,
  'peer-client-cert-auth': 'only peers with a certificate may become a member',
  'peer-key-file': FILE,
  'peer-trusted-ca-file': FILE,
  'trusted-ca-file': FILE,
};
