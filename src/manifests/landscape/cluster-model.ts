import { MachineSize } from '../rules/cluster-facts';
import { DeliveryLoad } from '../rules/delivery-facts';

/** A number of machines: from the smaller to the larger one. */
export interface MachineCount {
  readonly minimum: number;
  readonly maximum: number;
}

/** A machine, as far as manifests state it. */
export interface Machine extends MachineSize {
  /** Kind of the template, without `Template`, e.g. `KubevirtMachine`. */
  readonly kind: string;
}

/** Machines that are alike. */
export interface Pool {
  readonly name: string;

  /** `MachineDeployment` or `MachinePool`. */
  readonly kind: string;

  /** True if Cluster API makes its objects from the topology of the Cluster. */
  readonly fromTopology: boolean;

  /** Kubernetes version, as servers store it. */
  readonly version?: string;
  readonly size?: MachineCount;

  /** True if the size is between two bounds of the autoscaler. */
  readonly autoscaled: boolean;

  /** True if an annotation of its object pauses it. */
  readonly paused: boolean;
  readonly machine?: Machine;

  /** Labels of the nodes. */
  readonly labels: ReadonlyMap<string, string>;

  /** Taints of the nodes, as kubectl writes them. */
  readonly taints: readonly string[];
  readonly healthChecked: boolean;
}

/** Control plane. */
export interface ControlPlane {
  readonly kind: string;
  readonly name?: string;
  readonly replicas?: number;

  /** True if its replicas are written, and are no number, as a variable is none. */
  readonly hasUnknownReplicas?: true;
  readonly dataStore?: string;

  /** Way to the API server: the type of its Service, or a route before it. */
  readonly exposure?: string;

  /** Parts that it installs in the cluster itself. */
  readonly addons?: readonly string[];

  /** True if an annotation of its object pauses it. */
  readonly paused: boolean;

  /** The annotation, unless it is that of Cluster API. */
  readonly pausedBy?: string;

  /** Its machines; undefined if it has none, or they are not known. */
  readonly machine?: Machine;
}

/** An object by its kind and name. */
export interface NamedObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Purpose of a controller. */
export enum ControllerRole {
  CLOUD_CONTROLLER_MANAGER = 'cloud-controller-manager',
  CSI_DRIVER = 'csi-driver',
  AUTOSCALER = 'autoscaler',
  OTHER = 'other',
}

/** A program that runs beside the control plane, for one cluster. */
export interface Controller extends NamedObject {
  readonly role: ControllerRole;

  /** The image that its role follows from, or its first one. */
  readonly image?: string;
}

/** Cluster in which an addon runs. */
export enum AddonPlace {
  TENANT = 'tenant',
  MANAGEMENT = 'management',
}

/** Something that is delivered. */
export interface Addon extends NamedObject {
  /** Stands for it among all objects. */
  readonly id: string;

  /** The folder or file of the management cluster, if the manifests are for several. */
  readonly managementCluster?: string;
  readonly runsIn: AddonPlace;

  readonly chart?: string;
  readonly version?: string;

  /** Namespace that it is installed into. */
  readonly targetNamespace?: string;

  /** Folder of a source whose manifests it is. */
  readonly path?: string;

  /** Ids of what it waits for, among all objects. */
  readonly after: readonly string[];

  /** Argo CD's order. */
  readonly wave?: number;
  readonly suspended: boolean;

  /** Kinds of the manifests in it, as far as they were read, each as often as it is there. */
  readonly contents: ReadonlyMap<string, number>;
}

/** The state of a cluster, by its manifests. */
export enum ClusterState {
  /** There is a Cluster, or a control plane that is one by itself. */
  DECLARED = 'declared',

  /** Cluster API leaves it alone: `spec.paused`. */
  PAUSED = 'paused',

  /** An annotation pauses the Cluster object alone: its topology and its deletion wait, and its control plane, pools and machines do not. */
  OBJECT_PAUSED = 'object paused',

  /** It is being deleted: the Cluster has a `deletionTimestamp`. */
  DELETING = 'deleting',

  /** There is no Cluster and nothing that Cluster API deletes with it, but other objects of it. */
  DECOMMISSION = 'decommission',

  /** There is no Cluster, but pools, a control plane, or infrastructure of it. */
  INCOMPLETE = 'incomplete',
}

/** A cluster with its parts. */
export interface Cluster {
  /** `namespace/name`, or the name alone, after the management cluster if there are several. */
  readonly id: string;

  /** The folder or file of the management cluster, if the manifests are for several. */
  readonly managementCluster?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly state: ClusterState;

  /** Kubernetes version, as servers store it. */
  readonly version?: string;

  /** Labels of the Cluster; none if there is no Cluster. */
  readonly labels: ReadonlyMap<string, string>;

  /** ClusterClass that it is made from. */
  readonly clusterClass?: string;
  readonly controlPlane?: ControlPlane;
  readonly infrastructure?: { readonly kind: string; readonly name?: string };
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];

  /** Host of the API server, and port if it is stated. */
  readonly endpoint?: string;
  readonly pools: readonly Pool[];
  readonly controllers: readonly Controller[];
  readonly addons: readonly Addon[];

  /** Objects that make a GitOps tool apply the objects of the cluster. */
  readonly entries: readonly Addon[];
}

/** A pool of addresses for machines. */
export interface AddressPool {
  readonly managementCluster?: string;
  readonly kind: string;

  /** Its namespace; undefined if machines of all namespaces use it. */
  readonly namespace?: string;
  readonly name: string;

  /** Number of addresses that machines can get; undefined if it cannot be read. */
  readonly addresses?: bigint;

  /** Number of addresses that machines take at their smallest and largest number, the second one with those of rollouts. */
  readonly taken: MachineCount;

  /** Names of the groups of machines that take them, sorted. */
  readonly machines: readonly string[];
}

/** The clusters in manifests, in an order that does not depend on that of the files. */
export interface Landscape {
  readonly clusters: readonly Cluster[];

  /** Deliveries into the management cluster itself, or into an unknown cluster. */
  readonly otherAddons: readonly Addon[];

  /** Pools of addresses for machines, sorted. */
  readonly addressPools: readonly AddressPool[];

  /** Loads of the systems that deliver, as long as nothing changes. */
  readonly loads: readonly SystemLoad[];
}

/** The load of a system that delivers as long as nothing changes. */
export interface SystemLoad extends DeliveryLoad {
  readonly managementCluster?: string;

  /** The name of the system. */
  readonly system: string;
}
