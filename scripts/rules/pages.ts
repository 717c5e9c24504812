import { ConstructRule, constructRules } from './construct-rules';
import { renderChapters, renderTopics } from './render-index';
import { renderRulePage } from './render-rule-page';
import { renderTopic } from './render-topic';
import { kindsOfRules, manifestChapters } from '../../src/cli/explain/explain-command';
import { topicPage } from '../../src/cli/validate/rule-page';

/** The pages about rules, by path below docs/: in construct-rules/ a page for each topic, in rules/ one for each rule, and an index in both. */
export function rulePages(all: readonly ConstructRule[] = constructRules()): Map<string, string> {
  const topics = [...new Set(all.map(({ topic }) => topic))].map((topic) => [topic, all.filter((rule) => rule.topic === topic)] as const);
  const kinds = kindsOfRules();
  const chapters = manifestChapters();
  return new Map([
    ['construct-rules/index.md', renderTopics(topics)],
    ...topics.map(([topic, rules]) => [topicPage(topic), renderTopic(topic, rules)] as const),
    ['rules/index.md', renderChapters(chapters)],
    ...chapters.flatMap(({ title, rules }) => rules.map((rule) => (
      [`rules/${rule.id}.md`, renderRulePage(rule, title, kinds.get(rule.id) ?? [])] as const))),
  ]);
}
