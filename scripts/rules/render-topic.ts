import { ConstructRule } from './construct-rules';
import { reportSentences } from '../../src/cli/explain/rule-text';
import { escaped } from '../api-reference/words';

/** The page of a topic, with a section for each rule. */
export function renderTopic(topic: string, rules: readonly ConstructRule[]): string {
  return [
    `# Rules: ${topic}`,
    '',
    'Synthesis checks the input of constructs against these rules; [how it reports them](../rules.md). [Rules for manifests](../rules/index.md) have pages of',
    'their own. A report is quoted as the library words it, with … for values.',
    '',
    ...[...rules].sort((a, b) => (a.id < b.id ? -1 : 1)).flatMap(section),
  ].join('\n');
}

function section({ id, title, source, warning, reports }: ConstructRule): string[] {
  return [
    `## ${id}`, '', `${warning ? '**Warning.** ' : ''}${escaped(title)}`, '',
    ...reports.flatMap((words) => [`> ${reportSentences(words).map(escaped).join('<br>')}`, '']),
    ...(source ? [`Source: ${escaped(source)}`, ''] : []),
  ];
}
