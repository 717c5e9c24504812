import { brokenGoFormat } from './go-formats';
import { StructureNode } from './kind-structure';
import { PatternWords, patternWords, QUANTITY } from './pattern-words';
import { StructureFindings } from './structure-findings';
import { choiceWords, shownValue, typeWords } from './value-words';
import { isFields } from '../../../images/manifest-object';
import { breaksFormat, exceedsFormat } from '../../../kubernetes/openapi-formats';
import { parseQuantity } from '../../../kubernetes/quantity';

/**
 * Texts beyond this are too long to be matched against a pattern in a time that nobody notices, which is shorter where a pattern may begin anywhere.
 * A server may refuse them.
 */
const LONGEST_MATCHED = { anchored: 65_536, other: 4096 } as const;

/** What is counted, and its plural. */
const UNITS = { character: 'characters', entry: 'entries', field: 'fields' } as const;

/** Entries that a fix shows. */
const MOST_PAIRS = 3;

/** Longer ones take long to read, and nobody writes them: they are only looked at. */
const LONGEST_QUANTITY = 100;
const LONG_QUANTITY = /^[-+]?(\d+(\.\d*)?|\.\d+)(([KMGTPE]i|[numkMGTPE])?|[eE][-+]?\d+)$/;

/** Larger ones are read as numbers with a fraction. At the bound, JavaScript cannot tell the largest whole number from the one behind it. */
const LARGEST_INTEGER = 2 ** 63;

const NUMERIC = /^-?\d+(\.\d+)?$/;

/** Whether a value has the type of its field; reports where it has not. */
export function checkType(node: StructureNode, value: unknown, findings: StructureFindings): boolean {
  const { type } = node;
  if (type === undefined || hasType(type, value)) return true;
  findings.add('type', { message: `${shownValue(value)} is not ${typeWords(type)}`, accepted: typeWords(type), fix: pairsFix(node, value) ?? typeFix(type, value) });
  return false;
}

/** Checks a scalar of the right type: its choices, bounds, length, pattern and format. What is wrong in several ways is reported once. */
export function checkScalar(node: StructureNode, value: unknown, findings: StructureFindings): void {
  if (node.enum && !(node.enum as readonly unknown[]).includes(value)) {
    findings.add('value', { message: `${shownValue(value)} is none of the choices`, accepted: choiceWords(node.enum), fix: 'write one of the choices' });
  } else if (typeof value === 'string' && node.type === 'quantity') {
    if (value.length > LONGEST_QUANTITY ? !LONG_QUANTITY.test(value) : parseQuantity(value) === undefined) wrongText(value, QUANTITY, findings);
  } else if (typeof value === 'string') {
    checkText(node, value, findings);
  } else if (typeof value === 'number') {
    checkNumber(node, value, findings);
  }
}

/** Checks that a number is one that a server takes for a whole one, in kinds other than Kubernetes' own. */
export function checkWholeNumber({ type, format }: StructureNode, value: unknown, findings: StructureFindings): void {
  if ((type !== 'integer' && type !== 'int-or-string') || typeof value !== 'number' || Math.abs(value) <= LARGEST_INTEGER || format !== undefined) return;
  checkNumber({ format: 'int64' }, value, findings);
}

/**
 * Checks a number that Go reads into a type of its own: beside texts, that is one of 32 bits. Quantities have a pattern, and may be larger.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/intstr/intstr.go.
 */
export function checkReadNumber({ type, pattern }: StructureNode, value: unknown, findings: StructureFindings): void {
  if (type === 'int-or-string' && pattern === undefined && typeof value === 'number') checkNumber({ format: 'int32' }, value, findings);
}

/**
 * Checks how many of something there are.
 *
 * @returns whether the number is within the bounds
 */
export function checkCount(least = 0, most = Infinity, count: number, unit: keyof typeof UNITS, findings: StructureFindings): boolean {
  if (count >= least && count <= most) return true;
  const accepted = count < least ? `at least ${counted(least, unit)}` : `at most ${counted(most, unit)}`;
  findings.add('value', { message: count === 0 ? 'it is empty' : `it has ${counted(count, unit)}`, accepted, fix: `write ${accepted}${count === 0 ? ', or leave the field out' : ''}` });
  return false;
}

