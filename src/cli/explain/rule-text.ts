import TOPICS from '../../../data/construct-rules.json';
import { readText } from '../../manifests/objects/manifest-text';
import { shortened } from '../../manifests/rules/example-text';
import { ExplainedRule, RuleFinding } from '../../manifests/rules/manifest-rule';
import { severityOf } from '../../manifests/validation/reported-finding';
import { ManifestValidator } from '../../manifests/validation/validate-manifests';
import { VALIDATION_RULES } from '../../manifests/validation/validation-rules';
import { fieldText, stringAt } from '../../manifests/values/fields';
import { wrapped } from '../../manifests/values/printable';
import { fixSentence, Rule } from '../../manifests/values/problem';
import { Paint } from '../paint';
import { constructRulePage, rulePage } from '../validate/rule-page';

/** A report of a rule as the code words it, with `…` in place of values. */
export interface ReportWords {
  readonly message?: string;
  readonly accepted?: string;
  readonly fix?: string;
}

/** The rules of one file of the library. */
interface RuleTopic {
  /** Title of their page. */
  readonly topic: string;

  /** The file, relative to the repository. */
  readonly file: string;

  /** The rules, in the order of the file. */
  readonly rules: readonly (Rule & { readonly report?: ReportWords })[];
}

/** The rules that synthesis checks the input of constructs by, which the command line knows from a table. */
export const RULE_TOPICS: readonly RuleTopic[] = TOPICS;

/** A report in sentences: the fact with what is accepted, and the fix. */
export function reportSentences({ message, accepted, fix }: ReportWords): string[] {
  const fact = [...message === undefined ? [] : [`${message}.`], ...accepted === undefined ? [] : [`Accepted: ${accepted}.`]].join(' ');
  return [...fact === '' ? [] : [fact], ...fix === undefined ? [] : [fixSentence(fix)]];
}

/** The finding of validation in the failing example of a rule; undefined if the rule is about text that is not YAML, or about a change. */
export function exampleFinding({ id, example }: ExplainedRule): RuleFinding | undefined {
  const [objects, management] = [example.failing, example.management ?? ''].map((text) => readText(text).documents.map(({ value }) => value));
  const name = stringAt(management[0], 'metadata', 'name');
  const target = name === undefined ? undefined : { management: 1, namespace: stringAt(management[0], 'metadata', 'namespace'), name };
  const { found } = new ManifestValidator().validate([objects, management], { silences: [], strict: true, targets: [target] });
  return found.find(({ finding }) => finding.rule.id === id)?.finding;
}

const SEPARATOR = '---';

/** A change of manifests. */
export interface ShownChange {
  /** The documents that change, line by line: `+` before what is added, `-` before what is removed. */
  readonly lines: readonly string[];

  /** Number of documents that stay as they are. */
  readonly unchanged: number;
}

/** The difference of two texts of YAML, without the documents that stay as they are. */
function shownChange(before: string, after: string): ShownChange {
  const documents = documentsOf(difference(before.trim().split('\n'), after.trim().split('\n')));
  const changed = documents.filter((lines) => lines.some((line) => !line.startsWith(' ')));
  return { lines: changed.flatMap((lines, index) => (index === 0 ? lines : [`  ${SEPARATOR}`, ...lines])), unchanged: documents.length - changed.length };
}

function documentsOf(lines: readonly string[]): string[][] {
  const documents: string[][] = [[]];
  for (const line of lines) {
    if (line.slice(2) === SEPARATOR) documents.push([]);
    else documents.at(-1)!.push(line);
  }
  return documents.filter((document) => document.length > 0);
}

/** The lines of both texts, with those that are in both once: a longest common subsequence. */
function difference(before: readonly string[], after: readonly string[]): string[] {
  const common = before.map(() => after.map(() => 0));
  const length = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i][j] = before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push(`  ${before[i]}`);
      [i, j] = [i + 1, j + 1];
    } else if (j === after.length || (i < before.length && length(i + 1, j) >= length(i, j + 1))) {
      lines.push(`- ${before[i++]}`);
    } else {
      lines.push(`+ ${after[j++]}`);
    }
  }
  return lines;
}

const INDENT = '  ';
const LIBRARY = 'this library';

/** Rules about validation itself cannot be silenced, except the one about unknown kinds. */
const NEVER_SILENCED: ReadonlySet<string> = new Set(
  Object.values(VALIDATION_RULES).filter((rule) => rule !== VALIDATION_RULES.kind).map(({ id }) => id),
);

/** Project and kinds of a rule. */
export interface RulePlace {
  /** The project, or the file of the library. */
  readonly chapter: string;

  /** Kinds that it looks at, as `group/Kind`; none if it looks at all. */
  readonly kinds: readonly string[];
}

