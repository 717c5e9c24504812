import { ManifestObject } from '../../objects/manifest-object';
import { Finding } from '../../values/finding';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule, RuleExample } from '../manifest-rule';

/**
 * An object as it was written before, and as it is written now. One of the two is there at least: without `after` it is gone, without
 * `before` it is new.
 */
export interface ManifestChange {
  readonly before?: ManifestObject;
  readonly after?: ManifestObject;

  /** Everything that was written before. */
  readonly old: ManifestIndex;

  /** Everything that is written now. */
  readonly now: ManifestIndex;
}

/** A change that breaks a rule, and what could be written instead, as YAML; both are run by the tests and shown in the rule's page. */
export interface TransitionExample extends RuleExample {
  /** The former object. */
  readonly before: string;
}

/** A rule of upstream's admission of updates, or of what an accepted update does to what is running. */
export interface TransitionRule extends Omit<ManifestRule, 'check' | 'example'> {
  readonly example: TransitionExample;

  /**
   * True if it looks at the objects as they are written, and not as servers store them.
   *
   * @default false
   */
  readonly asWritten?: boolean;

  /**
   * Looks at what became of one object.
   *
   * @param change the object before and now, of one of the kinds; its fields may have any type
   */
  check(change: ManifestChange): readonly Finding[];
}
