import { StructureNode } from './kind-structure';
import { StructureFindings } from './structure-findings';
import { choiceWords, shownValue, typeWords } from './value-words';
import { isFields } from '../../../images/manifest-object';
import { breaksFormat, exceedsFormat } from '../../../kubernetes/openapi-formats';

/** Texts beyond this are too long to be matched against a pattern in a time that nobody notices. A server may refuse them. */
const LONGEST_MATCHED = 4096;

/** What is counted, and its plural. */
const UNITS = { character: 'characters', entry: 'entries', field: 'fields' } as const;

const NUMERIC = /^-?\d+(\.\d+)?$/;

/** Whether a value has the type of its field; reports where it has not. */
export function checkType({ type }: StructureNode, value: unknown, findings: StructureFindings): boolean {
  if (type === undefined || hasType(type, value)) return true;
  findings.add('type', { message: `${shownValue(value)} is not ${typeWords(type)}`, accepted: typeWords(type), fix: typeFix(type, value) });
  return false;
}

/** Checks a scalar of the right type: its choices, bounds, length, pattern and format. What is wrong in several ways is reported once. */
export function checkScalar(node: StructureNode, value: unknown, findings: StructureFindings): void {
  if (node.enum && !node.enum.some((choice) => choice === value)) {
    findings.add('value', { message: `${shownValue(value)} is none of the choices`, accepted: choiceWords(node.enum), fix: 'write one of the choices' });
  } else if (typeof value === 'string') {
    checkText(node, value, findings);
  } else if (typeof value === 'number') {
    checkNumber(node, value, findings);
  }
}

/**
 * Checks how many of something there are.
 *
 * @returns whether the number is within the bounds
 */
export function checkCount(least = 0, most = Infinity, count: number, unit: keyof typeof UNITS, findings: StructureFindings): boolean {
  if (count >= least && count <= most) return true;
  const accepted = count < least ? `at least ${counted(least, unit)}` : `at most ${counted(most, unit)}`;
  findings.add('value', { message: `it has ${counted(count, unit)}`, accepted, fix: `write ${accepted}${count === 0 ? ', or leave the field out' : ''}` });
  return false;
}

function counted(count: number, unit: keyof typeof UNITS): string {
  return `${count} ${count === 1 ? unit : UNITS[unit]}`;
}

function checkText({ minLength, maxLength, pattern, regexp, format }: StructureNode, text: string, findings: StructureFindings): void {
  if ((minLength !== undefined || maxLength !== undefined) && !checkCount(minLength, maxLength, characters(text), 'character', findings)) return;
  if (regexp && text.length <= LONGEST_MATCHED && !regexp.test(text)) {
    findings.add('value', {
      message: `${shownValue(text)} does not match the pattern of the field`, accepted: `a text that matches ${pattern}`, fix: 'write a text that matches',
    });
  } else if (format !== undefined && breaksFormat(format, text)) {
    findings.add('value', { message: `${shownValue(text)} is not of the format ${format}`, accepted: `a text of the format ${format}`, fix: 'correct the text' });
  }
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
    default: return typeof value === type;
  }
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
