import { ManifestIndex } from './manifest-index';
import { ManifestObject } from '../../images/manifest-object';
import { Rule } from '../problem';

/** A field in an object: names of fields, and positions in lists. Empty for the object as a whole. */
export type FieldPath = readonly (string | number)[];

/** One finding in an object: what is wrong where, and the way out. */
export interface ManifestFinding {
  /** The field that is wrong, or that is missing. */
  readonly path: FieldPath;

  /** What is wrong, naming the value. No full stop at the end. */
  readonly message: string;

  /** The values that would have been accepted. */
  readonly accepted?: string;

  /** What to do about it, as an instruction. No full stop at the end. */
  readonly fix: string;
}

/** A manifest that breaks a rule, and the same one put right, as YAML; both are run by the tests and shown in the rule's page. */
export interface RuleExample {
  /** One or several documents. */
  readonly failing: string;

  readonly corrected: string;
}

/** A rule of upstream's admission, or of what works once admitted, over objects as they are written. */
export interface ManifestRule extends Rule {
  /** Where upstream says so: project and file. */
  readonly source: string;

  /** Kinds that it looks at, as `group/Kind`, e.g. `cluster.x-k8s.io/Cluster`; `/Pod` in the core group. */
  readonly kinds: readonly string[];

  /**
   * Whether a server takes the object, which fails later all the same: a trap that nobody else reports.
   *
   * @default false - a server refuses it
   */
  readonly trap?: boolean;

  /**
   * Whether it is about objects that are named and not there. They may come from somewhere else than what is validated, so that synthesis,
   * which sees one app, only warns.
   *
   * @default false
   */
  readonly elsewhere?: boolean;

  readonly example: RuleExample;

  /**
   * Looks at one object.
   *
   * @param object the object, of one of the kinds; its fields may be of any type, for it may be anybody's
   * @param index everything that is validated together with it
   */
  check(object: ManifestObject, index: ManifestIndex): readonly ManifestFinding[];
}

/** A rule as its page shows it, whoever looks for what breaks it. */
export type ExplainedRule = Omit<ManifestRule, 'kinds' | 'check'>;

/** A finding, and the rule that it breaks. */
export interface RuleFinding extends ManifestFinding {
  readonly rule: ExplainedRule;
}
