import { ConformanceCase } from './conformance-case';
import { refuses } from './refusing-rules';
import { SERVER_GATES } from './server-gates';
import { isFor } from './transition-cases';
import { listedObjects } from '../../src/manifests/objects/manifest-list';
import { groupKind, ManifestObject } from '../../src/manifests/objects/manifest-object';
import { readText } from '../../src/manifests/objects/manifest-text';
import { TransitionRule } from '../../src/manifests/rules/changes/transition-rule';
import { ManifestIndex } from '../../src/manifests/rules/manifest-index';
import { ExplainedRule, ManifestRule } from '../../src/manifests/rules/manifest-rule';
import { KindDefinitions } from '../../src/manifests/rules/structure/kind-definitions';
import { withDefinedKinds } from '../../src/manifests/rules/structure/structures';
import { ManifestValidator } from '../../src/manifests/validation/validate-manifests';
import { VALIDATION_RULES } from '../../src/manifests/validation/validation-rules';
import { fieldText } from '../../src/manifests/values/fields';
import { Finding } from '../../src/manifests/values/finding';

/** A finding of a rule. */
export interface OwnFinding {
  readonly id: string;
  readonly field: string;
  readonly message: string;
}

/** Verdict of the rules on a case. */
export interface OwnVerdict {
  /** Findings that a server reports, too. */
  readonly refusals: readonly OwnFinding[];

  /** Findings in what a server accepts, and what fails later. */
  readonly traps: readonly OwnFinding[];
}

/** Id of what is said of a text that cannot be read. */
export const UNREADABLE = 'UNREADABLE';

/** Rules that say that they do not know: a server may know the kind, and whoever replaces variables may write what it takes. */
const DOUBTS: readonly string[] = [VALIDATION_RULES.kind.id, VALIDATION_RULES.variables.id];

/** Judges cases by rules. */
export class OwnJudge {
  private readonly validator: ManifestValidator;

  /**
   * @param rules rules over objects
   * @param transitions rules over changes
   * @param definitions definitions that the server has, and the package does not
   */
  public constructor(
    private readonly rules: readonly ManifestRule[], private readonly transitions: readonly TransitionRule[],
    private readonly definitions: readonly ManifestObject[] = [],
  ) {
    this.validator = new ManifestValidator(rules);
  }

  /** Verdict of the rules. A server checks the object alone, and the objects that it stores: other objects of the output only lead to traps. */
  public judge({ text, before, set, around, aroundBefore = [] }: ConformanceCase): OwnVerdict {
    const { documents, faults } = readText(text);
    if (faults.length > 0) return { refusals: faults.map(({ message }) => ({ id: UNREADABLE, field: '', message })), traps: [] };

    const objects = documents.flatMap(({ value }) => listedObjects(value)).map(({ object }) => object);
    const { found } = this.validator.validate([[...objects, SERVER_GATES, ...this.definitions, ...set]], { silences: [], strict: true });
    const alone = found.filter(({ object }) => objects.includes(object)).map(({ finding }) => ({ rule: finding.rule, finding }));
    const together = withDefinedKinds(new KindDefinitions(set, this.definitions), () => (
      objects.flatMap((object) => this.changes(object as ManifestObject, around, before, aroundBefore))));
    const doubts = alone.filter(({ rule }) => DOUBTS.includes(rule.id));
    const traps = this.traps(objects as ManifestObject[], [SERVER_GATES, ...around]);
    return {
      refusals: [...alone, ...together].filter(({ rule }) => refuses(rule) && !DOUBTS.includes(rule.id)).map(ownFinding),
      traps: [...doubts, ...traps, ...together.filter(({ rule }) => rule.trap)].map(ownFinding),
    };
  }

  private traps(objects: readonly ManifestObject[], around: readonly ManifestObject[]) {
    const index = new ManifestIndex([...objects, ...around]);
    return objects.flatMap((object) => this.rules.filter(({ trap, kinds }) => trap && kinds.includes(groupKind(object)))
      .flatMap((rule) => rule.check(object, index).map((finding) => ({ rule, finding }))));
  }

  private changes(after: ManifestObject, around: readonly ManifestObject[], before: string | undefined, aroundBefore: readonly ManifestObject[]) {
    if (before === undefined) return [];
    const previous = JSON.parse(before) as ManifestObject;
    const change = { before: previous, after, old: new ManifestIndex([previous, ...aroundBefore]), now: new ManifestIndex([after, ...around]) };
    return this.transitions.filter((rule) => isFor(rule, after))
      .flatMap((rule) => rule.check(change).map((finding) => ({ rule, finding })));
  }
}

function ownFinding({ rule: { id }, finding: { path, message } }: { readonly rule: ExplainedRule; readonly finding: Finding }): OwnFinding {
  return { id, field: fieldText(path), message };
}
