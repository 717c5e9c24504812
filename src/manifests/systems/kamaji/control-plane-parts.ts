// Source of everything here: clastix/kamaji internal/builders/controlplane/deployment.go.

const DATA_STORE = 'the data store';

const MOUNTED = 'it names the file that Kamaji mounts there';
const NETWORK = 'it follows from the network of the cluster';
const ONE_LEADER = 'without a leader the replicas would work against each other';
const PROBED = 'the probes ask at the default port';

const API_SERVER_FLAGS: readonly (readonly [flag: string, origin: string])[] = [
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
];

/** Flags that Kamaji sets regardless of extra arguments, by component, each with the field that decides it. */
export const DROPPED_FLAGS: Readonly<Partial<Record<string, ReadonlyMap<string, string>>>> = {
  apiServer: new Map(API_SERVER_FLAGS),
  scheduler: new Map(['authentication-kubeconfig', 'authorization-kubeconfig', 'bind-address', 'kubeconfig', 'leader-elect'].map((flag) => [flag, ''])),
};

/** Flags whose other values take the place of Kamaji's and break the control plane, by component, each with the reason. */
export const KEPT_FLAGS: Readonly<Partial<Record<string, ReadonlyMap<string, string>>>> = {
  controllerManager: new Map([
    ...['authentication-kubeconfig', 'authorization-kubeconfig', 'client-ca-file', 'cluster-signing-cert-file', 'cluster-signing-key-file', 'kubeconfig',
      'requestheader-client-ca-file', 'root-ca-file', 'service-account-private-key-file'].map((flag) => [flag, MOUNTED] as const),
    ['cluster-cidr', NETWORK],
    ['leader-elect', ONE_LEADER],
    ['secure-port', PROBED],
    ['service-cluster-ip-range', NETWORK],
  ]),
  scheduler: new Map([['secure-port', PROBED]]),
};

/** Volumes of the control plane's pods that Kamaji makes (clastix/kamaji internal/builders/controlplane/deployment.go, konnectivity_server.go). */
export const KAMAJI_VOLUMES: readonly string[] = [
  'controller-manager-kubeconfig', 'egress-selector-configuration', 'etc-ca-certificates', 'etc-kubernetes-pki', 'kine-certs', 'kine-config',
  'kine-uds', 'konnectivity-server-kubeconfig', 'konnectivity-uds', 'scheduler-kubeconfig', 'usr-local-share-ca-certificates',
  'usr-share-ca-certificates',
];
