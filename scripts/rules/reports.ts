import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { CONSTRUCT_RULES } from './rules-of-constructs';
import { ReportWords, RuleTopic } from '../../src/cli/explain/rule-topics';
import { Rule } from '../../src/manifests/values/problem';

const ROOT = join(__dirname, '..', '..');

/** Stands for what a message names. */
const VALUE = '…';

/** More would not be read. */
const MOST = 3;

/**
 * Wording of the reports of synthesis, by the id of the rule: read from the sources, so that explanations cannot differ from reports.
 *
 * Left out are rules with a case whose words are not all known, since the others would be taken for all cases of the rule.
 */
export function reportsOfRules(): ReadonlyMap<string, readonly ReportWords[]> {
  const ids = idsByName();
  const reports = new Map<string, ReportWords[]>();
  const places = new Map<string, number>();
  for (const file of sourceFiles(join(ROOT, 'src'))) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const constants = constantsIn(source);
    const visit = (node: ts.Node): void => {
      const named = ts.isPropertyAccessExpression(node) ? ids.get(node.getText()) : undefined;
      if (named !== undefined) places.set(named, (places.get(named) ?? 0) + 1);
      const [id, report]: [id?: string, report?: ReportWords] = ts.isObjectLiteralExpression(node) ? reportIn(node, ids, constants) : [];
      if (id !== undefined && report !== undefined) reports.set(id, [...reports.get(id) ?? [], report]);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return new Map([...reports].filter(([id, all]) => all.length === places.get(id) && all.every(isWhole))
    .sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, all]) => [id, distinct(all)]));
}

/** True if a report says by itself what is wrong and what to do. */
function isWhole({ message, fix }: ReportWords): boolean {
  return !fix?.endsWith(VALUE) && [message, fix].every((text) => (text?.match(/[A-Za-z]{2,}/g) ?? []).length >= 2);
}

/** Ids of rules by the name that code has for them, such as `POOL_RULES.size`. */
function idsByName(): ReadonlyMap<string, string> {
  return new Map(CONSTRUCT_RULES.flatMap(({ file }) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const exported = Object.entries(require(join(ROOT, file)) as Record<string, Record<string, { readonly id: string }>>);
    return exported.flatMap(([name, rules]) => Object.entries(rules).map(([key, { id }]) => [`${name}.${key}`, id] as const));
  }));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts')).sort()
    .map((name) => join(folder, name));
}

/** Strings that a file has as constants. */
function constantsIn(source: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const declarations = source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations);
  return new Map(declarations.flatMap(({ name, initializer }) => (
    ts.isIdentifier(name) && initializer !== undefined && ts.isStringLiteralLike(initializer) ? [[name.text, initializer] as const] : [])));
}

function reportIn(
  { properties }: ts.ObjectLiteralExpression, ids: ReadonlyMap<string, string>, constants: ReadonlyMap<string, ts.Expression>,
): [id?: string, report?: ReportWords] {
  const assignments = properties.filter(ts.isPropertyAssignment);
  const valueOf = (key: string): ts.Expression | undefined => assignments.find(({ name }) => name.getText() === key)?.initializer;
  const id = ids.get(valueOf('rule')?.getText() ?? '');
  if (id === undefined) return [];
  const [message, accepted, fix] = ['message', 'accepted', 'fix'].map((key) => textOf(valueOf(key), constants));
  return message === undefined && fix === undefined ? [] : [id, { message, accepted, fix }];
}

/** The words of an expression; undefined if they are made elsewhere. */
function textOf(expression: ts.Expression | undefined, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (expression === undefined) return undefined;
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isIdentifier(expression)) return textOf(constants.get(expression.text), constants);
  if (ts.isConditionalExpression(expression)) return textOf(expression.whenTrue, constants) ?? textOf(expression.whenFalse, constants);
  if (!ts.isTemplateExpression(expression)) return undefined;
  const parts = expression.templateSpans.map(({ expression: value, literal }) => `${textOf(value, constants) ?? VALUE}${literal.text}`);
  return `${expression.head.text}${parts.join('')}`.replaceAll(/…(\s?…)+/g, VALUE);
}

function distinct(reports: readonly ReportWords[]): ReportWords[] {
  const seen = new Set<string>();
  return reports.filter((report) => seen.size < seen.add(JSON.stringify(report)).size).slice(0, MOST);
}

/** The rules for the input of constructs as the table that `explain` reads, one rule a line. */
export function renderRuleTable(reports: ReadonlyMap<string, readonly ReportWords[]>): string {
  const ruleText = ({ id, title, source, warning }: Rule): string => JSON.stringify({ id, title, source, warning, report: reports.get(id)?.[0] });
  const topicText = ({ topic, file, rules }: RuleTopic): string => (
    `{"topic":${JSON.stringify(topic)},"file":${JSON.stringify(file)},"rules":[\n${rules.map(ruleText).join(',\n')}\n]}`);
  return `[\n${CONSTRUCT_RULES.map(topicText).join(',\n')}\n]\n`;
}
