import { NODE_MASK_FLAGS } from '../../contracts/network/node-ranges';

// Source of everything here: clastix/kamaji internal/builders/controlplane/deployment.go.

const DROPPED = 'Kamaji sets it itself and drops any other value without a word';
const MOUNTED = 'Kamaji names the file that it mounts there';
const PROBED = 'Kamaji\'s probes ask at its default port';
const ONE_LEADER = 'without a leader the replicas would work against each other';
const NETWORK = 'it follows from the network of the cluster';

/** Flags of the API server that properties of the control plane set. */
export const API_SERVER_FLAGS: Readonly<Record<string, string>> = {
  'disable-admission-plugins': 'controlPlane.admissionPlugins sets it',
  'etcd-servers-overrides': 'controlPlane.dataStoreOverrides sets it',
};

/** Flags of the API server that konnectivity sets. */
export const KONNECTIVITY_API_SERVER_FLAGS: Readonly<Record<string, string>> = {
  'egress-selector-config-file': 'konnectivity sets it',
};

/** Flags of the controller manager where the user would win over Kamaji, and break the control plane. */
export const CONTROLLER_MANAGER_FLAGS: Readonly<Record<string, string>> = {
  'authentication-kubeconfig': MOUNTED,
  'authorization-kubeconfig': MOUNTED,
  'client-ca-file': MOUNTED,
  'cluster-cidr': NETWORK,
  'cluster-signing-cert-file': MOUNTED,
  'cluster-signing-key-file': MOUNTED,
  'kubeconfig': MOUNTED,
  'leader-elect': ONE_LEADER,
  ...NODE_MASK_FLAGS,
  'requestheader-client-ca-file': MOUNTED,
  'root-ca-file': MOUNTED,
  'secure-port': PROBED,
  'service-account-private-key-file': MOUNTED,
  'service-cluster-ip-range': NETWORK,
};

/** Flags of the scheduler that extra arguments cannot carry. */
export const SCHEDULER_FLAGS: Readonly<Record<string, string>> = {
  'authentication-kubeconfig': DROPPED,
  'authorization-kubeconfig': DROPPED,
  'bind-address': DROPPED,
  'kubeconfig': DROPPED,
  'leader-elect': DROPPED,
  'secure-port': PROBED,
};
