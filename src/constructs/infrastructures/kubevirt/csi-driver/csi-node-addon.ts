import { Chart } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { driverImage, KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { DRIVER_NAME, KubevirtFileSystem, KubevirtStorageClass, KubevirtVolumeBus, volumeClassOf } from './kubevirt-storage-class';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { TolerationOperator } from '../../../../manifests/values/taints';
import { CSI_LIVENESS_PROBE, CSI_NODE_DRIVER_REGISTRAR, imageName } from '../../../../manifests/values/versions';
import { addRights, addServiceAccount } from '../../../addons/controllers/access-objects';
import { containerSpec, ControllerContainer } from '../../../addons/controllers/controller-container';
import { podSources } from '../../../addons/controllers/tenant-controller-options';
import { CLASSES_PROPERTY, CSI_DRIVER_PROPERTY } from '../../../addons/csi/driver-checks';
import {
  CSI_ADDRESS, ENDPOINT, hostFolder, livenessProbeArguments, PROBE_RESOURCES, ROOT_SECURITY, sidecar, SOCKET_DIRECTORY,
} from '../../../addons/csi/sidecar';
import { addStorageClass, classSources } from '../../../addons/csi/storage-classes';
import { FieldSources } from '../../../app/synth/field-sources';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { Addon, AddonCapability, AddonConfig } from '../../../contracts/addon';
import { ClusterContext } from '../../../contracts/cluster-context';
import { Versions } from '../../../contracts/versions';

/** Namespace of the driver in the tenant, as upstream has it. */
/** Namespace of the driver in the tenant. */
export const CSI_NAMESPACE = 'kubevirt-csi-driver';

/** Name of the driver's objects in the tenant, as upstream has it. */
const NAME = 'kubevirt-csi-node';

const LABELS = { 'app.kubernetes.io/name': NAME };
const PROGRAM = { name: NAME, namespace: CSI_NAMESPACE, labels: LABELS };

/**
 * The part of the driver in the tenant: the driver on the nodes, and the storage classes.
 *
 * The driver has a namespace of its own, so that the label which admits its privileged pods stands there for everyone to see and holds for
 * nothing else. Nothing here is marked against pruning: none of it holds data. Volumes outlive a class, and what was removed by mistake
 * comes back as it was, whereas a class without its driver would promise volumes that are never provisioned.
 */
export class CsiNodeAddon extends Addon {
  /** Name of the addon. */
  public readonly name = 'kubevirt-csi-driver';

  /** Capabilities that it adds to the tenant. */
  public override readonly provides: string[] = [AddonCapability.PERSISTENT_VOLUMES];

  /**
   * @param owner the construct that was given the options
   * @param options the options of the driver
   * @param classes the storage classes
   */
  public constructor(
    private readonly owner: Construct, private readonly options: KubevirtCsiDriverOptions, private readonly classes: readonly KubevirtStorageClass[],
  ) {
    super();
  }

  /** Makes the objects. */
  public bind(tenant: Chart, { versions }: ClusterContext): AddonConfig {
    this.addDriver(tenant, versions);
    addServiceAccount(tenant, 'ServiceAccount', PROGRAM);
    // The driver looks once which machine its node is (cmd/kubevirt-csi-driver); the upstream role grants far more.
    addRights(tenant, PROGRAM, [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]);
    this.classes.forEach((storageClass, index) => {
      const property = `${CLASSES_PROPERTY}[${index}]`;
      const { infraClass, bus = KubevirtVolumeBus.SCSI, fsType = KubevirtFileSystem.EXT4 } = storageClass;
      const parameters = { bus, 'csi.storage.k8s.io/fstype': fsType, ...(infraClass !== undefined && { infraStorageClassName: infraClass }) };
      FieldSources.record(addStorageClass(tenant, `StorageClass${index}`, storageClass, DRIVER_NAME, parameters), this.owner, {
        ...classSources(property), 'parameters.bus': `${property}.bus`,
      });
    });
    return { volumeClasses: this.classes.map(volumeClassOf) };
  }

  private addDriver(tenant: Construct, versions: Versions): void {
    new TypedApiObject(tenant, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
      metadata: { name: CSI_NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
    });
    new TypedApiObject(tenant, 'CSIDriver', { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', clusterScoped: true }, {
      metadata: { name: DRIVER_NAME },
      spec: { attachRequired: true, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: true },
    });
    const daemonSet = new TypedApiObject(tenant, 'DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, {
      metadata: { name: NAME, namespace: CSI_NAMESPACE, labels: LABELS },
      spec: nodeDaemonSet(NAME, LABELS, this.options, versions),
    });
    FieldSources._record(daemonSet, this.owner, () => podSources(this.options.node ?? {}, `${CSI_DRIVER_PROPERTY}.node.`));
  }
}

const KUBELET = '/var/lib/kubelet';
const PLUGIN = `${KUBELET}/plugins/${DRIVER_NAME}`;
const NODE_NAME = 'KUBE_NODE_NAME';

/** Port of the liveness probe, as in the upstream manifest. */
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
 * @param options the options of the driver
 */
function nodeDaemonSet(name: string, labels: { [key: string]: string }, options: KubevirtCsiDriverOptions, versions: Versions): object {
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
