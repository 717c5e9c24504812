import { posix } from 'node:path';
import { ConstructRule } from './construct-rules';
import { RuleChapter } from '../../src/cli/explain/explain-command';
import { topicPage } from '../../src/cli/validate/rule-page';
import { severityOf } from '../../src/manifests/validation/reported-finding';
import { escaped } from '../api-reference/words';

/** The page that lists the rules for manifests, by project. */
export function renderChapters(chapters: readonly RuleChapter[]): string {
  return [
    '# Rules for manifests', '',
    'Each rule has a page with a manifest that breaks it and the corrected manifest. [Rules](../rules.md) has the severities, and silences.', '',
    ...chapters.filter(({ rules }) => rules.length > 0).flatMap(({ title, rules }) => [
      `## ${title}`, '',
      ...[...rules].sort(byId).map((rule) => `- [\`${rule.id}\`](${rule.id}.md), ${severityOf(rule)}: ${escaped(rule.title)}`), '',
    ]),
  ].join('\n');
}

/** The page that lists the topics of the rules for constructs. */
export function renderTopics(topics: readonly (readonly [topic: string, rules: readonly ConstructRule[]])[]): string {
  const sorted = [...topics].sort(([one], [other]) => one.localeCompare(other, 'en'));
  return [
    '# Rules for constructs', '',
    'Synthesis checks the input of constructs against these rules. [Rules](../rules.md) has the form of its reports.', '',
    ...sorted.map(([topic, rules]) => (
      `- [${topic}](${posix.basename(topicPage(topic))}): ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}, ${prefixes(rules).join(', ')}`)),
    '',
  ].join('\n');
}

function byId({ id: one }: { readonly id: string }, { id: other }: { readonly id: string }): number {
  return one < other ? -1 : 1;
}

/** The beginnings of ids, as people look for them: `TC-POOL-…`. */
function prefixes(rules: readonly ConstructRule[]): string[] {
  return [...new Set(rules.map(({ id }) => `\`${id.split('-').slice(0, 2).join('-')}-…\``))].sort();
}
