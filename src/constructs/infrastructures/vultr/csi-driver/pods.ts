import type { k8s } from 'cdk8s-plus-28';
import { VultrCsiDriver, VultrCsiDriverOptions } from './vultr-csi-driver';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { TolerationOperator } from '../../../../manifests/values/tolerations';
import { CSI_ATTACHER, CSI_NODE_DRIVER_REGISTRAR, CSI_PROVISIONER, CSI_RESIZER, imageName, VULTR_CSI_DRIVER } from '../../../../manifests/values/versions';
import { containerSpec, ControllerContainer } from '../../../addons/controllers/controller-container';
import { POD_SECURITY } from '../../../addons/controllers/security';
import { PROBE_RESOURCES, ROOT_SECURITY, sidecar, SIDECAR_RESOURCES } from '../../../addons/csi/sidecar';
import { CSI_ADDRESS, ENDPOINT, SOCKET_DIRECTORY } from '../../../addons/csi/socket';
import { Versions } from '../../../contracts/versions';

/** Name of the driver, which storage classes refer to. */
export const DRIVER_NAME = 'block.csi.vultr.com';

/** Namespace of the driver in the tenant, as upstream has it. */
export const NAMESPACE = 'kube-system';

const KUBELET = '/var/lib/kubelet';
const PLUGIN = `${KUBELET}/plugins/${DRIVER_NAME}`;
const API_KEY = 'VULTR_API_KEY';

const REQUESTS = { cpu: '10m', memory: '50Mi' };
const CONTROLLER_RESOURCES: ResourceRequirements = { requests: REQUESTS, limits: { memory: '256Mi' } };

/** There is no limit: file systems are made and grown in the container. */
const NODE_RESOURCES: ResourceRequirements = { requests: REQUESTS };

/** Calls wait for Vultr (vultr/vultr-csi docs/releases/latest.yml). */
const TIMEOUT: ComponentArgument = { name: 'timeout', value: '90s' };

const COMMON: readonly ComponentArgument[] = [
  CSI_ADDRESS, TIMEOUT, { name: 'leader-election', value: 'true' }, { name: 'leader-election-namespace', value: NAMESPACE },
];

/** Flags of the provisioner. The names of volumes are those of block storage at Vultr, which are short. */
export const PROVISIONER_ARGUMENTS: readonly ComponentArgument[] = [
  ...COMMON,
  { name: 'default-fstype', value: 'ext4' },
  { name: 'volume-name-prefix', value: 'pvc' },
  { name: 'volume-name-uuid-length', value: '16' },
  // Kubernetes 1.33 does not serve the API for it, which would be waited for.
  { name: 'feature-gates', value: 'VolumeAttributesClass=false' },
];

/** Flags of the attacher. */
export const ATTACHER_ARGUMENTS: readonly ComponentArgument[] = COMMON;

/** Flags of the resizer. The driver grows volumes that are in use, so that no pod need be watched. */
export const RESIZER_ARGUMENTS: readonly ComponentArgument[] = [
  ...COMMON, { name: 'handle-volume-inuse-error', value: 'false' }, { name: 'feature-gates', value: 'VolumeAttributesClass=false' },
];

/** Flags of the registrar: the socket as it sees it, and as the kubelet does. */
export const REGISTRAR_ARGUMENTS: readonly ComponentArgument[] = [CSI_ADDRESS, { name: 'kubelet-registration-path', value: `${PLUGIN}/csi.sock` }];

/** The pod that makes, attaches and grows volumes. */
export function controllerPod(serviceAccountName: string, { options, _apiKey }: VultrCsiDriver, expansion: boolean, versions: Versions): object {
  const socket = { name: 'socket', mountPath: SOCKET_DIRECTORY };
  const work = { resources: SIDECAR_RESOURCES, volumeMounts: [socket] };
  return {
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    priorityClassName: 'system-cluster-critical',
    serviceAccountName,
    securityContext: POD_SECURITY,
    containers: [
      {
        name: 'csi-vultr-plugin',
        image: imageOf(options, versions),
        // With a token it does this half of the work, without one the other. It takes the key from its arguments only.
        args: [ENDPOINT, { name: 'token', value: `$(${API_KEY})` }],
        env: [{ name: API_KEY, valueFrom: { secretKeyRef: _apiKey._secretKeyRef('vultr-csi') } }],
        resources: options.resources ?? CONTROLLER_RESOURCES,
        volumeMounts: [socket],
      },
      sidecar('csi-provisioner', imageName(CSI_PROVISIONER, versions), PROVISIONER_ARGUMENTS, options.provisioner, work),
      sidecar('csi-attacher', imageName(CSI_ATTACHER, versions), ATTACHER_ARGUMENTS, options.attacher, work),
      ...(expansion ? [sidecar('csi-resizer', imageName(CSI_RESIZER, versions), RESIZER_ARGUMENTS, options.resizer, work)] : []),
    ].map(containerSpec),
    volumes: [{ name: socket.name, emptyDir: {} }],
  };
}

/** The pod that mounts volumes on a node. It asks the metadata service of the machine which one it is, and the API server nothing. */
export function nodePod(serviceAccountName: string, options: VultrCsiDriverOptions, versions: Versions): object {
  const plugin = { name: 'plugin', mountPath: SOCKET_DIRECTORY };
  const driver: ControllerContainer = {
    name: 'csi-vultr-plugin',
    image: imageOf(options, versions),
    args: [ENDPOINT],
    resources: options.resources ?? NODE_RESOURCES,
    // It mounts file systems where the kubelet sees them, and reads the devices of the node.
    security: { privileged: true },
    volumeMounts: [plugin, { name: 'kubelet', mountPath: KUBELET, mountPropagation: 'Bidirectional' }, { name: 'devices', mountPath: '/dev' }],
  };
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostNetwork: true,
    dnsPolicy: 'Default',
    priorityClassName: 'system-node-critical',
    serviceAccountName,
    tolerations: [{ operator: TolerationOperator.EXISTS }],
    containers: [
      driver,
      sidecar('node-driver-registrar', imageName(CSI_NODE_DRIVER_REGISTRAR, versions), REGISTRAR_ARGUMENTS, options.nodeDriverRegistrar, {
        resources: PROBE_RESOURCES, security: ROOT_SECURITY, volumeMounts: [plugin, { name: 'registration', mountPath: '/registration' }],
      }),
    ].map(containerSpec),
    volumes: [
      hostFolder('kubelet', KUBELET, 'Directory'),
      hostFolder(plugin.name, PLUGIN, 'DirectoryOrCreate'),
      hostFolder('registration', `${KUBELET}/plugins_registry`, 'Directory'),
      hostFolder('devices', '/dev', 'Directory'),
    ],
  };
}

function imageOf({ image }: VultrCsiDriverOptions, versions: Versions): string {
  return image ?? imageName(VULTR_CSI_DRIVER, versions);
}

function hostFolder(name: string, path: string, type: string): k8s.Volume {
  return { name, hostPath: { path, type } };
}
