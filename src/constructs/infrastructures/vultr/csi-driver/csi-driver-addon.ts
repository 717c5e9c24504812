import { Chart } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { VultrCsiDriver, VultrCsiDriverOptions } from './vultr-csi-driver';
import { checkClasses, volumeClassOf, VultrStorageClass } from './vultr-storage-class';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { TolerationOperator } from '../../../../manifests/values/taints';
import {
  CSI_ATTACHER, CSI_NODE_DRIVER_REGISTRAR, CSI_PROVISIONER, CSI_RESIZER, imageName, VULTR_CSI_DRIVER,
} from '../../../../manifests/values/versions';
import { addRights, addServiceAccount } from '../../../addons/controllers/access-objects';
import { checkContainer } from '../../../addons/controllers/controller-checks';
import { containerSpec, ControllerContainer, POD_SECURITY } from '../../../addons/controllers/controller-container';
import { checkIdleDriver, checkSidecars, CLASSES_PROPERTY, CSI_DRIVER_PROPERTY } from '../../../addons/csi/driver-checks';
import {
  CSI_ADDRESS, ENDPOINT, hostFolder, PROBE_RESOURCES, ROOT_SECURITY, sidecar, SIDECAR_RESOURCES, SOCKET_DIRECTORY,
} from '../../../addons/csi/sidecar';
import { addStorageClass, canExpand, classSources } from '../../../addons/csi/storage-classes';
import { FieldSources } from '../../../app/synth/field-sources';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { Addon, AddonCapability, AddonConfig } from '../../../contracts/addon';
import { ClusterContext } from '../../../contracts/cluster-context';
import { pullSecretsField } from '../../../contracts/company-network/company-network';
import { Versions } from '../../../contracts/versions';
import { checkApiKey } from '../api-key';

/** Name of the driver, which storage classes refer to. */
const DRIVER_NAME = 'block.csi.vultr.com';

/** Namespace of the driver in the tenant, as upstream has it. */
const NAMESPACE = 'kube-system';

// As upstream has them.
const CONTROLLER = 'csi-vultr-controller';
const NODE = 'csi-vultr-node';

/** Vultr's CSI driver in the tenant, and the storage classes. */
export class VultrCsiDriverAddon extends Addon {
  /** Name of the addon. */
  public readonly name = 'vultr-csi-driver';

  /** Capabilities that it adds to the tenant. */
  public override readonly provides: string[] = [AddonCapability.PERSISTENT_VOLUMES];

  /** Nothing that would have to be there first: its pods wait for the pod network by themselves. */
  public override readonly requires: string[] = [];

  /**
   * @param owner the construct that was given the classes
   * @param driver the driver
   * @param classes the storage classes
   */
  public constructor(
    private readonly owner: Construct, private readonly driver: VultrCsiDriver, private readonly classes: readonly VultrStorageClass[],
  ) {
    super();
  }

