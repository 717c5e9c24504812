import { NODE_MASK_FLAGS } from '../cluster/network/node-ranges';

// Source of everything here: clastix/kamaji internal/builders/controlplane/deployment.go.

const DROPPED = 'Kamaji sets it itself and drops any other value without a word';
const MOUNTED = 'Kamaji names the file that it mounts there';
const DATA_STORE = 'it follows from the data store';
const PROBED = 'Kamaji\'s probes ask at its default port';
const ONE_LEADER = 'without a leader the replicas would work against each other';
const NETWORK = 'it follows from the network of the cluster';

/** Flags of the API server that extra arguments cannot carry, each with the reason. */
export const API_SERVER_FLAGS: Readonly<Record<string, string>> = {
  'advertise-address': 'it follows from controlPlane.exposure',
  'client-ca-file': DROPPED,
  'disable-admission-plugins': 'controlPlane.admissionPlugins sets it',
  'enable-admission-plugins': 'controlPlane.admissionPlugins sets it',
  'etcd-cafile': DATA_STORE,
  'etcd-certfile': DATA_STORE,
  'etcd-compaction-interval': DATA_STORE,
  'etcd-keyfile': DATA_STORE,
  'etcd-prefix': DATA_STORE,
  'etcd-servers': DATA_STORE,
  'etcd-servers-overrides': 'controlPlane.dataStoreOverrides sets it',
  'kubelet-client-certificate': DROPPED,
  'kubelet-client-key': DROPPED,
  'kubelet-preferred-address-types': 'controlPlane.kubelet.preferredAddressTypes sets it',
  'proxy-client-cert-file': DROPPED,
  'proxy-client-key-file': DROPPED,
  'requestheader-allowed-names': DROPPED,
  'requestheader-client-ca-file': DROPPED,
  'secure-port': 'it follows from controlPlane.exposure',
  'service-account-key-file': DROPPED,
  'service-account-signing-key-file': DROPPED,
  'service-cluster-ip-range': NETWORK,
  'tls-cert-file': DROPPED,
  'tls-private-key-file': DROPPED,
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

/** The older flags for one issuer of tokens; the API server exits when they come beside an authentication configuration. */
const OIDC_FLAGS: readonly string[] = [
  'oidc-ca-file', 'oidc-client-id', 'oidc-groups-claim', 'oidc-groups-prefix', 'oidc-issuer-url', 'oidc-required-claim',
  'oidc-signing-algs', 'oidc-username-claim', 'oidc-username-prefix',
];

/** The `--oidc-*` flags, refused because of what sets an authentication configuration. */
export function oidcFlags(setBy: string): Readonly<Record<string, string>> {
  const reason = `the API server exits when it comes beside --authentication-config, which ${setBy} sets`;
  return Object.fromEntries(OIDC_FLAGS.map((name) => [name, reason]));
}
