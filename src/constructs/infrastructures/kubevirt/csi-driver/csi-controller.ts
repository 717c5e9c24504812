import { Yaml } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { driverImage, KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { KubevirtStorageClass } from './kubevirt-storage-class';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import {
  CSI_ATTACHER, CSI_LIVENESS_PROBE, CSI_PROVISIONER, CSI_RESIZER, CSI_SNAPSHOTTER, imageName, PinnedImage,
} from '../../../../manifests/values/versions';
import { ControllerContainer } from '../../../addons/controllers/controller-container';
import { TENANT_KUBECONFIG, TENANT_KUBECONFIG_MOUNT } from '../../../addons/controllers/tenant-kubeconfig';
import {
  CSI_ADDRESS, ENDPOINT, livenessProbeArguments, PROBE_RESOURCES, sidecar, SIDECAR_RESOURCES, SOCKET_DIRECTORY,
} from '../../../addons/csi/sidecar';
import { ClusterContext, ClusterIdentity } from '../../../contracts/cluster-context';
import { INFRA_KUBECONFIG, INFRA_KUBECONFIG_MOUNT } from '../infra-kubeconfig';

/** Features that the storage classes require of the driver. */
export interface CsiFeatures {
  /** True if volumes grow. */
  readonly expansion: boolean;

  /** True if there are snapshots. */
  readonly snapshots: boolean;
}

/**
 * Rights of the driver in the namespace of the machines.
 *
 * Source: kubevirt/csi-driver pkg/kubevirt/client.go, pkg/service/controller.go. The upstream manifest
 * (deploy/infra-cluster-service-account.yaml) leaves out `virtualmachineinstances/removevolume`, which the driver uses when the
 * VirtualMachine is gone, or no longer has the volume, and its instance still holds it. It lists snapshots only when it is asked for all of
 * them, and csi-snapshotter asks for one (kubernetes-csi/external-snapshotter pkg/snapshotter/snapshotter.go, v8.6.0).
 */
export function csiPermissions({ expansion, snapshots }: CsiFeatures): k8s.PolicyRule[] {
  return [
    { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes'], verbs: ['create', 'delete', 'get'] },
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get', 'list'] },
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachines'], verbs: ['get'] },
    {
      apiGroups: ['subresources.kubevirt.io'],
      resources: ['virtualmachineinstances/removevolume', 'virtualmachines/addvolume', 'virtualmachines/removevolume'],
      verbs: ['update'],
    },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: expansion ? ['get', 'patch'] : ['get'] },
    ...(snapshots ? [{ apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshots'], verbs: ['create', 'delete', 'get'] }] : []),
  ];
}

/** The driver sees that a volume has grown by the PersistentVolume behind it, which belongs to no namespace. */
export const EXPANSION_PERMISSIONS: readonly k8s.PolicyRule[] = [{ apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get'] }];

/** Key of the ConfigMap, as upstream has it. */
export const ENFORCEMENT_KEY = 'infraStorageClassEnforcement';

/**
 * The labels by which the driver tells the volumes and snapshots of one tenant from those of all others, as its flag takes them: a list of
 * `key=value`.
 *
 * Name and namespace of a cluster are DNS labels, which hold neither `=` nor `,`, and no other cluster has both. What the driver made
 * under other labels it would no longer touch, so that they must never change.
 */
export function infraClusterLabels({ namespace, name }: ClusterIdentity): string {
  return `cluster.x-k8s.io/cluster-name=${name},cluster.x-k8s.io/cluster-namespace=${namespace}`;
}

/**
 * The allowed storage of the tenant, as the driver reads it (kubevirt/csi-driver pkg/util/util.go). It silently
 * ignores unknown keys, and of several groups with one storage class all but the first: each class has one group.
 */
export function storageClassEnforcement(classes: readonly KubevirtStorageClass[]): string {
  const mapping = new Map<string, Set<string>>();
  for (const { infraClass, snapshotClasses = [] } of classes) {
    if (infraClass === undefined) continue;
    const snapshots = mapping.get(infraClass) ?? new Set<string>();
    mapping.set(infraClass, snapshots);
    snapshotClasses.forEach((snapshot) => snapshot.infraClass !== undefined && snapshots.add(snapshot.infraClass));
  }
  const allowList = [...mapping.keys()].sort();
  const groups = allowList.filter((infraClass) => mapping.get(infraClass)!.size > 0)
    .map((infraClass) => ({ storageClasses: [infraClass], volumeSnapshotClasses: [...mapping.get(infraClass)!].sort() }));
  return Yaml.stringify({
    allowAll: false,
    allowDefault: classes.some(({ infraClass }) => infraClass === undefined),
    allowList,
    ...(groups.length > 0 && { storageSnapshotMapping: groups }),
  });
}

/** The volume with the driver's socket. All containers have one user, who owns it. */
export const SOCKET_VOLUME = { name: 'socket', emptyDir: {} } satisfies k8s.Volume;

const SOCKET_MOUNT = { name: SOCKET_VOLUME.name, mountPath: SOCKET_DIRECTORY } satisfies k8s.VolumeMount;

/** Port of the liveness probe, as in the upstream manifest. */
const HEALTH_PORT = 10301;

/** Prefix of volume names, which the provisioner makes. The driver refuses others. */
const VOLUME_PREFIX = 'pvc';

/** Namespace in the tenant for the Leases: that of the pod is another cluster's. */
const LEASE_NAMESPACE = 'kube-system';

/** Requests of kubevirt/csi-driver deploy/controller-infra/base/deploy.yaml, memory limit of cozystack/cozystack packages/apps/kubernetes/templates/csi. */
const DRIVER_RESOURCES: ResourceRequirements = { requests: { cpu: '10m', memory: '50Mi' }, limits: { memory: '512Mi' } };

/**
 * Calls wait up to two minutes for KubeVirt (kubevirt/csi-driver pkg/service/controller.go), so that callers must wait longer.
 */
const TIMEOUT: ComponentArgument = { name: 'timeout', value: '3m' };
const RETRY: ComponentArgument = { name: 'retry-interval-max', value: '1m' };

/** The cluster, and the namespace of its machines. */
export interface InfraPlace {
  /** Namespace of the machines. */
  readonly namespace: string;

  /** True if it is in another cluster. */
  readonly remote: boolean;
}

/** The flags with which the driver works in the management cluster. */
export function controllerArguments(context: ClusterContext, { namespace, remote }: InfraPlace): ComponentArgument[] {
  return [
    ENDPOINT,
    { name: 'run-controller-service', value: 'true' },
    { name: 'run-node-service', value: 'false' },
    { name: 'infra-cluster-namespace', value: namespace },
    { name: 'infra-cluster-labels', value: infraClusterLabels(context) },
    ...(remote ? [{ name: 'infra-cluster-kubeconfig', value: INFRA_KUBECONFIG }] : []),
    { name: 'tenant-cluster-kubeconfig', value: TENANT_KUBECONFIG },
    { name: 'volume-prefix', value: VOLUME_PREFIX },
  ];
}

/** The containers of the pod in the management cluster. */
export function controllerContainers(
  context: ClusterContext, options: KubevirtCsiDriverOptions, features: CsiFeatures, place: InfraPlace, configMap: string,
): ControllerContainer[] {
  const work = { resources: SIDECAR_RESOURCES, volumeMounts: [SOCKET_MOUNT, TENANT_KUBECONFIG_MOUNT] };
  const image = (pinned: PinnedImage) => imageName(pinned, context.versions);
  return [
    {
      name: 'csi-driver',
      image: driverImage(options),
      args: [...controllerArguments(context, place), ...options.extraArgs ?? []],
      env: [{ name: 'INFRA_STORAGE_CLASS_ENFORCEMENT', valueFrom: { configMapKeyRef: { name: configMap, key: ENFORCEMENT_KEY } } }],
      resources: options.resources ?? DRIVER_RESOURCES,
      health: { path: '/healthz', port: HEALTH_PORT, scheme: 'HTTP' },
      volumeMounts: [SOCKET_MOUNT, TENANT_KUBECONFIG_MOUNT, ...(place.remote ? [INFRA_KUBECONFIG_MOUNT] : [])],
    },
    sidecar('csi-provisioner', image(CSI_PROVISIONER), PROVISIONER_ARGUMENTS, options.provisioner, work),
    sidecar('csi-attacher', image(CSI_ATTACHER), ATTACHER_ARGUMENTS, options.attacher, work),
    ...(features.expansion ? [sidecar('csi-resizer', image(CSI_RESIZER), RESIZER_ARGUMENTS, options.resizer, work)] : []),
    ...(features.snapshots ? [sidecar('csi-snapshotter', image(CSI_SNAPSHOTTER), SNAPSHOTTER_ARGUMENTS, options.snapshotter, work)] : []),
    sidecar('liveness-probe', image(CSI_LIVENESS_PROBE), livenessProbeArguments(HEALTH_PORT), options.livenessProbe, { resources: PROBE_RESOURCES, volumeMounts: [SOCKET_MOUNT] }),
  ];
}

/**
 * Flags of all sidecars that work on the tenant. With a Lease at most one of each is active, even when a host is cut off and its
 * pod is replaced. It also ends a program whose client certificate has expired, so that it starts again with the renewed kubeconfig.
 */
const COMMON: readonly ComponentArgument[] = [
  CSI_ADDRESS,
  { name: 'kubeconfig', value: TENANT_KUBECONFIG },
  TIMEOUT,
  { name: 'leader-election', value: 'true' },
  { name: 'leader-election-namespace', value: LEASE_NAMESPACE },
];

/**
 * Flags of the provisioner.
 *
 * There are builds of the driver that say they know zones (pkg/service/identity.go) while their nodes name none, at which claims that wait
 * for a pod fail: without the gate the provisioner does not ask (kubernetes-csi/external-provisioner pkg/controller/topology.go). The
 * driver cannot modify volumes, and Kubernetes 1.33 does not serve the API for that, which would be waited for.
 */
export const PROVISIONER_ARGUMENTS: readonly ComponentArgument[] = [
  ...COMMON,
  RETRY,
  { name: 'default-fstype', value: 'ext4' },
  { name: 'volume-name-prefix', value: VOLUME_PREFIX },
  { name: 'feature-gates', value: 'Topology=false,VolumeAttributesClass=false' },
];

/** Flags of the attacher. */
export const ATTACHER_ARGUMENTS: readonly ComponentArgument[] = [...COMMON, RETRY];

/** Flags of the resizer. The driver grows volumes that are in use, so that no pod need be watched. */
export const RESIZER_ARGUMENTS: readonly ComponentArgument[] = [
  ...COMMON,
  { name: 'handle-volume-inuse-error', value: 'false' },
  { name: 'feature-gates', value: 'VolumeAttributesClass=false' },
];

/** Flags of the snapshotter. */
export const SNAPSHOTTER_ARGUMENTS: readonly ComponentArgument[] = COMMON;
