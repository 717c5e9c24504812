import { allOf } from './all-of';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding, findingsOf } from '../values/finding';
import { checkLabelKey, checkLabelValue } from '../values/labels';

const FIX = 'correct the selector';
const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/**
 * Checks whether a label selector is valid. Values of wrong types are reported by the check of structure.
 *
 * Source: kubernetes/apimachinery pkg/apis/meta/v1/helpers.go (LabelSelectorAsSelector).
 */
export function checkLabelSelector(selector: unknown): readonly Finding[] {
  if (!isFields(selector)) return [];
  const labels = labelsIn(selector).flatMap(([key, value]) => findingsOf(['matchLabels', key], [checkLabelKey(key), checkLabelValue(value)], FIX));
  const expressions = objectsAt(selector, 'matchExpressions').flatMap(([expression, index]) => {
    const path: FieldPath = ['matchExpressions', index];
    const { key } = expression;
    return allOf(
      findingsOf([...path, 'key'], [typeof key === 'string' ? checkLabelKey(key) : undefined], FIX),
      stringsAt(expression, 'values').flatMap(([value, at]) => findingsOf([...path, 'values', at], [checkLabelValue(value)], FIX)),
      checkOperator(expression, path),
    );
  });
  return allOf(labels, expressions);
}

/** True if a selector has nothing to select by. */
export function isEmptySelector(selector: unknown): boolean {
  const labels = fieldAt(selector, 'matchLabels');
  return isFields(selector) && !(isFields(labels) && Object.keys(labels).length > 0) && listAt(selector, 'matchExpressions').length === 0;
}

/**
 * True if a selector selects an object with these labels.
 *
 * @param selector one that can be read
 */
export function selects(selector: unknown, labels: Fields): boolean {
  const wanted = fieldAt(selector, 'matchLabels');
  if (isFields(wanted)) for (const key of Object.keys(wanted)) if (typeof wanted[key] === 'string' && labels[key] !== wanted[key]) return false;
  return objectsAt(selector, 'matchExpressions').every(([expression]) => holds(expression, labels));
}

/** The labels that a selector asks for. */
export function labelsIn(selector: unknown): readonly (readonly [string, string])[] {
  const labels = fieldAt(selector, 'matchLabels');
  if (!isFields(labels)) return [];
  return Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function checkOperator(expression: Fields, path: FieldPath): Finding[] {
  const operator = stringAt(expression, 'operator');
  if (operator === undefined) return [];
  if (!OPERATORS.includes(operator)) return [{ path: [...path, 'operator'], message: `${JSON.stringify(operator)} is not an operator; accepted are ${OPERATORS.join(', ')}`, fix: FIX }];
  const count = listAt(expression, 'values').length;
  if (operator === 'In' || operator === 'NotIn') return count > 0 ? [] : [{ path, message: `${operator} needs values`, fix: FIX }];
  return count === 0 ? [] : [{ path: [...path, 'values'], message: `${operator} takes no values`, fix: FIX }];
}

/** A label as it is compared, also one that is no text, which is said elsewhere. */
function labelText(label: unknown): string {
  return typeof label === 'object' ? '' : String(label);
}

function holds(expression: Fields, labels: Fields): boolean {
  const key = stringAt(expression, 'key') ?? '';
  const values = stringsAt(expression, 'values').map(([value]) => value);
  const has = Object.hasOwn(labels, key) && isSet(labels, key);
  switch (expression.operator) {
    case 'In': return has && values.includes(labelText(labels[key]));
    case 'NotIn': return !has || !values.includes(labelText(labels[key]));
    case 'Exists': return has;
    default: return !has;
  }
}

