import { Effect } from './effects';
import { ManifestChange } from './transition-rule';

/** Something that is lost, or not available, because of a change. */
export interface Consequence {
  /** A noun, such as `API server`. */
  readonly what: string;

  /** The rest of the sentence: until when, or why. */
  readonly detail?: string;
}

/** Consequences of a change for the users of a cluster, beside its effects on machines and pods. */
export interface ChangeConsequences {
  /** Losses that a revert does not undo. */
  readonly lost?: readonly Consequence[];

  /** Services that are not available meanwhile, or from then on. */
  readonly down?: readonly Consequence[];

  /** Other consequences for workloads. */
  readonly felt?: readonly string[];
}

/**
 * Finds the consequences of a change.
 *
 * @param change the object before and after
 * @param effects its effects
 */
export type ConsequencesOf = (change: ManifestChange, effects: ReadonlySet<Effect>) => ChangeConsequences;
