import { ManifestIndex } from './manifest-index';
import { ManifestObject } from '../objects/manifest-object';
import { Finding } from '../values/finding';
import { Rule } from '../values/problem';

/** A manifest that breaks a rule, and the same one put right, as YAML; both are run by the tests and shown in the rule's page. */
export interface RuleExample {
  /** One or several documents. */
  readonly failing: string;

  readonly corrected: string;

  /**
   * Objects of the management cluster, where the rule is about objects in a tenant: the first document is its `Cluster`.
   *
   * @default - the objects are in a management cluster, or in any
   */
  readonly management?: string;
}

/** A rule of upstream's admission, or of what works once admitted, over objects as they are written. */
export interface ManifestRule extends Rule {
  /** Place of the rule upstream: project and file. */
  readonly source: string;

  /** Kinds that it looks at, as `group/Kind`, e.g. `cluster.x-k8s.io/Cluster`; `/Pod` in the core group. */
  readonly kinds: readonly string[];

  /**
   * End of the names of further kinds that it looks at, of any provider, e.g. `MachineTemplate`; empty for all kinds.
   *
   * @default - `kinds` only
   */
  readonly kindSuffix?: string;

  /**
   * True if the server accepts the object, which then fails later: a trap.
   *
   * @default false - a server refuses it
   */
  readonly trap?: boolean;

  /**
   * True if it is about objects that are named and not there. They may come from somewhere else than what is validated, so that synthesis,
   * which sees one app, only warns.
   *
   * @default false
   */
  readonly elsewhere?: boolean;

  /**
   * Id of a rule over changes that says the same of the object that is named and not there any more: its finding is the one that is reported.
   *
   * @default - none
   */
  readonly toldBy?: string;

  /**
   * True if it is about a change that reaches nothing that is running: nothing fails, and a plan says it in its own words.
   *
   * @default false
   */
  readonly ineffective?: boolean;

  /**
   * True if it is about others that a change or a removal keeps from working: a plan says it beside all other effects.
   *
   * @default false
   */
  readonly stranding?: boolean;

  /**
   * True if a controller refuses what the server accepts, so that no change of the object takes effect.
   *
   * @default false
   */
  readonly refusedLater?: boolean;

  /**
   * True if a server accepts it in a dry run, and refuses it otherwise.
   *
   * @default false
   */
  readonly passesDryRun?: boolean;

  readonly example: RuleExample;

  /**
   * Looks at one object.
   *
   * @param object the object, of one of the kinds; its fields may have any type
   * @param index everything that is validated together with it
   */
  check(object: ManifestObject, index: ManifestIndex): readonly Finding[];
}

/** The part of a rule that its page shows. */
export type ExplainedRule = Omit<ManifestRule, 'kinds' | 'kindSuffix' | 'check'>;

/** A finding, and the rule that it breaks. */
export interface RuleFinding extends Finding {
  readonly rule: ExplainedRule;
}
