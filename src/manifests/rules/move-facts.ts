import { ManifestIndex } from './manifest-index';
import { ManifestObject } from '../objects/manifest-object';
import { AddressRange } from '../values/address-ranges';

/** A management cluster that a cluster leaves, or comes to. */
export interface MoveSide {
  /** Its name, which is that of the context of kubectl too. */
  readonly name: string;

  /** Its objects. */
  readonly index: ManifestIndex;

  /** Addresses that it gives to Services; none if that is not known. */
  readonly serviceAddresses: readonly AddressRange[];
}

/** The two management clusters of a move. */
export interface MoveSides {
  readonly from: MoveSide;
  readonly to: MoveSide;
}

/** A fact about a move, and what to do about it, as parts of sentences without a full stop. */
export interface MoveFinding {
  readonly message: string;
  readonly fix: string;
}

/** Commands of a move with one purpose. */
export interface MoveCommands {
  /** The purpose, in the imperative. */
  readonly title: string;
  readonly commands: readonly string[];

  /** The way back to the state before it, in words. */
  readonly back: string;
}

/** Secrets that `clusterctl move` must not, or cannot, take. */
export interface CarriedSecrets {
  readonly namespace?: string;
  readonly names: readonly string[];

  /** The reason, as a part of a sentence. */
  readonly why: string;
}

/** Facts of a system about the move of one of its objects to another management cluster. */
export interface MoveFacts {
  /**
   * Reasons that the cluster of the object cannot move as it is.
   *
   * @default - none
   */
  readonly obstacles?: readonly MoveFinding[];

  /**
   * Facts that are not in manifests, and must be looked up before.
   *
   * @default - nothing
   */
  readonly lookups?: readonly string[];

  /**
   * Secrets to copy before the move.
   *
   * @default - none
   */
  readonly carried?: readonly CarriedSecrets[];

  /**
   * Commands after the copies, before `clusterctl move`.
   *
   * @default - none
   */
  readonly before?: readonly MoveCommands[];

  /**
   * Commands when the cluster is available in its new management cluster.
   *
   * @default - none
   */
  readonly after?: readonly MoveCommands[];
}

/** The facts about the move of an object. */
export type MoveFactsOf = (object: ManifestObject, sides: MoveSides) => MoveFacts;
