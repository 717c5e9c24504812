import { Duration } from 'cdk8s';
import { EntryCluster } from './entry-cluster';

/**
 * A step of a rollout: clusters that get changes at the same time, and that clusters of later steps wait for. A ring with a gate is one step, or
 * several, one after the other, if it has canaries or batches.
 */
export interface EntryStep {
  /** Name of the objects of the step: a DNS label, unique in the app, such as `ring-canary`. */
  readonly name: string;

  /** Folder for what the step itself has applied, below the app's output. */
  readonly folder: string;

  /** The clusters. */
  readonly clusters: EntryStepCluster[];

  /** Time for which the clusters must be healthy, with what the step has brought, before a later step begins. */
  readonly soak: Duration;

  /** Hash of the folders of the clusters of this step and of all steps before it. */
  readonly content: string;

  /**
   * The step before, which this one waits for.
   *
   * @default - none: it is the first
   */
  readonly previous?: EntryStep;
}

/** A cluster of a step. */
export interface EntryStepCluster {
  /** Name of its entry, which has its folder applied. */
  readonly entry: string;

  /** The `Cluster`. */
  readonly cluster: EntryCluster;

  /** Name of its marker (`EntryTurn.marker`). */
  readonly marker: string;
}

/** The turn of a cluster in a rollout. */
export interface EntryTurn {
  /** Name of the step. */
  readonly step: string;

  /** The `Cluster`. */
  readonly cluster: EntryCluster;

  /**
   * Name of a ConfigMap in the folder, in the namespace of the cluster, that changes with the content of the folder: a tool that has applied
   * it has applied the content.
   */
  readonly marker: string;

  /**
   * Time for which later steps wait for the cluster.
   *
   * @default - none waits for it
   */
  readonly soak?: Duration;

  /**
   * The step that changes wait for.
   *
   * @default - none: changes are applied at once
   */
  readonly after?: EntryStep;
}
