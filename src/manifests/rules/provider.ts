import { AddressPoolsOf, AddressUsesOf } from './address-pools';
import { AlertsOf } from './alerts/alert';
import { Metric } from './alerts/metrics';
import { SystemAnnotations } from './annotation-facts';
import { AuthorityFacts } from './changes/authority-changes';
import { ConsequencesOf } from './changes/consequences';
import { EffectsOf } from './changes/effects';
import { TransitionRule } from './changes/transition-rule';
import { ChartRule } from './chart-rule';
import {
  ControlPlaneFacts, ControlPlanePods, EncryptionFile, MachinePod, MachinePoolFacts, MachineSize, MachineSurroundings, PodSizing, PublishedService,
  ServiceAccountSecret,
} from './cluster-facts';
import { ComponentFacts } from './components';
import { DeliveryFacts, DeliveryLoad, DeliverySources } from './delivery-facts';
import { ControllerField, FieldManager } from './field-managers';
import { ImageFacts } from './image-facts';
import { MachineHostFacts } from './machine-hosts';
import { MadeSecret } from './made-secrets';
import { ManifestIndex, TargetCluster } from './manifest-index';
import { ManifestRule } from './manifest-rule';
import { MoveFactsOf } from './move-facts';
import { PageParts } from './page-parts';
import { RepositoryFiles } from './repository-files';
import { ResourcePowers } from './resource-powers';
import { StoredForm } from './stored-form';
import { DnsFacts, PodNetworkFacts, Setting } from './tenant-charts';
import { KnownKind } from '../objects/known-kinds';
import { ManifestObject } from '../objects/manifest-object';
import { PageProperties } from '../values/field-sources';
import { FieldPath } from '../values/fields';

