import { ComponentArgument } from '../../../manifests/values/component-arguments';

/** Folder of the driver's socket in the containers of a pod. */
export const SOCKET_DIRECTORY = '/csi';

/** The socket. */
export const SOCKET = `${SOCKET_DIRECTORY}/csi.sock`;

/** The listening address of the driver. */
export const ENDPOINT: ComponentArgument = { name: 'endpoint', value: `unix://${SOCKET}` };

/** The address of the driver for its sidecars. */
export const CSI_ADDRESS: ComponentArgument = { name: 'csi-address', value: SOCKET };
