import { rulePage } from './rule-page';
import { compareTexts } from '../../manifests/landscape/place';
import { reportedRules } from '../../manifests/validation/manifest-rules';
import { severityOf } from '../../manifests/validation/reported-finding';
import { CommandError } from '../command';

/** Every rule of manifests, by id. */
export function listRules(format: string): string {
  const rules = [...reportedRules()].sort(({ id: one }, { id: other }) => compareTexts(one, other))
    .map((rule) => ({ id: rule.id, severity: severityOf(rule), title: rule.title, source: rule.source, page: rulePage(rule.id) }));
  switch (format) {
    case 'json': return `${JSON.stringify({ version: 1, rules }, undefined, 2)}\n`;
    case 'text': return textOf(rules);
    default: throw new CommandError([`there is no list of rules in the format ${format}`], 'choose one of text, json');
  }
}

function textOf(rules: readonly { readonly id: string; readonly severity: string; readonly title: string }[]): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  return rules.map(({ id, severity, title }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${title}\n`).join('');
}
