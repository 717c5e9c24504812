import { ruleRooms } from './catalog';
import { renderRules } from './render';
import { renderIndex, RuleChapter } from './render-index';
import { renderRulePage } from './render-rule-page';
import { explainedRooms, manifestRules } from '../../src/validation/manifest-rules';
import { transitionRules } from '../../src/validation/transition-rules';

const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...manifestRules().map(({ id, kinds }) => [id, kinds] as const),
  ...transitionRules().map(({ id, kinds, kindSuffix }) => [id, kindSuffix === undefined ? kinds : [...kinds, `*${kindSuffix}`]] as const),
]);

/** Every rule over final objects, by what it is about. */
const CHAPTERS: readonly RuleChapter[] = [...explainedRooms(), { title: 'Changes of objects', rules: transitionRules() }];

/** Every page about rules, by its path below docs/. */
export function pages(): Map<string, string> {
  return new Map([
    ['rules.md', renderRules(ruleRooms())],
    ['rules/README.md', renderIndex(CHAPTERS)],
    ...CHAPTERS.flatMap(({ title, rules }) => rules.map((rule) => (
      [`rules/${rule.id}.md`, renderRulePage(rule, title, KINDS.get(rule.id) ?? [])] as const))),
  ]);
}