  /** Makes the objects. */
  public bind(tenant: Chart, { versions, companyNetwork }: ClusterContext): AddonConfig {
    const expansion = this.classes.some(canExpand);
    const pullSecrets = pullSecretsField(companyNetwork);
    new TypedApiObject(tenant, 'CSIDriver', { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', clusterScoped: true }, {
      metadata: { name: DRIVER_NAME }, spec: { attachRequired: true, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: true },
    });
    for (const name of [CONTROLLER, NODE]) addServiceAccount(tenant, `${name}-account`, { name, namespace: NAMESPACE, labels: labels(name) });
    addRights(tenant, { name: CONTROLLER, namespace: NAMESPACE, labels: labels(CONTROLLER) }, csiRules(expansion), LEASE_PERMISSIONS);
    new TypedApiObject(tenant, 'Deployment', { apiVersion: 'apps/v1', kind: 'Deployment' }, {
      metadata: { name: CONTROLLER, namespace: NAMESPACE, labels: labels(CONTROLLER) },
      spec: {
        replicas: 1,
        // Its sidecars elect leaders, the driver itself does not: two versions of it must not work on the same volume.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels(CONTROLLER) },
        template: {
          metadata: { labels: labels(CONTROLLER) },
          spec: { ...controllerPod(CONTROLLER, this.driver, expansion, versions), ...pullSecrets },
        },
      },
    });
    new TypedApiObject(tenant, 'DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, {
      metadata: { name: NODE, namespace: NAMESPACE, labels: labels(NODE) },
      spec: {
        selector: { matchLabels: labels(NODE) },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '10%' } },
        template: { metadata: { labels: labels(NODE) }, spec: { ...nodePod(NODE, this.driver.options, versions), ...pullSecrets } },
      },
    });
    this.classes.forEach((storageClass, index) => {
      const { diskType, storageType } = storageClass.storage;
      const object = addStorageClass(tenant, `StorageClass${index}`, storageClass, DRIVER_NAME, { disk_type: diskType, storage_type: storageType });
      FieldSources.record(object, this.owner, classSources(`${CLASSES_PROPERTY}[${index}]`));
    });
    return { volumeClasses: this.classes.map(volumeClassOf) };
  }
}

function labels(name: string): { [key: string]: string } {
  return { 'app.kubernetes.io/name': name };
}

const READ = ['get', 'list', 'watch'];

/**
 * Rights of the driver's sidecars in the tenant (deploy/kubernetes/rbac.yaml of kubernetes-csi/external-provisioner,
 * external-attacher and external-resizer), without what this driver has no use for: it knows no zones, snapshots or Secrets.
 *
 * @param expansion true if volumes grow
 */
function csiRules(expansion: boolean): k8s.PolicyRule[] {
  return [
    { apiGroups: [''], resources: ['persistentvolumes'], verbs: ['create', 'delete', ...READ, 'patch', 'update'] },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: [...READ, 'update'] },
    ...(expansion ? [{ apiGroups: [''], resources: ['persistentvolumeclaims/status'], verbs: ['patch', 'update'] }] : []),
    { apiGroups: [''], resources: ['nodes'], verbs: READ },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'list', 'patch', 'update', 'watch'] },
    { apiGroups: ['storage.k8s.io'], resources: ['csinodes', 'storageclasses'], verbs: READ },
    { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: [...READ, 'patch', 'update'] },
    { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments/status'], verbs: ['patch'] },
  ];
}

/** Rights of the sidecars in their own namespace: each elects a leader, under a name that derives from the driver's. */
const LEASE_PERMISSIONS: readonly k8s.PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
];

const KUBELET = '/var/lib/kubelet';
const PLUGIN = `${KUBELET}/plugins/${DRIVER_NAME}`;
const API_KEY = 'VULTR_API_KEY';

const REQUESTS = { cpu: '10m', memory: '50Mi' };
const CONTROLLER_RESOURCES: ResourceRequirements = { requests: REQUESTS, limits: { memory: '256Mi' } };

/** There is no limit: file systems are made and grown in the container. */
const NODE_RESOURCES: ResourceRequirements = { requests: REQUESTS };

/** Calls wait for Vultr (vultr/vultr-csi docs/releases/latest.yml). */
const TIMEOUT: ComponentArgument = { name: 'timeout', value: '90s' };

const SIDECAR_ARGUMENTS: readonly ComponentArgument[] = [
  CSI_ADDRESS, TIMEOUT, { name: 'leader-election', value: 'true' }, { name: 'leader-election-namespace', value: NAMESPACE },
];

/** Flags of the provisioner. The names of volumes are those of block storage at Vultr, which are short. */
const PROVISIONER_ARGUMENTS: readonly ComponentArgument[] = [
  ...SIDECAR_ARGUMENTS,
  { name: 'default-fstype', value: 'ext4' },
  { name: 'volume-name-prefix', value: 'pvc' },
  { name: 'volume-name-uuid-length', value: '16' },
  // Kubernetes 1.33 does not serve the API for it, which would be waited for.
  { name: 'feature-gates', value: 'VolumeAttributesClass=false' },
];

