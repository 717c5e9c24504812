/** Highest port of the API server: the provider reads it as a signed number of 16 bits. */
export const HIGHEST_API_PORT = 32767;

/** Port of the konnectivity server, unless it is told another one. */
export const KONNECTIVITY_PORT = 8132;

/** What listens in the pod of a control plane beside the API server (clastix/kamaji internal/builders/controlplane). */
export const COMPONENT_PORTS: readonly (readonly [number, string])[] = [[10257, 'the controller manager'], [10259, 'the scheduler']];

/** What konnectivity listens on in the pod beside its own port. */
export const KONNECTIVITY_PORTS: readonly (readonly [number, string])[] = [[8133, 'konnectivity\'s administration'], [8134, 'konnectivity\'s health check']];

/** Names of the Service's ports that Kamaji makes. */
export const SERVICE_PORT_NAMES: readonly string[] = ['kube-apiserver', 'konnectivity-server'];