/** Options of a printed explanation. */
export interface ExplainOptions {
  readonly paint: Paint;

  /** Columns that prose may take. */
  readonly columns: number;
}

/** A rule for manifests: what it demands, a manifest that breaks it, the corrected one, how to silence it. */
export function manifestRuleText(rule: ExplainedRule, { chapter, kinds }: RulePlace, { paint, columns }: ExplainOptions): string {
  const { id, title, source, example } = rule;
  const page = rulePage(id);
  const shown = (label: string, text: string): string[] => ('before' in example ? change(label, String(example.before), text) : yaml(label, text));
  return sections(
    [heading(rule, severityOf(rule), paint), ...prose(title, columns)],
    [
      `Project:  ${chapter}`,
      `Kinds:    ${kinds.length === 0 ? 'all' : [...kinds].sort().map((kind) => kind.replace(/^\//, '')).join(', ')}`,
      `Source:   ${source}`,
    ].flatMap((line) => wrapped(line, columns, ' '.repeat(10))).concat(page === undefined ? [] : `Page:     ${page}`),
    example.management === undefined ? [] : yaml('In the management cluster', example.management),
    shown(paint.red('Wrong'), shortened(example.failing)),
    reported(rule, columns),
    shown(paint.green('Right'), example.corrected),
    silencing(id, columns),
  );
}

/** A rule for the input of constructs, or for the assertions of tests. It has no manifest: the input is refused before there is one. */
export function constructRuleText(rule: RuleTopic['rules'][number], { topic, file }: RuleTopic, { paint, columns }: ExplainOptions): string {
  const isOfTests = file.startsWith('src/constructs/testing/');
  return sections(
    [heading(rule, rule.warning ? 'warning' : 'error', paint), ...prose(rule.title, columns)],
    [
      `Topic:    ${topic}`,
      `Checked:  ${isOfTests ? 'in tests' : 'at synthesis, in the input of constructs'} (${file})`,
      `Source:   ${rule.source ?? LIBRARY}`,
    ].flatMap((line) => wrapped(line, columns, ' '.repeat(10))).concat(`Page:     ${constructRulePage(rule.id, topic)}`),
    wording(rule, columns),
    prose(isOfTests ? 'The test fails. The error shows what was expected, what was found, and the object.' : rule.warning
      ? `Synthesis warns, and writes the manifests. NODE_OPTIONS=--disable-warning=${rule.id} hides the warning.`
      : 'Synthesis fails and writes nothing. The error names the construct, the property, its value, the accepted values and the fix.', columns, ''),
  );
}

/** Wording of the report of synthesis, as far as it does not depend on the input. */
function wording({ report }: RuleTopic['rules'][number], columns: number): string[] {
  return report === undefined ? [] : ['Reported as (… stands for a value):', '', ...reportSentences(report).flatMap((sentence) => prose(sentence, columns))];
}

function heading({ id }: Rule, severity: string, paint: Paint): string {
  return `${paint.bold(id)} (${paint.severity(severity)})`;
}

function prose(text: string, columns: number, indent = INDENT): string[] {
  return wrapped(`${indent}${text}`, columns, indent);
}

function yaml(title: string, text: string): string[] {
  return [`${title}:`, '', ...text.trim().split('\n').map((line) => (line === '' ? '' : `${INDENT}${line}`))];
}

function change(title: string, before: string, after: string): string[] {
  const { lines, unchanged } = shownChange(before, after);
  return [
    `${title}:`, '', ...(lines.length === 0 ? [`${INDENT}nothing changes`] : lines.map((line) => `${INDENT}${line}`.trimEnd())),
    ...(unchanged === 0 || lines.length === 0 ? [] : ['', `${INDENT}(${unchanged} more ${unchanged === 1 ? 'object does' : 'objects do'} not change)`]),
  ];
}

function reported(rule: ExplainedRule, columns: number): string[] {
  const finding = exampleFinding(rule);
  if (finding === undefined) return [];
  const { path, message, accepted, fix } = finding;
  const where = path.length === 0 ? '' : `${fieldText(path)}: `;
  const fact = `${where}${message}.${accepted === undefined ? '' : ` Accepted: ${accepted}.`}`;
  return ['Reported as:', '', ...prose(fact, columns), ...prose(fixSentence(fix), columns)];
}

function silencing(id: string, columns: number): string[] {
  if (NEVER_SILENCED.has(id)) return ['This rule cannot be silenced: it is about validation itself.'];
  return prose(`To silence it: validate --silence '${id}=REASON', or the annotation cdk8s-cluster-api/silence of the object with a line "${id}: REASON".`, columns, '');
}

function sections(...parts: readonly (readonly string[])[]): string {
  return `${parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
