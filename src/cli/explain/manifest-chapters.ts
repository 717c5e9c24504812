import { ExplainedRule } from '../../manifests/rules/manifest-rule';
import { explainedRooms, manifestRules } from '../../manifests/validation/manifest-rules';
import { transitionRules } from '../../manifests/validation/transition-rules';

/** Rules for manifests of one project. */
export interface RuleChapter {
  readonly title: string;
  readonly rules: readonly ExplainedRule[];
}

/** Every rule for manifests, by project. */
export function manifestChapters(): RuleChapter[] {
  return [...explainedRooms(), { title: 'Changes of objects', rules: transitionRules() }];
}

/** The kinds that rules look at, as `group/Kind`, by id; rules without an entry look at all. */
export function kindsOfRules(): ReadonlyMap<string, readonly string[]> {
  return new Map([...manifestRules(), ...transitionRules()].map(({ id, kinds, kindSuffix }) => (
    [id, kindSuffix === undefined ? kinds : [...kinds, `*${kindSuffix}`]])));
}
