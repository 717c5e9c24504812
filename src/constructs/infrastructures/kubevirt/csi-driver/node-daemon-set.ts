import type { k8s } from 'cdk8s-plus-28';
import { DRIVER_NAME } from './driver-config';
import { driverImage } from './driver-image';
import { KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { TolerationOperator } from '../../../../manifests/values/tolerations';
import { CSI_LIVENESS_PROBE, CSI_NODE_DRIVER_REGISTRAR, imageName } from '../../../../manifests/values/versions';
import { containerSpec, ControllerContainer } from '../../../addons/controllers/controller-container';
import { livenessProbeArguments, PROBE_RESOURCES, ROOT_SECURITY, sidecar } from '../../../addons/csi/sidecar';
import { CSI_ADDRESS, ENDPOINT, SOCKET_DIRECTORY } from '../../../addons/csi/socket';
import { Versions } from '../../../contracts/versions';

const KUBELET = '/var/lib/kubelet';
const PLUGIN = `${KUBELET}/plugins/${DRIVER_NAME}`;
const NODE_NAME = 'KUBE_NODE_NAME';

/** Where the liveness probe answers for the driver, as in the upstream manifest. */
const HEALTH_PORT = 10300;

/** As in the upstream manifest. There is no limit: file systems are made and grown in the container. */
const DRIVER_RESOURCES: ResourceRequirements = { requests: { cpu: '10m', memory: '50Mi' } };

const PLUGIN_MOUNT = { name: 'plugin', mountPath: SOCKET_DIRECTORY } satisfies k8s.VolumeMount;

/** Flags of the driver on a node. */
export const NODE_ARGUMENTS: readonly ComponentArgument[] = [
  ENDPOINT,
  { name: 'run-controller-service', value: 'false' },
  { name: 'run-node-service', value: 'true' },
  { name: 'node-name', value: `$(${NODE_NAME})` },
];

/** Flags of the registrar: the socket as it sees it, and as the kubelet does. */
export const REGISTRAR_ARGUMENTS: readonly ComponentArgument[] = [CSI_ADDRESS, { name: 'kubelet-registration-path', value: `${PLUGIN}/csi.sock` }];

/**
 * The DaemonSet that runs the driver on every node (kubevirt/csi-driver deploy/tenant/base/deploy.yaml). The upstream hook that removes the
 * sockets needs a shell, which the image of the registrar does not have; the programs replace a socket that they find.
 *
 * On a new node the driver starts anew until Cluster API has written down which machine the node is.
 *
 * @param name name of the ServiceAccount
 * @param labels labels that the pods are found by
 * @param options how the driver runs
 */
export function nodeDaemonSet(name: string, labels: { [key: string]: string }, options: KubevirtCsiDriverOptions, versions: Versions): object {
  const { node = {} } = options;
  const { tolerations = [{ operator: TolerationOperator.EXISTS }], nodeSelector = {}, imagePullSecrets = [], podAnnotations = {} } = node;
  return {
    selector: { matchLabels: labels },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '10%' } },
    template: {
      metadata: {
        labels: { ...node.podLabels, ...labels },
        ...(Object.keys(podAnnotations).length > 0 && { annotations: podAnnotations }),
      },
      spec: {
        automountServiceAccountToken: true,
        enableServiceLinks: false,
        priorityClassName: node.priorityClassName ?? 'system-node-critical',
        serviceAccountName: name,
        ...(tolerations.length > 0 && { tolerations }),
        ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
        ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((secret) => ({ name: secret })) }),
        containers: [
          driverContainer(options),
          sidecar('node-driver-registrar', imageName(CSI_NODE_DRIVER_REGISTRAR, versions), REGISTRAR_ARGUMENTS, options.nodeDriverRegistrar, {
            resources: PROBE_RESOURCES, security: ROOT_SECURITY, volumeMounts: [PLUGIN_MOUNT, { name: 'registration', mountPath: '/registration' }],
          }),
          sidecar('liveness-probe', imageName(CSI_LIVENESS_PROBE, versions), livenessProbeArguments(HEALTH_PORT), options.livenessProbe, {
            resources: PROBE_RESOURCES, security: ROOT_SECURITY, volumeMounts: [PLUGIN_MOUNT],
          }),
        ].map(containerSpec),
        volumes: [
          hostFolder('kubelet', KUBELET, 'Directory'),
          hostFolder(PLUGIN_MOUNT.name, PLUGIN, 'DirectoryOrCreate'),
          hostFolder('registration', `${KUBELET}/plugins_registry`, 'Directory'),
          hostFolder('devices', '/dev', 'Directory'),
          hostFolder('udev', '/run/udev', 'Directory'),
        ],
      },
    },
  };
}

function driverContainer(options: KubevirtCsiDriverOptions): ControllerContainer {
  const { resources = DRIVER_RESOURCES, extraArgs = [] } = options.node ?? {};
  return {
    name: 'csi-driver',
    image: driverImage(options),
    args: [...NODE_ARGUMENTS, ...extraArgs],
    env: [{ name: NODE_NAME, valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    resources,
    health: { path: '/healthz', port: HEALTH_PORT, scheme: 'HTTP' },
    // It mounts file systems where the kubelet sees them, and reads the devices of the node.
    security: { privileged: true },
    volumeMounts: [
      PLUGIN_MOUNT,
      { name: 'kubelet', mountPath: KUBELET, mountPropagation: 'Bidirectional' },
      { name: 'devices', mountPath: '/dev' },
      { name: 'udev', mountPath: '/run/udev' },
    ],
  };
}

function hostFolder(name: string, path: string, type: string): k8s.Volume {
  return { name, hostPath: { path, type } };
}
