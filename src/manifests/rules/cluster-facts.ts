import { Effect } from './changes/effects';
import { Setting } from './tenant-charts';
import { ContainerLoad } from '../objects/container-load';
import { ManifestObject } from '../objects/manifest-object';
import { Amounts } from '../values/quantity';

/** Devices of a machine that are alike, such as graphics cards. */
export interface MachineDevices {
  /** Name of the resource, e.g. `nvidia.com/gpu`. */
  readonly name: string;
  readonly count: number;
}

/** The size of a machine, as far as manifests state it. */
export interface MachineSize {
  /** Name of the size at the infrastructure: an instance type, a plan. */
  readonly instanceType?: string;

  /** Processors that the machine sees. */
  readonly cpu?: number;

  /** In bytes. */
  readonly memory?: number;

  /** None is an empty list; undefined is not known. */
  readonly gpus?: readonly MachineDevices[];
}

/** Statements of an object of a control plane. */
export interface ControlPlaneFacts {
  /** Host or address of the API server, if it is known before the control plane runs. */
  readonly endpoint?: string;

  /** Name of the data store. */
  readonly dataStore?: string;

  /** Way to the API server: the type of its Service, or a route before it. */
  readonly exposure?: string;

  /** Parts that it installs in the tenant itself. */
  readonly addons?: readonly string[];

  /** Its part in the networks of its cluster. */
  readonly network?: ControlPlaneNetwork;

  /** Annotation of the object that makes its controller leave it alone, beside that of Cluster API. */
  readonly pausedBy?: string;
}

/** The Secret with the keys of a control plane for tokens of ServiceAccounts. */
export interface ServiceAccountSecret {
  /** Its name in the namespace of the control plane. */
  readonly name: string;

  /** Field with the public keys that tokens are verified with, in PEM. */
  readonly publicKeys: string;

  /** Field with the private key that signs, in PEM. */
  readonly privateKey: string;

  /** True if the pods of the control plane are replaced when it changes. Otherwise new machines alone read it. */
  readonly restarts: boolean;
}

/** The Secret that API servers have their configuration of encryption at rest from. */
export interface EncryptionFile {
  /** Its name in the namespace of the control plane. */
  readonly secret: string;

  /** True if API servers read it again when it changes. Otherwise they read it when they start. */
  readonly reloads: boolean;
}

/** Part of a control plane in the networks of its cluster. */
export interface ControlPlaneNetwork {
  /** True if it installs kube-proxy; undefined if that is not known. */
  readonly kubeProxy?: boolean;

  /** True if it installs a DNS server. */
  readonly dns?: boolean;

  /** Addresses at which kubelets look for the DNS server. */
  readonly dnsAddresses?: readonly string[];

  /** Ranges in place of those of the Cluster. */
  readonly podCidrs?: readonly string[];
  readonly serviceCidrs?: readonly string[];

  /** Ranges where nothing states one; undefined if there is none then. */
  readonly usualPodCidr?: string;
  readonly usualServiceCidr?: string;

  /** Sources that its load balancer accepts; undefined if it accepts any. */
  readonly sourceRanges?: Setting<readonly string[]>;

  /** Prefix length of the range of pods of each node, by address family. */
  readonly nodePrefixLengths?: Readonly<Record<string, number>>;
}

/** CPUs and memory of a machine, as quantities. */
export interface StatedSize {
  readonly cpu: string;
  readonly memory: string;
}

/** Ratios between a machine and its pod. */
export interface PodSizing {
  readonly cpuAllocationRatio?: number;
  readonly memoryOvercommit?: number;
  readonly memoryLimitsRatio?: number;
}

/** Everything beside its template that decides over the pod of a machine. */
export interface MachineSurroundings {
  /** Sizes of instance types of the cluster that runs the machine, by their names. */
  readonly instanceTypes: ReadonlyMap<string, StatedSize>;

  /** Configuration of the system that makes the pod. */
  readonly sizing: PodSizing;

  /** True where a quota makes the infrastructure set limits. */
  readonly limited: { readonly cpu: boolean; readonly memory: boolean };

  /** Annotations of the pool. */
  readonly annotations: Readonly<Record<string, unknown>>;

  /** The size that the strategy of the machine has stated. */
  readonly stated?: StatedSize;

  /**
   * The name of the cluster that the machine is of.
   *
   * @default - not known
   */
  readonly cluster?: string;
}

/** Criteria by which the scheduler chooses the host of a pod. */
export interface PodScheduling {
  /** Labels of the pod that selectors of other pods may ask for. */
  readonly labels: Readonly<Record<string, unknown>>;

  /** Fields of the pod, under their names: `nodeSelector`, `affinity`, `tolerations`, `topologySpreadConstraints`. */
  readonly fields: unknown;

  /** Labels that the system itself puts on hosts that can run the pod, and asks for. */
  readonly hostLabels?: Readonly<Record<string, string>>;
}

/** The pod that a machine is in the cluster that runs it. */
export interface MachinePod {
  readonly containers: readonly ContainerLoad[];

  /** Containers that the infrastructure puts beside the guest by its defaults, and can be told to leave out. */
  readonly sidecars?: readonly ContainerLoad[];

  /**
   * Criteria by which its host is chosen.
   *
   * @default - not known
   */
  readonly scheduling?: PodScheduling;

  /** Amounts that a quota counts beside the pod and its containers, such as volumes. */
  readonly besides: Amounts;

  /** Amounts that a quota counts for a time while the machine starts, such as volumes for importers. */
  readonly meanwhile?: Amounts;
  readonly machine: { readonly cpus: bigint; readonly ephemeralDisk: boolean };
}

/** The pods of a hosted control plane. */
export interface ControlPlanePods {
  readonly replicas?: number;

  /** Strategy of their Deployment, as it is written. */
  readonly strategy?: unknown;

  /**
   * Criteria by which their hosts are chosen.
   *
   * @default - not known
   */
  readonly scheduling?: PodScheduling;
  readonly containers: readonly ContainerLoad[];
  readonly initContainers: readonly ContainerLoad[];

  /** TCP ports beside that of the API server, each with the name of what listens there. */
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

/** A Service, as far as quotas count it. */
export interface PublishedService {
  readonly type?: string;
  readonly ports: number;
}

/** Fields of a MachinePool and of its bootstrap configuration: the version, the name of the configuration, its content, the failure domains. */
export type MachinePoolField = 'version' | 'bootstrap' | 'bootstrapContent' | 'failureDomains';

/** Effects of an infrastructure on the machines of a MachinePool. Its object is the one to which `infrastructureRef` of the MachinePool refers. */
export interface MachinePoolFacts {
  /**
   * Tells the effect when a field of the MachinePool changes, and what else the plan says of it; undefined if it is not known.
   *
   * @param field the field
   * @param infrastructure the object of the infrastructure, as it is then
   */
  readonly effectOf: (field: MachinePoolField, infrastructure: ManifestObject) => { readonly effect: Effect; readonly says?: string } | undefined;

  /**
   * Number of machines that are replaced at a time; undefined if it is not known.
   *
   * @param infrastructure the object of the infrastructure, as it is then
   * @param size how many machines there are
   */
  readonly atATime: (infrastructure: ManifestObject, size: number) => number | undefined;
}
