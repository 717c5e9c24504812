import { EffectsOf } from './changes/effects';
import { TransitionRule } from './changes/transition-rule';
import { ImageFacts } from './image-facts';
import { ManifestIndex } from './manifest-index';
import { ManifestRule } from './manifest-rule';
import { ContainerLoad } from '../objects/container-load';
import { KnownKind } from '../objects/known-kinds';
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

/** What an object of a control plane states. */
export interface ControlPlaneFacts {
  /** Host or address of the API server, if it is known before the control plane runs. */
  readonly endpoint?: string;

  /** Name of the data store. */
  readonly dataStore?: string;
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

/** What decides over the pod of a machine beside its template. */
export interface MachineSurroundings {
  /** Sizes of instance types of the cluster that runs the machine, by their names. */
  readonly instanceTypes: ReadonlyMap<string, StatedSize>;

  /** Configuration of the system that makes the pod. */
  readonly sizing: PodSizing;

  /** Whether a quota makes the infrastructure set limits. */
  readonly limited: { readonly cpu: boolean; readonly memory: boolean };

  /** Annotations of the pool. */
  readonly annotations: Readonly<Record<string, unknown>>;

  /** The size that the strategy of the machine has stated. */
  readonly stated?: StatedSize;
}

/** The pod that a machine is in the cluster that runs it. */
export interface MachinePod {
  readonly containers: readonly ContainerLoad[];

  /** What a quota counts beside the pod and its containers, such as volumes. */
  readonly besides: Amounts;
  readonly machine: { readonly cpus: bigint; readonly ephemeralDisk: boolean };
}

/** The pods of a hosted control plane. */
export interface ControlPlanePods {
  readonly replicas?: number;

  /** Strategy of their Deployment, as it is written. */
  readonly strategy?: unknown;
  readonly containers: readonly ContainerLoad[];
  readonly initContainers: readonly ContainerLoad[];

  /** TCP ports beside that of the API server, each with the name of what listens there. */
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

/** How a delivery names the cluster that it is for. */
export type ClusterTarget =
  // By labels of Clusters in its namespace.
  | { readonly by: 'selector'; readonly selector: unknown; readonly emptySelectsNone: boolean }
  // By the name of a Cluster in its namespace, unless a label of the delivery names one.
  | { readonly by: 'name'; readonly name?: string }
  // By the address of the API server, or the name under which a controller has registered the cluster.
  | { readonly by: 'registration'; readonly server?: string; readonly name?: string };

/** What an object delivers. */
export interface Delivery {
  /** The chart; none where it may be one of several. */
  readonly chart?: string;
  readonly version?: string;

  /** Namespace that it is installed into. */
  readonly targetNamespace?: string;

  /** Folder of a source whose manifests it is. */
  readonly path?: string;

  /** Objects of its kind that it waits for. */
  readonly after?: readonly { readonly namespace?: string; readonly name?: string }[];
  readonly suspended?: boolean;
}

/** What is known of the sources of a delivery. */
export interface DeliverySources {
  /** True if the values of one of its charts are known. */
  readonly hasValues: boolean;

  /** Whether a ConfigMap of its namespace holds no values. */
  readonly isEmptyConfigMap: (name: string | undefined) => boolean;
}

/** A folder of a repository that an object applies. */
export interface DeliveredFolder {
  /** Its path in the repository; empty for the whole repository. */
  readonly path: string;

  /** Stands for the repository. */
  readonly source?: string;

  /** True if folders below it are not applied, unless a kustomization lists them. */
  readonly flat?: boolean;
}

/** What the library knows of a kind whose objects deliver manifests or charts. */
export interface DeliveryFacts {
  /** `group/Kind`. */
  readonly kind: string;

  /**
   * Whether each of its objects installs a chart, or may do so.
   *
   * @default - none does
   */
  readonly installsChart?: 'always' | 'maybe';

  /** Whether an object delivers into another cluster than the one that it is in. */
  readonly isForTenant: (object: ManifestObject) => boolean;

  /** How an object names the cluster that it is for. */
  readonly target: (object: ManifestObject) => ClusterTarget;

  /**
   * What an object delivers.
   *
   * @default - nothing that it states itself
   */
  readonly read?: (object: ManifestObject, index: ManifestIndex) => Delivery;

  /**
   * Folders of a repository whose manifests an object applies.
   *
   * @default - none
   */
  readonly folders?: (object: ManifestObject) => readonly DeliveredFolder[];

  /**
   * ConfigMaps and Secrets of its namespace whose content an object applies.
   *
   * @default - none
   */
  readonly packs?: (object: ManifestObject) => readonly { readonly kind?: unknown; readonly name?: string }[];

  /**
   * ConfigMaps and Secrets of its namespace that an object takes values from.
   *
   * @default - none
   */
  readonly values?: (object: ManifestObject) => readonly { readonly kind?: string; readonly name?: string }[];

  /**
   * Whether an object applies each pack once, and none of its later changes.
   *
   * @default - it applies changes too
   */
  readonly appliesOnce?: (object: ManifestObject) => boolean;