/** Knowledge about one system: a provider of Cluster API, or a tool that delivers. General code asks for it by kind. */
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
   * Labels and annotations that its controllers read, on objects of any kind.
   *
   * @default - none
   */
  readonly annotations?: SystemAnnotations;

  /**
   * Rules over its objects.
   *
   * @default - none
   */
  readonly rules?: readonly ManifestRule[];

  /**
   * Rules over values of charts that are installed beside its objects.
   *
   * @default - none
   */
  readonly chartRules?: readonly ChartRule[];

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
   * Pod networks that it is.
   *
   * @default - none
   */
  readonly podNetworks?: readonly PodNetworkFacts[];

  /**
   * Addresses of the DNS server that the kubelets of machines are told, by the kind of the object with the configuration of machines.
   *
   * @default - kubelets have those of the control plane
   */
  readonly nodeDns?: Readonly<Record<string, (object: ManifestObject) => readonly Setting<string>[]>>;

  /**
   * True if kubelets of machines wait for a cloud controller manager, by the kind of the object with the configuration of machines.
   *
   * @default - it is not known
   */
  readonly awaitsCloudController?: Readonly<Record<string, (object: ManifestObject) => boolean>>;

  /**
   * Charts of DNS servers.
   *
   * @default - none
   */
  readonly dnsServers?: readonly DnsFacts[];

  /**
   * Its components of a management cluster, whose versions manifests state.
   *
   * @default - none
   */
  readonly components?: readonly ComponentFacts[];

  /**
   * Effects of a changed object, by kind.
   *
   * @default - it cannot be told
   */
  readonly effects?: Readonly<Record<string, EffectsOf>>;

  /**
   * Consequences of an object that changes or goes: losses, outages and what workloads notice, by kind.
   *
   * @default - a control plane that goes takes all objects in its API server along
   */
  readonly consequences?: Readonly<Record<string, ConsequencesOf>>;

  /**
   * The form in which servers store its kinds, by kind.
   *
   * @default - as they are written, with the defaults of their definitions
   */
  readonly storedForms?: Readonly<Record<string, StoredForm>>;

  /**
   * Effects on the machines of MachinePools, by the kind of the object of the infrastructure.
   *
   * @default - it cannot be told
   */
  readonly machinePools?: Readonly<Record<string, MachinePoolFacts>>;

  /**
   * Words for fields of its templates in the reasons for replaced machines, by the kind of the template: path below `spec` to the
   * name of the property, such as `cpu`.
   *
   * @default - their paths
   */
  readonly templateWords?: Readonly<Record<string, Readonly<Record<string, string>>>>;

  /**
   * Properties of pages by the fields that they are written to, by kind.
   *
   * @default - not known
   */
  readonly pageProperties?: Readonly<Record<string, PageProperties>>;

  /**
   * The size of a machine that is made from a template, by the kind of the template.
   *
   * @default - not known
   */
  readonly machineSizes?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => MachineSize>>;

  /**
   * The disks that machines have and take along when they go, in words, by the kind of their template.
   *
   * @default - not known
   */
  readonly machineDisks?: Readonly<Record<string, (template: ManifestObject) => readonly string[]>>;

  /**
   * Facts that control planes state, by their kind.
   *
   * @default - nothing beyond the contract of Cluster API
   */
  readonly controlPlanes?: Readonly<Record<string, (controlPlane: ManifestObject) => ControlPlaneFacts>>;

  /**
   * The Secrets with certificate authorities and keys, by the kind of the control plane.
   *
   * @default - not known
   */
  readonly authorities?: Readonly<Record<string, AuthorityFacts>>;

  /**
   * The Secret with the keys for tokens of ServiceAccounts, by the kind of the control plane; undefined where its name depends on an object
   * that is not among the manifests.
   *
   * @default - not known
   */
  readonly serviceAccountKeys?: Readonly<Record<string, (controlPlane: ManifestObject, index: ManifestIndex) => ServiceAccountSecret | undefined>>;

  /**
   * The Secret with the API server's configuration of encryption at rest, by the kind of the control plane; undefined without one.
   *
   * @default - not known
   */
  readonly encryptionFiles?: Readonly<Record<string, (controlPlane: ManifestObject) => EncryptionFile | undefined>>;

  /**
   * The pods that machines are in the management cluster, by the kind of their template. The template is the object that will be written.
   *
   * @default - its machines are no pods
   */
  readonly machinePods?: Readonly<Record<string, (template: ManifestObject, surroundings: MachineSurroundings) => MachinePod>>;

  /**
   * Machines that no pool makes, by their kind: true if one runs, or can be started without a change of its manifest. `machinePods` and
   * `machineSizes` read them, too.
   *
   * @default - all machines are made by pools and control planes
   */
  readonly singleMachines?: Readonly<Record<string, (object: ManifestObject) => boolean>>;

  /**
   * Hosts that machines are made on, which are objects in the namespace of the machines, by the kind of the template.
   *
   * @default - its machines are made on no such hosts
   */
  readonly machineHosts?: Readonly<Record<string, MachineHostFacts>>;

  /**
   * Kinds of further objects that make machines which are pods, and whose number or size is not read.
   *
   * @default - none
   */
  readonly machineSets?: readonly string[];

  /**
   * The ratios between machines and their pods that its configuration among the objects states; undefined if it is not among them.
   *
   * @default - none
   */
  readonly podSizing?: (index: ManifestIndex) => PodSizing | undefined;

  /**
   * True if the machines of a template are made in another cluster than the one that has the template, by the kind of the template.
   *
   * @default - they are made in the same cluster, or none of its machines are pods
   */
  readonly machinesElsewhere?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => boolean>>;

  /**
   * Templates with everything that their instance types add, such as devices, by the kind of the template. An instance type that is not among
   * the manifests adds nothing.
   *
   * @default - instance types add nothing but CPUs and memory
   */
  readonly templatesWithTypes?: Readonly<Record<string, (template: ManifestObject, index: ManifestIndex) => ManifestObject>>;

  /**
   * Machines that keep their connection to the pod network of the management cluster when they move to another host, by kind: the field that
   * has them move; undefined of others.
   *
   * @default - its machines do not move
   */
  readonly movingMachines?: Readonly<Record<string, (object: ManifestObject, index: ManifestIndex) => FieldPath | undefined>>;

  /**
   * Pools of addresses that objects are, or that a controller makes of them, by their kind.
   *
   * @default - none
   */
  readonly addressPools?: Readonly<Record<string, AddressPoolsOf>>;

  /**
   * The pools that machines take addresses from, by the kind of their template.
   *
   * @default - none
   */
  readonly addressUses?: Readonly<Record<string, AddressUsesOf>>;

  /**
   * Annotations that Services of type LoadBalancer of a tenant may bring into its management cluster; undefined where none are refused.
   *
   * @default - Services bring none, or all are accepted
   */
  readonly acceptedAnnotations?: (tenant: TargetCluster) => readonly string[] | undefined;

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
   * The objects that a controller makes of an object, and files of its repository, by its kind; undefined where that depends on more.
   *
   * @default - none
   */
  readonly makes?: Readonly<Record<string, (object: ManifestObject, files?: RepositoryFiles) => readonly ManifestObject[] | undefined>>;

  /**
   * Secrets that a controller makes in the namespace of an object, by its kind: their names, and the keys that each has.
   *
   * @default - the kubeconfig that each control plane of Cluster API makes
   */
  readonly secrets?: Readonly<Record<string, (object: ManifestObject) => Readonly<Record<string, readonly string[]>>>>;

  /**
   * Secrets that a controller makes of an object, in its namespace, beside those that `secrets` has the keys of, by its kind.
   *
   * @default - none
   */
  readonly makesSecrets?: Readonly<Record<string, (object: ManifestObject) => readonly MadeSecret[]>>;

  /**
   * The move of a cluster to another management cluster, by the kinds of its objects.
   *
   * @default - `clusterctl move` takes its objects, by the contract of Cluster API
   */
  readonly moves?: Readonly<Record<string, MoveFactsOf>>;

  /**
   * Its programs, by the names with which they stand in managed fields.
   *
   * @default - not known
   */
  readonly managers?: readonly FieldManager[];

  /**
   * Fields that its controllers write on objects which others apply, by kind; `*` is every kind.
   *
   * @default - not known
   */
  readonly controllerFields?: Readonly<Record<string, readonly ControllerField[]>>;

  /**
   * Its kinds that deliver manifests and charts.
   *
   * @default - none
   */
  readonly deliveries?: readonly DeliveryFacts[];

  /**
   * Load of its controllers for its deliveries.
   *
   * @default - not known
   */
  readonly load?: (index: ManifestIndex) => DeliveryLoad;

  /**
   * Alerts for its objects, by their kind.
   *
   * @default - none
   */
  readonly alerts?: Readonly<Record<string, AlertsOf>>;

  /**
   * Metrics that its alerts read.
   *
   * @default - none
   */
  readonly metrics?: readonly Metric[];

  /**
   * Images and charts of its objects, by their kind.
   *
   * @default - images of pods, at the path that is usual
   */
  readonly images?: Readonly<Record<string, ImageFacts>>;

  /**
   * Sources of objects that are not among the manifests, and that may name images, by their kind: words that come after the name of
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

  /**
   * The classes of the library that make its objects, for pages that are written from manifests.
   *
   * @default - the classes for objects of any kind
   */
  readonly pageParts?: PageParts;
}
