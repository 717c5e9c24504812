import { exampleFinding } from '../../src/cli/explain/rule-text';
import { shortened } from '../../src/manifests/rules/example-text';
import { ExplainedRule, RuleFinding } from '../../src/manifests/rules/manifest-rule';
import { ManifestSeverity, severityOf } from '../../src/manifests/validation/reported-finding';
import { VALIDATION_RULES } from '../../src/manifests/validation/validation-rules';
import { fieldText } from '../../src/manifests/values/fields';
import { fixSentence } from '../../src/manifests/values/problem';
import { escaped } from '../api-reference/words';

const SEVERITIES: Readonly<Record<ManifestSeverity, string>> = {
  [ManifestSeverity.ERROR]: '**Error**: a server refuses it.',
  [ManifestSeverity.TRAP]: '**Trap**: a server takes it, and it fails later.',
  [ManifestSeverity.WARNING]: '**Warning**: it may be meant.',
};

/** Rules about what is validated, and about silences: no server knows of them. */
const OF_VALIDATION: ReadonlySet<string> = new Set(Object.values(VALIDATION_RULES).map(({ id }) => id));

/**
 * The page that explains one rule.
 *
 * @param rule the rule
 * @param project what it belongs to
 * @param kinds what it looks at, as `group/Kind`; nothing if it looks at all
 */
export function renderRulePage(rule: ExplainedRule, project: string, kinds: readonly string[]): string {
  const { id, title, source, example } = rule;
  return [
    `# ${id}`,
    '',
    escaped(title),
    '',
    `- ${OF_VALIDATION.has(id) && !rule.warning ? '**Error**: validation refuses it.' : SEVERITIES[severityOf(rule)]}`,
    ...(rule.elsewhere ? ['- At synthesis only a warning: what is missing may come from somewhere else.'] : []),
    `- Project: [${project}](index.md#${anchor(project)})`,
    `- Kinds: ${kinds.length === 0 ? 'all' : [...kinds].sort().map((kind) => `\`${kind.replace(/^\//, '')}\``).join(', ')}`,
    `- Source: ${escaped(source)}`,
    '',
    '## Breaks the rule',
    '',
    ...('before' in example ? ['What was there before:', '', ...yaml(String(example.before)), '', 'What is written now:', ''] : []),
    ...(example.management === undefined ? [] : ['In the management cluster:', '', ...yaml(example.management), '', 'In the tenant:', '']),
    ...yaml(shortened(example.failing)),
    '',
    ...reported(exampleFinding(rule)),
    '## Put right',
    '',
    ...yaml(example.corrected),
    '',
    '## Silence it',
    '',
    ...silencing(id),
    '',
  ].join('\n');
}

/** Finding that validation reports for the failing example. */
function reported(finding: RuleFinding | undefined): string[] {
  if (finding === undefined) return [];
  const { path, message, accepted, fix } = finding;
  const where = path.length === 0 ? '' : `${fieldText(path)}: `;
  return ['What is reported:', '', ...fence('text', `${where}${message}.${accepted === undefined ? '' : ` Accepted: ${accepted}.`}\n${fixSentence(fix)}`), ''];
}

function silencing(id: string): string[] {
  if (OF_VALIDATION.has(id) && id !== VALIDATION_RULES.kind.id) return ['It cannot be silenced: it is about validation itself.'];
  return [
    'For one object, with the reason for those who come later:',
    '',
    ...yaml(`metadata:\n  annotations:\n    cdk8s-cluster-api/silence: |\n      ${id}: why it does not matter here`),
    '',
    `For everything below a construct: \`validation.ManifestValidation.silence(scope, [{ rule: '${id}', reason: 'why' }])\`.`,
    `For an app: \`silences\` of its \`validation\`. On the command line: \`--silence '${id}=why'\`.`,
  ];
}

/** Anchor that GitHub makes of the heading of a section. */
function anchor(title: string): string {
  return title.toLowerCase().replace(/[^\w\s-]/g, '').replace(/\s/g, '-');
}

function yaml(text: string): string[] {
  return fence('yaml', text.trim());
}

function fence(language: string, text: string): string[] {
  return [`\`\`\`${language}`, text, '```'];
}
