import { isPageFields, PageCall, PageConstant, PageExpression, PageFields, PageFile, PageTemplate, PageValue } from '../rules/page-expression';

const WIDTH = 120;
const INDENT = '  ';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * An expression as TypeScript.
 *
 * @param expression the expression
 * @param indent blanks before the line that it begins on
 * @param column where it begins on that line, and what follows it
 */
export function expressionText(expression: PageExpression, indent = '', column = 0): string {
  const line = lineText(expression);
  if (indent.length + column + line.length <= WIDTH && !line.includes('\n')) return line;
  if (typeof expression === 'string') return stringText(expression, indent);
  if (expression instanceof PageCall) return callText(expression, indent);
  if (Array.isArray(expression)) return listText(expression as readonly PageExpression[], indent);
  return isPageFields(expression) ? fieldsText(expression, indent) : line;
}

/** An expression on one line. */
export function lineText(expression: PageExpression): string {
  if (typeof expression === 'string') return stringText(expression);
  if (expression instanceof PageFile) return stringText(expression.path);
  if (expression instanceof PageValue) return expression.text;
  if (expression instanceof PageTemplate) return templateText(expression);
  if (expression instanceof PageConstant) return expression.name;
  if (expression instanceof PageCall) return `${headText(expression)}(${expression.args.map(lineText).join(', ')})`;
  if (Array.isArray(expression)) return `[${(expression as readonly PageExpression[]).map(lineText).join(', ')}]`;
  if (!isPageFields(expression)) return JSON.stringify(expression);
  const fields = setFields(expression);
  return fields.length === 0 ? '{}' : `{ ${fields.map(([key, value]) => `${keyText(key)}: ${lineText(value)}`).join(', ')} }`;
}

function headText({ name, isNew }: PageCall): string {
  return isNew ? `new ${name}` : name;
}

/** The last argument, mostly options, goes over several lines. */
function callText(expression: PageCall, indent: string): string {
  const { args } = expression;
  const last = args.at(-1);
  const before = args.slice(0, -1).map((arg) => `${lineText(arg)}, `).join('');
  const head = `${headText(expression)}(${before}`;
  return last === undefined ? `${head})` : `${head}${expressionText(last, indent, head.length + 1)})`;
}

function listText(items: readonly PageExpression[], indent: string): string {
  const inner = `${indent}${INDENT}`;
  return `[\n${items.map((item) => `${inner}${expressionText(item, inner, 1)},\n`).join('')}${indent}]`;
}

function fieldsText(fields: PageFields, indent: string): string {
  const inner = `${indent}${INDENT}`;
  const lines = setFields(fields).map(([key, value]) => `${inner}${keyText(key)}: ${expressionText(value, inner, keyText(key).length + 3)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function setFields(fields: PageFields): [string, PageExpression][] {
  return Object.entries(fields).filter((entry): entry is [string, PageExpression] => entry[1] !== undefined);
}

function keyText(key: string): string {
  // Written plainly, it would be the prototype of the object.
  if (key === '__proto__') return `[${quoted(key)}]`;
  return IDENTIFIER.test(key) ? key : quoted(key);
}

/**
 * A string; one of several lines is a list of lines that are joined.
 *
 * @param text the string
 * @param indent blanks before the line that it begins on
 */
export function stringText(text: string, indent = ''): string {
  const lines = text.split('\n');
  if (lines.length > 2 && text.length > 60) return `[\n${lines.map((line) => `${indent}${INDENT}${quoted(line)},\n`).join('')}${indent}].join('\\n')`;
  return quoted(text);
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'");
  // Separators of lines, and what would end or change the text of a program.
  return `'${inner.replace(/[\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
}

function templateText({ parts }: PageTemplate): string {
  return `\`${parts.map((part) => (part instanceof PageValue ? `\${${part.text}}` : quoted(part).slice(1, -1).replace(/\\'/g, "'").replace(/[`$]/g, '\\$&'))).join('')}\``;
}

/** The names that an expression imports. */
export function importedNames(expression: PageExpression | undefined): string[] {
  if (expression instanceof PageConstant) return [rootOf(expression.name)];
  if (expression instanceof PageCall) return [rootOf(expression.name), ...expression.args.flatMap(importedNames)];
  if (Array.isArray(expression)) return (expression as readonly PageExpression[]).flatMap(importedNames);
  return isPageFields(expression) ? Object.values(expression).flatMap(importedNames) : [];
}

function rootOf(name: string): string {
  return name.split('.')[0];
}
