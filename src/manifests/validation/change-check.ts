import { pairManifests } from './pair-manifests';
import { withoutSecretValues } from './secret-messages';
import { transitionRules } from './transition-rules';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestChange, TransitionRule } from '../rules/changes/transition-rule';
import { ManifestIndex } from '../rules/manifest-index';
import { RuleFinding } from '../rules/manifest-rule';

/** Findings in an object that is not written any more. */
export interface GoneFindings {
  readonly object: ManifestObject;
  readonly findings: readonly RuleFinding[];
}

/** Findings in changes, found before the validation. */
export interface FoundChanges {
  /** Findings in the change of an object, by the object as it is now. */
  readonly ofNow: ReadonlyMap<unknown, readonly RuleFinding[]>;

  /** Findings in objects that are not written any more. */
  readonly gone: readonly GoneFindings[];
}

/** What became of the objects of one place. */
export interface ComparedObjects {
  /** What is wrong with what became of an object of now. */
  ofNow(object: ManifestObject): readonly RuleFinding[];

  /** What is wrong with objects that are not written any more. */
  ofGone(): readonly GoneFindings[];
}

/** Checks changes of objects against rules. Each object is checked once, by the rules of its kind alone. */
export class ChangeCheck {
  private readonly byKind = new Map<string, readonly TransitionRule[]>();

  /** @param rules the rules */
  public constructor(public readonly rules: readonly TransitionRule[] = transitionRules()) {}

  /**
   * Compares the objects of one place.
   *
   * @param before what was written there
   * @param objects what is written there now
   * @param now what is written now, to look others up in
   * @param unchanged further objects that were written in the same way before, to look others up in
   */
  public compare(
    before: readonly ManifestObject[], objects: readonly ManifestObject[], now: ManifestIndex, unchanged: readonly ManifestObject[] = [],
  ): ComparedObjects {
    const old = new ManifestIndex([...before, ...unchanged]);
    const pairs = pairManifests(before, objects);
    return {
      ofNow: (after) => this.check(after, { before: pairs.before.get(after), after, old, now }),
      ofGone: () => pairs.gone.map((object) => ({ object, findings: this.check(object, { before: object, old, now }) })),
    };
  }

  private check(object: ManifestObject, change: ManifestChange): readonly RuleFinding[] {
    const findings = this.rulesOf(groupKind(object)).flatMap((rule) => rule.check(change).map((finding) => ({ ...finding, rule })));
    return withoutSecretValues(findings, change.before, change.after);
  }

  private rulesOf(kind: string): readonly TransitionRule[] {
    let found = this.byKind.get(kind);
    if (!found) {
      found = this.rules.filter(({ kinds, kindSuffix }) => kinds.includes(kind) || (kindSuffix !== undefined && kind.endsWith(kindSuffix)));
      this.byKind.set(kind, found);
    }
    return found;
  }
}
