import { MoveCommands, MoveFinding } from '../rules/move-facts';

/** A way in which an object comes to the next management cluster. */
export enum Carrier {
  /** `clusterctl move` takes it by itself. */
  CLUSTERCTL = 'clusterctl',

  /** `clusterctl move` takes it if it has the label. */
  LABEL = 'label',

  /** It is copied before. */
  COPY = 'copy',

  /** The repository has it: the tool of the next management cluster applies it. */
  DELIVERY = 'delivery',
}

/** An object of the cluster, and the way it goes. */
export interface MovedObject {
  /** `group/Kind`. */
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly by: Carrier;

  /**
   * The reason, or who names it.
   *
   * @default - that of all objects of its kind
   */
  readonly why?: string;
}

/** A step of a move: a commit, or commands. */
export interface MoveStep extends MoveCommands {
  readonly step: 'commit' | 'commands';

  /** Changes of the commit; empty for commands. */
  readonly changes: readonly string[];
}

/** A cluster by its name. */
export interface NamedCluster {
  readonly namespace?: string;
  readonly name: string;
}

/** The move of a cluster to another management cluster. */
export interface ClusterMove {
  readonly cluster: NamedCluster;
  readonly from: string;
  readonly to: string;

  /** Reasons that it cannot move as it is. With one of them there are no steps. */
  readonly obstacles: readonly MoveFinding[];

  /** Facts that are not in manifests, and must be looked up before. */
  readonly lookups: readonly string[];
  readonly objects: readonly MovedObject[];
  readonly steps: readonly MoveStep[];
}