/** Flags of the attacher. */
const ATTACHER_ARGUMENTS: readonly ComponentArgument[] = SIDECAR_ARGUMENTS;

/** Flags of the resizer. The driver grows volumes that are in use, so that no pod need be watched. */
const RESIZER_ARGUMENTS: readonly ComponentArgument[] = [
  ...SIDECAR_ARGUMENTS, { name: 'handle-volume-inuse-error', value: 'false' }, { name: 'feature-gates', value: 'VolumeAttributesClass=false' },
];

/** Flags of the registrar: the socket as it sees it, and as the kubelet does. */
const REGISTRAR_ARGUMENTS: readonly ComponentArgument[] = [CSI_ADDRESS, { name: 'kubelet-registration-path', value: `${PLUGIN}/csi.sock` }];

/** The pod that makes, attaches and grows volumes. */
function controllerPod(serviceAccountName: string, { options, _apiKey }: VultrCsiDriver, expansion: boolean, versions: Versions): object {
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
function nodePod(serviceAccountName: string, options: VultrCsiDriverOptions, versions: Versions): object {
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

const OWN_ACCOUNT = 'it works on the tenant that it runs in, with the rights of its own ServiceAccount';
const NO_ZONES = 'the driver knows no zones';

/** Flags that no sidecar of this driver can have, with the reason. */
const NEVER: Readonly<Record<string, string>> = {
  'controller-publish-readonly': 'the driver attaches no volume read-only',
  'enable-capacity': 'the driver does not say how much storage is left',
  'health-port': 'http-endpoint has taken its place',
  'immediate-topology': NO_ZONES,
  'kubeconfig': OWN_ACCOUNT,
  'master': OWN_ACCOUNT,
  'metrics-address': 'http-endpoint has taken its place',
  'mode': 'it registers the driver, as without it',
  'node-deployment': 'it runs beside the half of the driver that makes volumes, of which there is one',
  'plugin-registration-path': 'the folder of the kubelet is mounted where it looks without it',
  'strict-topology': NO_ZONES,
  'version': 'it would print its version and end',
};

/** The sidecars of the driver. */
const SIDECARS = [
  ['provisioner', 'csi-provisioner', CSI_PROVISIONER, PROVISIONER_ARGUMENTS],
  ['attacher', 'csi-attacher', CSI_ATTACHER, ATTACHER_ARGUMENTS],
  ['resizer', 'csi-resizer', CSI_RESIZER, RESIZER_ARGUMENTS],
  ['nodeDriverRegistrar', 'csi-node-driver-registrar', CSI_NODE_DRIVER_REGISTRAR, REGISTRAR_ARGUMENTS],
] as const;

const IDLE_DRIVER_RULE: Rule = {
  id: 'TC-VULTR-CSI-IDLE',
  title: 'The CSI driver, and each of its parts, requires storage classes that need it, and each storage class requires the driver.',
};

/** Checks the driver and the storage classes of a cluster. */
export function checkCsiDriver(driver: VultrCsiDriver | undefined, classes: readonly VultrStorageClass[], versions: Versions): Problem[] {
  const idle = checkIdleDriver(IDLE_DRIVER_RULE, 'VultrCsiDriver', driver, classes);
  if (idle.length > 0 || classes.length === 0) return idle;
  return [...checkClasses(classes), ...checkOptions(driver ?? VultrCsiDriver.of(), versions)];
}

function checkOptions({ options, _apiKey }: VultrCsiDriver, versions: Versions): Problem[] {
  return [
    ...checkApiKey(`${CSI_DRIVER_PROPERTY}.apiKey`, _apiKey),
    // The program has no flags that users can set.
    ...checkContainer(CSI_DRIVER_PROPERTY, { image: options.image, resources: options.resources }, { component: 'csi-provisioner', managed: {} }),
    ...checkSidecars(options, SIDECARS, versions, NEVER),
  ];
}
