import { AlertsOf } from './alerts/alert';
import { Metric } from './alerts/metrics';
import { SystemAnnotations } from './annotation-facts';
import { ConsequencesOf } from './changes/consequences';
import { EffectsOf } from './changes/effects';
import { TransitionRule } from './changes/transition-rule';
import { ChartRule } from './chart-rule';
import { ClusterPartFacts } from './cluster-part-facts';
import { ComponentFacts } from './components';
import { DeliveryFacts, DeliveryLoad, DeliverySources } from './delivery-facts';
import { ControllerField, FieldManager } from './field-managers';
import { ImageFacts } from './image-facts';
import { MadeSecret } from './made-secrets';
import { ManifestIndex } from './manifest-index';
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
export interface Provider extends ClusterPartFacts {
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
   * Drivers of storage that make no volume of files for several nodes: their names, or what their names end in after a dot.
   *
   * @default - none
   */
  readonly oneNodeDrivers?: readonly string[];

  /**
   * Places of claims for volumes, by kind of the object, each in the form of a PersistentVolumeClaim's spec.
   *
   * @default - none
   */
  readonly volumeClaims?: Readonly<Record<string, (object: ManifestObject) => readonly FieldPath[]>>;

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
   * Properties of pages by the fields that they are written to, by kind.
   *
   * @default - not known
   */
  readonly pageProperties?: Readonly<Record<string, PageProperties>>;

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
   * True of texts that it replaces before it applies an object, such as placeholders for secret values.
   *
   * @default - it applies texts as they are
   */
  readonly replacesText?: (object: ManifestObject, text: string) => boolean;

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
