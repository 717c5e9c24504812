// Source of everything here: clastix/kamaji internal/builders/controlplane/deployment.go.

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

/** Volumes of the control plane's pods that Kamaji makes (clastix/kamaji internal/builders/controlplane/deployment.go, konnectivity_server.go). */
export const KAMAJI_VOLUMES: readonly string[] = [
  'controller-manager-kubeconfig', 'egress-selector-configuration', 'etc-ca-certificates', 'etc-kubernetes-pki', 'kine-certs', 'kine-config',
  'kine-uds', 'konnectivity-server-kubeconfig', 'konnectivity-uds', 'scheduler-kubeconfig', 'usr-local-share-ca-certificates',
  'usr-share-ca-certificates',
];
