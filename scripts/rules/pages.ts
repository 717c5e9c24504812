import { renderRules } from './render';
import { renderIndex } from './render-index';
import { renderRulePage } from './render-rule-page';
import { renderTopic } from './render-topic';
import { kindsOfRules, manifestChapters } from '../../src/cli/explain/manifest-chapters';
import { ReportWords } from '../../src/cli/explain/report-words';
import { CONSTRUCT_RULES } from '../../src/cli/explain/rules-of-constructs';
import { topicPage } from '../../src/cli/validate/rule-page';

const KINDS = kindsOfRules();
const CHAPTERS = manifestChapters();

/** Every page about rules, by its path below docs/. */
export function pages(reports: ReadonlyMap<string, readonly ReportWords[]>): Map<string, string> {
  return new Map([
    ['rules.md', renderRules(CONSTRUCT_RULES)],
    ...CONSTRUCT_RULES.map((topic) => [topicPage(topic.topic), renderTopic(topic, reports)] as const),
    ['rules/README.md', renderIndex(CHAPTERS)],
    ...CHAPTERS.flatMap(({ title, rules }) => rules.map((rule) => (
      [`rules/${rule.id}.md`, renderRulePage(rule, title, KINDS.get(rule.id) ?? [])] as const))),
  ]);
}
