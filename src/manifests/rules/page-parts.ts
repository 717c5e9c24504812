import { ManifestIndex } from './manifest-index';
import { PageCall, PageFields } from './page-expression';
import { ManifestObject } from '../objects/manifest-object';

/** The objects of a cluster that parts of a page are read from. */
export interface AdoptedCluster {
  readonly cluster: ManifestObject;
  readonly controlPlane: ManifestObject;
  readonly infrastructure: ManifestObject;

  /** The template of the machines of the control plane, as a page has it. */
  readonly controlPlaneMachine?: PageCall;

  /** The health check of the machines of the control plane, as a page has it. */
  readonly controlPlaneHealthCheck?: PageCall;

  /** The address of the API server that the infrastructure object states. */
  readonly endpoint?: PageFields;

  /**
   * True if the kubelets of all machines wait for a cloud controller manager.
   *
   * @default false
   */
  readonly awaitsCloudController?: boolean;

  /** All objects. */
  readonly index: ManifestIndex;
}

/** Further forms of an object that a part of a page is read from. */
export interface PartForms {
  /** The object as the server stores it. */
  readonly stored: ManifestObject;

  /**
   * The object that the class makes without options, as the server stores it: it has what other parts of the page add.
   *
   * @default - not known yet: the page is run with the class as it is read without it
   */
  readonly plain?: ManifestObject;
}

/** Reads an object as the class that makes it: undefined if the class cannot make such an object. What it leaves out becomes patches. */
export type PartOf = (object: ManifestObject, cluster: AdoptedCluster, forms: PartForms) => PageCall | undefined;

/** A bootstrap of a pool. */
export interface BootstrapPart {
  /**
   * The class with its options.
   *
   * @default - that of every pool
   */
  readonly bootstrap?: PageCall;

  /** Properties of the pool that the template shows: labels, taints, kubelet options. */
  readonly pool: PageFields;
}

/** Reads a bootstrap template as the class that makes it. What it leaves out becomes patches. */
export type BootstrapOf = (forms: PartForms) => BootstrapPart | undefined;

/** A chart that is delivered to a cluster. */
export interface AddonPart {
  /** Name of the addon. */
  readonly name: string;

  /** The class with its options. */
  readonly addon: PageCall;

  /** The object that delivers it. */
  readonly object: ManifestObject;
}

/** Charts that one tool delivers to a cluster. */
export interface DeliveryPart {
  /** The class of the delivery, with what most of the objects have in common. */
  readonly delivery: PageCall;
  readonly addons: readonly AddonPart[];
}

/** Reads the charts that a tool delivers to a cluster; undefined if it delivers none. */
export type DeliveryOf = (cluster: Pick<AdoptedCluster, 'cluster' | 'index'>) => DeliveryPart | undefined;

/** The classes that make the objects of a system, by the kind of the object as `group/Kind`. */
export interface PageParts {
  readonly controlPlanes?: Readonly<Record<string, PartOf>>;
  readonly infrastructures?: Readonly<Record<string, PartOf>>;

  /** By the kind of the template. */
  readonly machines?: Readonly<Record<string, PartOf>>;

  /** By the kind of the template. */
  readonly bootstraps?: Readonly<Record<string, BootstrapOf>>;

  /**
   * Charts that its objects deliver to clusters.
   *
   * @default - none
   */
  readonly delivery?: DeliveryOf;

  /** Kinds whose readers compare the object with what the class makes without options. */
  readonly compared?: readonly string[];
}
