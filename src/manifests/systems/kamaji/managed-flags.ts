import { NODE_MASK_FLAGS } from '../../../constructs/contracts/network/node-ranges';

// Source of everything here: clastix/kamaji internal/builders/controlplane/deployment.go.

const DROPPED = 'Kamaji sets it itself and drops any other value without a word';
const MOUNTED = 'Kamaji names the file that it mounts there';
const PROBED = 'Kamaji\'s probes ask at its default port';
const ONE_LEADER = 'without a leader the replicas would work against each other';
const NETWORK = 'it follows from the network of the cluster';

const DATA_STORE = 'the data store';

/** Flags of the API server that Kamaji sets, whatever extra arguments say, each with what decides it. */
export const DROPPED_API_SERVER_FLAGS: ReadonlyMap<string, string> = new Map([
  ['advertise-address', 'the address of the control plane'],
  ['client-ca-file', ''],
  ['enable-admission-plugins', 'the list of admission plug-ins'],
  ['etcd-cafile', DATA_STORE],
  ['etcd-certfile', DATA_STORE],
  ['etcd-compaction-interval', DATA_STORE],
  ['etcd-keyfile', DATA_STORE],
  ['etcd-prefix', DATA_STORE],
  ['etcd-servers', DATA_STORE],
  ['kubelet-client-certificate', ''],
  ['kubelet-client-key', ''],
  ['kubelet-preferred-address-types', 'the preferred address types of the kubelet'],
  ['proxy-client-cert-file', ''],
  ['proxy-client-key-file', ''],
  ['requestheader-allowed-names', ''],
  ['requestheader-client-ca-file', ''],
  ['secure-port', 'the port of the control plane'],
  ['service-account-key-file', ''],
  ['service-account-signing-key-file', ''],
  ['service-cluster-ip-range', 'the network of the cluster'],
  ['tls-cert-file', ''],
  ['tls-private-key-file', ''],
]);

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
