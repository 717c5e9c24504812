import { ReportWords, reportSentences, RuleTopic } from '../../src/cli/explain/rule-topics';
import { Rule } from '../../src/manifests/values/problem';
import { escaped } from '../api-reference/words';

/** The page of a topic, with a section for each rule. */
export function renderTopic({ topic, rules }: RuleTopic, reports: ReadonlyMap<string, readonly ReportWords[]>): string {
  return [
    `# Rules: ${topic}`,
    '',
    'Synthesis checks the input of constructs against these rules; [how it reports them](../rules.md). [Rules for manifests](../rules/index.md) have pages of',
    'their own. A report is quoted as the library words it, with … for values.',
    '',
    ...[...rules].sort((a, b) => (a.id < b.id ? -1 : 1)).flatMap((rule) => section(rule, reports.get(rule.id) ?? [])),
  ].join('\n');
}

function section({ id, title, source, warning }: Rule, reports: readonly ReportWords[]): string[] {
  return [
    `## ${id}`, '', `${warning ? '**Warning.** ' : ''}${escaped(title)}`, '',
    ...reports.flatMap((words) => [`> ${reportSentences(words).map(escaped).join('<br>')}`, '']),
    ...(source ? [`Source: ${escaped(source)}`, ''] : []),
  ];
}
