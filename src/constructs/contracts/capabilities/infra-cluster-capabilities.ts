import { Size } from 'cdk8s';
import { PersistentVolumeAccessMode, PersistentVolumeMode } from 'cdk8s-plus-28';
import { HostFencing, InfraHosts } from './infra-hosts';
import { ExtendedResource } from '../machine-capacity';

/** Capacity of an instance type, which cannot be read at synthesis. */
export interface InstanceTypeCapacity {
  /** CPUs that the guest sees: a whole number from 1 (`TC-KUBEVIRT-CPU`). */
  readonly cpu: number;

  /** Memory that the guest sees: a whole number of MiB above 100 (`TC-KUBEVIRT-MEMORY`). */
  readonly memory: Size;

  /**
   * GPUs that the instance type brings, under the names that the tenant's node will offer.
   *
   * @default - none
   */
  readonly gpus?: ExtendedResource[];
}

/** A KubeVirt instance type for the whole cluster (`VirtualMachineClusterInstancetype`). */
export interface InfraInstanceType {
  /**
   * Name of the instance type, once in the list.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-ENTRY`, `TC-MANAGEMENT-CAPABILITIES-TWICE`.
   */
  readonly name: string;

  /**
   * Capacity of its machines.
   *
   * Machines of the type that state no capacity have this one: kubelet reservations and the autoscaler's capacity follow from it. Stating
   * it for the first time, or changing it, therefore replaces the machines of such pools.
   *
   * Rules: `TC-KUBEVIRT-CPU`, `TC-KUBEVIRT-MEMORY`.
   *
   * @default - not known
   */
  readonly capacity?: InstanceTypeCapacity;
}

/** Sizing of the pods of virtual machines by KubeVirt in the management cluster: its `KubeVirt` object and the labels of the namespace. */
export interface KubevirtPodSizing {
  /**
   * Number of CPUs of a machine that share one requested CPU: `cpuAllocationRatio`.
   *
   * @default 10
   */
  readonly cpuAllocationRatio?: number;

  /**
   * Memory that machines believe they have, in percent of what is requested for it: `memoryOvercommit`.
   *
   * @default 100
   */
  readonly memoryOvercommit?: number;

  /**
   * Ratio of the memory limit to the memory request, where a quota of `limits.memory` makes KubeVirt set a limit: the namespace's label
   * `alpha.kubevirt.io/auto-memory-limits-ratio`. The label itself belongs into `namespaceLabels` of the cluster.
   *
   * @default 2
   */
  readonly memoryLimitsRatio?: number;
}

/**
 * Capabilities of a cluster that runs machines. Everything is optional, and what is not stated is not checked; a list that is stated is
 * complete.
 */
export interface InfraClusterCapabilities {
  /**
   * Hosts that run machines, in all or by zone. Limits of health checks follow from their number, and pools of two or three machines, or of the
   * role `ingress`, have each machine on a host of its own where there are enough; a rollout of as many machines as there are hosts then removes
   * one before it makes another. Stating it for the first time replaces the machines of such pools. Zones in node selectors of machines are
   * checked.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-ENTRY`, `TC-KUBEVIRT-INFRA-ZONE`, `TC-TRAP-KUBEVIRT-HOST-SPREAD`.
   *
   * @default - not known: one of two hosts may be lost, and machines are spread where it is possible
   */
  readonly hosts?: InfraHosts;

  /**
   * Memory that one host has for pods, by `status.allocatable` of its Node; that of the smallest. Tenants of the app should fit while one host
   * is away (`TC-ISOLATION-ONE-HOST-LESS`).
   *
   * @default - not known, and not checked
   */
  readonly hostMemory?: Size;

  /**
   * Program that lets virtual machines and volumes of a lost host go. Without it, tenants that should survive the loss of a host give a warning
   * (`TC-BLUEPRINT-HOST-LOSS`).
   *
   * @default - not known
   */
  readonly fencing?: HostFencing;

  /**
   * StorageClasses that disks of machines, and volumes of tenants, may have (`TC-KUBEVIRT-INFRA-CLASS`).
   *
   * @default - not known
   */
  readonly storageClasses?: InfraStorageClass[];

  /**
   * Instance types for the whole cluster. Those of a tenant's own namespace are not checked.
   *
   * Rule: `TC-KUBEVIRT-INFRA-INSTANCE-TYPE`.
   *
   * @default - not known
   */
  readonly instanceTypes?: InfraInstanceType[];

  /**
   * Names of the preferences for the whole cluster, `VirtualMachineClusterPreference`. Those of a tenant's own namespace are not checked.
   *
   * Rule: `TC-KUBEVIRT-INFRA-PREFERENCE`.
   *
   * @default - not known
   */
  readonly preferences?: string[];

