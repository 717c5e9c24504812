import { ManifestIndex } from './manifest-index';
import { PageCall } from './page-expression';
import { ManifestObject } from '../objects/manifest-object';

/** The objects of a cluster that parts of a page are read from. */
export interface AdoptedCluster {
  readonly cluster: ManifestObject;
  readonly controlPlane: ManifestObject;
  readonly infrastructure: ManifestObject;

  /** The template of the machines of the control plane, as a page has it. */
  readonly controlPlaneMachine?: PageCall;

  /** All objects. */
  readonly index: ManifestIndex;
}

/** Reads an object as the class that makes it: undefined if the class cannot make such an object. What it leaves out becomes patches. */
export type PartOf = (object: ManifestObject, cluster: AdoptedCluster) => PageCall | undefined;

/** The classes that make the objects of a system, by the kind of the object as `group/Kind`. */
export interface PageParts {
  readonly controlPlanes?: Readonly<Record<string, PartOf>>;
  readonly infrastructures?: Readonly<Record<string, PartOf>>;

  /** By the kind of the template. */
  readonly machines?: Readonly<Record<string, PartOf>>;

  /** By the kind of the template. */
  readonly bootstraps?: Readonly<Record<string, PartOf>>;
}
