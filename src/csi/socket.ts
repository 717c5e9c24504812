import { ComponentArgument } from '../kubernetes/component-arguments';

/** Where the containers of a pod find the socket of the driver. */
export const SOCKET_DIRECTORY = '/csi';

/** The socket. */
export const SOCKET = `${SOCKET_DIRECTORY}/csi.sock`;

/** Where the driver listens. */
export const ENDPOINT: ComponentArgument = { name: 'endpoint', value: `unix://${SOCKET}` };

/** Where its companions find it. */
export const CSI_ADDRESS: ComponentArgument = { name: 'csi-address', value: SOCKET };