function counted(count: number, unit: keyof typeof UNITS): string {
  return `${count} ${count === 1 ? unit : UNITS[unit]}`;
}

function checkText({ minLength, maxLength, pattern, regexp, format }: StructureNode, text: string, findings: StructureFindings): void {
  if ((minLength !== undefined || maxLength !== undefined) && !checkCount(minLength, maxLength, characters(text), 'character', findings)) return;
  if (regexp && text.length <= (pattern!.startsWith('^') ? LONGEST_MATCHED.anchored : LONGEST_MATCHED.other) && !regexp.test(text)) {
    const words = patternWords(pattern!);
    if (words) return wrongText(text, words, findings);
    findings.add('value', {
      message: `${shownValue(text)} does not match the pattern of the field`, accepted: `a text that matches ${pattern}`, fix: 'write a text that matches',
    });
  } else if (format !== undefined) {
    const words = brokenGoFormat(format, text) ?? (breaksFormat(format, text) ? `a text of the format ${format}` : undefined);
    if (words !== undefined) findings.add('value', { message: `${shownValue(text)} is not ${words}`, accepted: words, fix: formatFix(format) });
  }
}

function wrongText(text: string, { what, example }: PatternWords, findings: StructureFindings): void {
  findings.add('value', { message: `${shownValue(text)} is not ${what.replace(/:.*/, '')}`, accepted: what, fix: `write one such as ${JSON.stringify(example)}` });
}

function formatFix(format: string): string {
  return format === 'go-bytes' || format === 'byte' ? 'encode it in base64; in a Secret, stringData takes plain text' : 'correct the text';
}

function checkNumber({ minimum = -Infinity, maximum = Infinity, format }: StructureNode, value: number, findings: StructureFindings): void {
  if (value < minimum || value > maximum) {
    const bounds = [...(minimum === -Infinity ? [] : [`at least ${minimum}`]), ...(maximum === Infinity ? [] : [`at most ${maximum}`])].join(' and ');
    findings.add('value', { message: `${value} is too ${value < minimum ? 'small' : 'large'}`, accepted: bounds, fix: `write a number that is ${bounds}` });
  } else if (format !== undefined && exceedsFormat(format, value)) {
    findings.add('value', { message: `${value} does not fit into ${format}`, accepted: `a number that fits into ${format}`, fix: 'write a number that fits' });
  }
}

/** Go counts code points, not units of UTF-16. */
function characters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count++;
  return count;
}

function hasType(type: NonNullable<StructureNode['type']>, value: unknown): boolean {
  switch (type) {
    case 'object': return isFields(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    case 'number': return Number.isFinite(value);
    case 'int-or-string': return typeof value === 'string' || Number.isInteger(value);
    case 'quantity': return typeof value === 'string' || Number.isFinite(value);
    default: return typeof value === type;
  }
}

/** Older versions of kinds have maps where newer ones have lists of names and values, such as the extra arguments of kubeadm. */
function pairsFix({ type, items }: StructureNode, value: unknown): string | undefined {
  if (type !== 'array' || !isFields(value) || !['name', 'value'].every((field) => items?.fields?.has(field))) return undefined;
  const entries = Object.entries(value).filter(([, text]) => ['string', 'number', 'boolean'].includes(typeof text));
  const shown = entries.slice(0, MOST_PAIRS).map(([name, text]) => `{name: ${shownValue(name)}, value: ${shownValue(String(text))}}`);
  return `write a list of names and values: [${[...shown, ...(entries.length > MOST_PAIRS ? ['…'] : [])].join(', ')}]`;
}

function typeFix(type: NonNullable<StructureNode['type']>, value: unknown): string {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  switch (type) {
    case 'string': return isScalar ? 'put it in quotes' : 'write a text';
    case 'array': return isFields(value) ? 'begin each entry with a dash' : 'write it as a list';
    case 'object': return Array.isArray(value) ? 'write fields, without a dash before them' : 'write the fields below it, indented';
    case 'boolean': return value === 'true' || value === 'false' ? 'take the quotes off' : 'write true or false';
    default: return typeof value === 'string' && NUMERIC.test(value) ? 'take the quotes off' : `write ${typeWords(type)}`;
  }
}
