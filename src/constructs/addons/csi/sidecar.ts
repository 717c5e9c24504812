import type { k8s } from 'cdk8s-plus-28';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { CONTAINER_SECURITY, ControllerContainer } from '../controllers/controller-container';
import { ControllerContainerOptions } from '../controllers/tenant-controller-options';

/** Folder of the driver's socket in the containers of a pod. */
export const SOCKET_DIRECTORY = '/csi';

/** The socket. */
const SOCKET = `${SOCKET_DIRECTORY}/csi.sock`;

/** The listening address of the driver. */
export const ENDPOINT: ComponentArgument = { name: 'endpoint', value: `unix://${SOCKET}` };

/** The address of the driver for its sidecars. */
export const CSI_ADDRESS: ComponentArgument = { name: 'csi-address', value: SOCKET };

/**
 * The CPU of kubevirt/csi-driver deploy/controller-infra/base/deploy.yaml, whose 50Mi are less than an idle sidecar takes
 * (docs/guides/size-the-management-cluster.md). The limit leaves room for the volumes that each one caches.
 */
export const SIDECAR_RESOURCES: ResourceRequirements = { requests: { cpu: '10m', memory: '80Mi' }, limits: { memory: '256Mi' } };

/** Sidecars without a cache: the CPU of kubevirt/csi-driver deploy/tenant/base/deploy.yaml, whose 20Mi are less than an idle one takes. */
export const PROBE_RESOURCES: ResourceRequirements = { requests: { cpu: '5m', memory: '32Mi' }, limits: { memory: '64Mi' } };

/**
 * The kubelet's folders, and the sockets of drivers in them, belong to root. Sidecars on a node therefore run as root, without its
 * capabilities.
 */
export const ROOT_SECURITY = { ...CONTAINER_SECURITY, runAsGroup: 0, runAsUser: 0, seccompProfile: { type: 'RuntimeDefault' } } satisfies k8s.SecurityContext;

/** Flags of the liveness probe sidecar, which serves HTTP for the driver. */
export function livenessProbeArguments(port: number): ComponentArgument[] {
  return [CSI_ADDRESS, { name: 'probe-timeout', value: '3s' }, { name: 'http-endpoint', value: `:${port}` }];
}

/** A sidecar of the driver, with an image that the user may replace. The user's arguments come last. */
export function sidecar(
  name: string, image: string, args: readonly ComponentArgument[], options: ControllerContainerOptions = {},
  rest: Pick<ControllerContainer, 'resources' | 'volumeMounts' | 'security'>,
): ControllerContainer {
  return {
    ...rest,
    name,
    image: options.image ?? image,
    args: [...args, ...options.extraArgs ?? []],
    resources: options.resources ?? rest.resources,
  };
}

/** A volume with a folder of the node. */
export function hostFolder(name: string, path: string, type: string): k8s.Volume {
  return { name, hostPath: { path, type } };
}
