import { ruleRooms } from './catalog';
import { renderRules } from './render';
import { renderIndex } from './render-index';
import { renderRulePage } from './render-rule-page';
import { kindsOfRules, manifestChapters } from '../../src/cli/explain/manifest-chapters';

const KINDS = kindsOfRules();
const CHAPTERS = manifestChapters();

/** Every page about rules, by its path below docs/. */
export function pages(): Map<string, string> {
  return new Map([
    ['rules.md', renderRules(ruleRooms())],
    ['rules/README.md', renderIndex(CHAPTERS)],
    ...CHAPTERS.flatMap(({ title, rules }) => rules.map((rule) => (
      [`rules/${rule.id}.md`, renderRulePage(rule, title, KINDS.get(rule.id) ?? [])] as const))),
  ]);
}