  /**
   * Whether what an object delivered stays where it is when it delivers that no longer. `after` is the object as it is then; it is undefined
   * where it is removed itself.
   *
   * @default - it is removed
   */
  readonly keepsRemoved?: (object: ManifestObject, after?: ManifestObject) => boolean;

  /**
   * What becomes of manifests that an object delivers before they are applied; undefined where they stay as they are.
   *
   * @default - they stay as they are
   */
  readonly rewrites?: (object: ManifestObject, index: ManifestIndex) => ((manifest: ManifestObject) => ManifestObject) | undefined;
}

/** A Service, as far as quotas count it. */
export interface PublishedService {
  readonly type?: string;
  readonly ports: number;
}

/** Resources, as `resources.group`, whose writers get more than these resources. */
export interface ResourcePowers {
  /** Resources that a controller makes pods from, with containers or volumes that the writer chooses. */
  readonly pods?: readonly string[];

  /** Resources that a controller makes virtual machines from, with labels that the writer chooses. */
  readonly machines?: readonly string[];

  /** Resources by which a controller applies what the writer names, with its own rights. */
  readonly controllers?: readonly string[];
}

/** What the library knows of one system: a provider of Cluster API, or a tool that delivers. General code asks for it by kind. */
export interface Provider {
  /** Name of its folder, and of the page of its rules. */
  readonly name: string;

  /** Heading of the page of its rules. */
  readonly title: string;

  /** Its kinds. */
  readonly kinds: readonly KnownKind[];

  /**
   * API groups all of whose kinds have a schema, and their kinds that have none: another kind in them is an error.
   *
   * @default - none: other projects may have kinds in its groups
   */
  readonly groups?: Readonly<Record<string, readonly string[]>>;

  /**
   * Namespaces of the management cluster that its components are in, with what is in them. They are no namespaces for tenants.
   *
   * @default - none
   */
  readonly namespaces?: Readonly<Record<string, string>>;

  /**
   * Rules over its objects.
   *
   * @default - none
   */
  readonly rules?: readonly ManifestRule[];

  /**
   * Rules about objects that its objects name, which are on the page of such rules.
   *
   * @default - none
   */
  readonly referenceRules?: readonly ManifestRule[];

  /**
   * Rules over changes of its objects.
   *
   * @default - none
   */
  readonly changes?: readonly TransitionRule[];

  /**
   * What its controllers do when an object changes, by kind.
   *
   * @default - it cannot be told
   */
  readonly effects?: Readonly<Record<string, EffectsOf>>;

  /**
   * What fields of its templates are called when machines are replaced because of them, by the kind of the template: path below `spec` to the
   * name of the property, such as `cpu`.
   *
   * @default - their paths
   */
  readonly templateWords?: Readonly<Record<string, Readonly<Record<string, string>>>>;

  /**
   * The size of a machine that is made from a template, by the kind of the template.
   *
   * @default - not known
   */
  readonly machineSizes?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => MachineSize>>;

  /**
   * What control planes state, by their kind.
   *
   * @default - nothing beyond the contract of Cluster API
   */
  readonly controlPlanes?: Readonly<Record<string, (controlPlane: ManifestObject) => ControlPlaneFacts>>;

  /**
   * The pods that machines are in the management cluster, by the kind of their template. The template is the object that will be written.
   *
   * @default - its machines are no pods
   */
  readonly machinePods?: Readonly<Record<string, (template: ManifestObject, surroundings: MachineSurroundings) => MachinePod>>;

  /**
   * The pods of control planes that are hosted in the management cluster, by their kind.
   *
   * @default - its control planes are no pods
   */
  readonly controlPlanePods?: Readonly<Record<string, (controlPlane: ManifestObject) => ControlPlanePods>>;

  /**
   * The Service of the API server that a controller makes of an object, by its kind; undefined where it makes none.
   *
   * @default - it makes none
   */
  readonly apiServerServices?: Readonly<Record<string, (object: ManifestObject) => PublishedService | undefined>>;

  /**
   * The objects that a controller makes of an object, by its kind; undefined where that depends on more than the object.
   *
   * @default - none
   */
  readonly makes?: Readonly<Record<string, (object: ManifestObject) => readonly ManifestObject[] | undefined>>;

  /**
   * Its kinds that deliver manifests and charts.
   *
   * @default - none
   */
  readonly deliveries?: readonly DeliveryFacts[];

  /**
   * Images and charts of its objects, by their kind.
   *
   * @default - images of pods, at the path that is usual
   */
  readonly images?: Readonly<Record<string, ImageFacts>>;

  /**
   * What objects take from places that are not among the manifests, and that may name images, by their kind: what comes after the name of
   * the object in a sentence.
   *
   * @default - nothing
   */
  readonly elsewhere?: Readonly<Record<string, (object: ManifestObject, sources: DeliverySources) => readonly string[]>>;

  /**
   * Objects that name an object of a kind in fields that Cluster API does not know, by that kind.
   *
   * @default - none do
   */
  readonly users?: Readonly<Record<string, (object: ManifestObject, index: ManifestIndex) => readonly ManifestObject[]>>;

  /**
   * Resources of the management cluster whose writers get more than these resources.
   *
   * @default - none
   */
  readonly powers?: ResourcePowers;
}
