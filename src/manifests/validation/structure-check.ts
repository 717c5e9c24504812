import { ManifestObject } from '../objects/manifest-object';
import { ExplainedRule, RuleFinding } from '../rules/manifest-rule';

/** Compares objects with what servers know of their kinds: the fields, and their types. */
export interface StructureCheck {
  /** The rules that it may find broken. */
  readonly rules: readonly ExplainedRule[];

  /** True if the fields of this kind are known, or if its group is known and lacks the kind. */
  knows(object: ManifestObject): boolean;

  /** The errors of a server about the fields of an object; of an unknown kind, those about its metadata. */
  check(object: ManifestObject): readonly RuleFinding[];
}
