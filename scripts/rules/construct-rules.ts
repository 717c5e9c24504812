import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as ts from 'typescript';
import { topicOf } from './topics';
import { ReportWords } from '../../src/cli/explain/rule-text';
import { Rule } from '../../src/manifests/values/problem';

const SOURCES = join(__dirname, '..', '..', 'src');

/** Stands for a value of a message. */
const VALUE = '…';

/** More would not be read. */
const MOST = 3;

/** A rule for the input of constructs. */
export interface ConstructRule extends Rule {
  /** Title of its page. */
  readonly topic: string;

  /** The file that declares it, relative to the repository. */
  readonly file: string;

  /** Wording of its reports. */
  readonly reports: readonly ReportWords[];
}

/** A rule, and the expression that names it: `CPU_RULE` in the file that declares it and in its importers, or `POOL_RULES.size`. */
interface DeclaredRule {
  readonly rule: Rule;
  readonly file: string;
  readonly name: string;
}

/**
 * The rules for the input of constructs, in the order of files: read from the sources, so that explanations cannot differ from reports.
 *
 * A rule is an object with an `id` that starts with `TC-` and a `title`, in a constant of its own or in a table. A rule of which one report is
 * worded elsewhere has none, since the others would be mistaken for all of its reports.
 */
export function constructRules(): ConstructRule[] {
  const files = readdirSync(SOURCES, { encoding: 'utf8', recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts')).sort()
    .map((file) => ts.createSourceFile(file, readFileSync(join(SOURCES, file), 'utf8'), ts.ScriptTarget.Latest, true));
  const declared = sources.filter(({ fileName }) => fileName.startsWith('constructs/') || topicOf(fileName) !== undefined).flatMap(rulesIn);
  const lost = declared.find(({ file }) => topicOf(file) === undefined);
  if (lost) throw new Error(`src/${lost.file} has rules, and scripts/rules/topics.ts has no topic for it`);
  const reports = reportsOf(sources, declared);
  return declared.map(({ rule, file }) => ({ topic: topicOf(file)!, file: `src/${file}`, ...rule, reports: reports.get(rule.id) ?? [] }));
}

/** The rules that a file declares, in their order. */
function rulesIn(source: ts.SourceFile): DeclaredRule[] {
  const constants = constantsIn(source);
  return declarationsIn(source).flatMap(({ name, initializer }) => {
    const value = initializer && ts.isSatisfiesExpression(initializer) ? initializer.expression : initializer;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) return [];
    const entries = [...fieldsOf(value)].map(([key, field]) => [`${name.getText()}.${key}`, field] as const);
    return [[name.getText(), value] as const, ...entries].flatMap(([key, expression]) => {
      const rule = ruleIn(expression, constants);
      return rule === undefined ? [] : [{ rule, file: source.fileName, name: key }];
    });
  });
}

function ruleIn(expression: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): Rule | undefined {
  const fields = ts.isObjectLiteralExpression(expression) ? fieldsOf(expression) : new Map<string, ts.Expression>();
  const [id, title, origin] = ['id', 'title', 'source'].map((key) => joinedText(fields.get(key), constants));
  if (!id?.startsWith('TC-') || title === undefined) return undefined;
  return { id, title, ...(origin !== undefined && { source: origin }), ...(fields.has('warning') && { warning: true }) };
}

/** Wording of reports, by the id of the rule. */
function reportsOf(sources: readonly ts.SourceFile[], declared: readonly DeclaredRule[]): ReadonlyMap<string, readonly ReportWords[]> {
  const reports = new Map<string, ReportWords[]>();
  const places = new Map<string, number>();
  for (const source of sources) {
    const ids = idsByName(source, declared);
    const constants = constantsIn(source);
    const visit = (node: ts.Node): void => {
      const named = isUse(node) ? ids.get(node.getText()) : undefined;
      if (named !== undefined) places.set(named, (places.get(named) ?? 0) + 1);
      const [id, report]: [id?: string, report?: ReportWords] = ts.isObjectLiteralExpression(node) ? reportIn(node, ids, constants) : [];
      if (id !== undefined && report !== undefined) reports.set(id, [...reports.get(id) ?? [], report]);
      if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return new Map([...reports].filter(([id, all]) => all.length === places.get(id) && all.every(isWhole)).map(([id, all]) => [id, distinct(all)]));
}

/** Ids by the names that a file has for rules. Tables have names of their own in the whole library, constants only in their file. */
function idsByName(source: ts.SourceFile, declared: readonly DeclaredRule[]): ReadonlyMap<string, string> {
  const imported = new Set(source.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    const file = relative('/', join('/', dirname(source.fileName), `${(moduleSpecifier as ts.StringLiteral).text}.ts`));
    const bindings = importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => `${file} ${name.text}`) : [];
  }));
  const visible = declared.filter(({ file, name }) => name.includes('.') || file === source.fileName || imported.has(`${file} ${name}`));
  return new Map(visible.map(({ name, rule }) => [name, rule.id]));
}

/** True if an expression may name a rule, rather than declare it. */
function isUse(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node) || (ts.isIdentifier(node) && !(ts.isVariableDeclaration(node.parent) && node.parent.name === node));
}

/** True if a report says by itself what is wrong and what to do. */
function isWhole({ message, fix }: ReportWords): boolean {
  return !fix?.endsWith(VALUE) && [message, fix].every((text) => (text?.match(/[A-Za-z]{2,}/g) ?? []).length >= 2);
}

/** The constants of a file that are strings. */
function constantsIn(source: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  return new Map(declarationsIn(source).flatMap(({ name, initializer }) => (
    ts.isIdentifier(name) && initializer !== undefined && ts.isStringLiteralLike(initializer) ? [[name.text, initializer] as const] : [])));
}

function declarationsIn(source: ts.SourceFile): ts.VariableDeclaration[] {
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations);
}

function reportIn(
  object: ts.ObjectLiteralExpression, ids: ReadonlyMap<string, string>, constants: ReadonlyMap<string, ts.Expression>,
): [id?: string, report?: ReportWords] {
  const fields = fieldsOf(object);
  const id = ids.get(fields.get('rule')?.getText() ?? '');
  if (id === undefined) return [];
  const [message, accepted, fix] = ['message', 'accepted', 'fix'].map((key) => textOf(fields.get(key), constants));
  return message === undefined && fix === undefined ? [] : [id, { message, accepted, fix }];
}

function fieldsOf({ properties }: ts.ObjectLiteralExpression): ReadonlyMap<string, ts.Expression> {
  return new Map(properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => [name.getText(), initializer]));
}

/** The text of an expression or of a sum of expressions. */
function joinedText(expression: ts.Expression | undefined, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (expression === undefined || !ts.isBinaryExpression(expression)) return textOf(expression, constants);
  return `${joinedText(expression.left, constants)}${joinedText(expression.right, constants)}`;
}

/** The text of an expression; undefined if it is made elsewhere. */
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

/** The rules as the table that `explain` reads, one rule a line. */
export function renderRuleTable(all: readonly ConstructRule[]): string {
  const files = [...new Set(all.map(({ file }) => file))].map((file) => all.filter((rule) => rule.file === file));
  const ruleText = ({ id, title, source, warning, reports }: ConstructRule): string => (
    JSON.stringify({ id, title, source, warning, report: reports[0] }));
  const fileText = (rules: readonly ConstructRule[]): string => (
    `{"topic":${JSON.stringify(rules[0].topic)},"file":${JSON.stringify(rules[0].file)},"rules":[\n${rules.map(ruleText).join(',\n')}\n]}`);
  return `[\n${files.map(fileText).join(',\n')}\n]\n`;
}