  /**
   * NetworkAttachmentDefinitions that tenants may use, as `namespace/name`. Others of a tenant's own namespace are not checked, unless one
   * of another namespace has the same name and is meant more likely.
   *
   * Rule: `TC-KUBEVIRT-INFRA-NETWORK`.
   *
   * @default - not known
   */
  readonly networks?: string[];

  /**
   * Resource names of GPUs and other host devices, as in `permittedHostDevices` of the KubeVirt object, e.g.
   * `nvidia.com/AD102GL_L40S` (`TC-KUBEVIRT-INFRA-DEVICE`).
   *
   * @default - not known
   */
  readonly deviceNames?: string[];

  /**
   * Feature gates of KubeVirt that are on: those that the KubeVirt object lists, and those that its release has on without
   * (`TC-KUBEVIRT-INFRA-FEATURE-GATE`).
   *
   * @default - not known
   */
  readonly kubevirtFeatureGates?: string[];

  /**
   * Sizing of the pods of machines by KubeVirt, for the arithmetic of quotas where the tenant's isolation does not set it.
   *
   * Rule: `TC-ISOLATION-SIZING`.
   *
   * @default - KubeVirt's own defaults
   */
  readonly kubevirtSizing?: KubevirtPodSizing;

  /**
   * Names of the PriorityClasses. Kubernetes' own are always there.
   *
   * Rules: `TC-KUBEVIRT-INFRA-PRIORITY-CLASS`, `TC-CONTROLLER-PRIORITY-CLASS`.
   *
   * @default - not known
   */
  readonly priorityClasses?: string[];

  /**
   * Ranges that pods of the cluster have their addresses from. Guests reach them through their own network, so that no tenant may use
   * them; network policies of an isolation keep machines out of them.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-CIDR`, `TC-NETWORK-OVERLAP`.
   *
   * @default - not known
   */
  readonly podCidrs?: string[];

  /**
   * Ranges of the cluster's Services, handled like those of its pods.
   *
   * @default - not known
   */
  readonly serviceCidrs?: string[];

  /**
   * Ranges of the cluster's nodes, handled like those of its pods.
   *
   * @default - not known
   */
  readonly nodeCidrs?: string[];
}

/** All ranges of a cluster. */
export function rangesOf({ podCidrs = [], serviceCidrs = [], nodeCidrs = [] }: InfraClusterCapabilities): string[] {
  return [...podCidrs, ...serviceCidrs, ...nodeCidrs];
}

/** One combination in which a StorageClass makes volumes: an entry of `claimPropertySets` in its `StorageProfile`. */
export interface ClaimPropertySet {
  /**
   * Access modes, at least one. Live migration needs `ReadWriteMany` among them.
   *
   * Rule: `TC-MANAGEMENT-CAPABILITIES-ENTRY`.
   */
  readonly accessModes: PersistentVolumeAccessMode[];

  /**
   * Form of the volumes: block devices or file systems.
   *
   * @default PersistentVolumeMode.FILE_SYSTEM
   */
  readonly volumeMode?: PersistentVolumeMode;
}

/** A StorageClass of a cluster that runs machines. */
export interface InfraStorageClass {
  /**
   * Name of the StorageClass, once in the list.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-ENTRY`, `TC-MANAGEMENT-CAPABILITIES-TWICE`.
   */
  readonly name: string;

  /**
   * True if claims get it that name no class: annotation `storageclass.kubernetes.io/is-default-class`. One class of a cluster at most
   * (`TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS`).
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * True if disks of virtual machines get it that name no class, in place of the default: annotation
   * `storageclass.kubevirt.io/is-default-virt-class`. One class of a cluster at most (`TC-MANAGEMENT-CAPABILITIES-DEFAULT-CLASS`).
   *
   * @default false
   */
  readonly isDefaultForMachines?: boolean;

  /**
   * Access modes and volume modes of the class, in the order of `status.claimPropertySets` of its `StorageProfile`: a disk without settings gets
   * the first (kubevirt/containerized-data-importer pkg/controller/datavolume/util.go).
   *
   * @default - not known: neither access modes nor volume modes are checked
   */
  readonly claimPropertySets?: ClaimPropertySet[];

  /**
   * True if volumes can grow: `allowVolumeExpansion` of the StorageClass.
   *
   * @default - not known, and not checked
   */
  readonly allowVolumeExpansion?: boolean;

  /**
   * Names of the VolumeSnapshotClasses that make snapshots of its volumes: those of the same driver. None where the list is empty.
   *
   * @default - not known, and not checked
   */
  readonly snapshotClasses?: string[];

  /**
   * True if a volume can be used on one host only, as local disks. A pod of the tenant could not follow its volume, since KubeVirt's
   * storage driver knows no topology (kubevirt/csi-driver issue 66).
   *
   * @default false
   */
  readonly local?: boolean;
}
