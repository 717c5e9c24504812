import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, scalarText, stringAt, stringsAt } from '../values/fields';
import { allOf, Finding, findingsOf } from '../values/finding';
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

function holds(expression: Fields, labels: Fields): boolean {
  const key = stringAt(expression, 'key') ?? '';
  const values = stringsAt(expression, 'values').map(([value]) => value);
  const has = Object.hasOwn(labels, key) && isSet(labels, key);
  switch (expression.operator) {
    case 'In': return has && values.includes(scalarText(labels[key]));
    case 'NotIn': return !has || !values.includes(scalarText(labels[key]));
    case 'Exists': return has;
    default: return !has;
  }
}

interface Labelled {
  readonly object: ManifestObject;
  readonly labels: Fields;
}

/** A list of objects, and those of them that have a label. */
interface Sorted {
  readonly all: readonly Labelled[];
  readonly byLabel: ReadonlyMap<string, ReadonlyMap<unknown, readonly Labelled[]>>;

  /** Selected objects, by selectors for which many have to be looked at: those of a fleet may be the same. */
  readonly selected: Map<string, readonly ManifestObject[]>;
}

/** Most selectors whose objects are kept. */
const MOST_SELECTORS = 100;

/** Lists up to this length are gone through. */
const SHORT = 4;

/** Finds the objects of a list that a selector selects, without a look at each of them: one of its labels has few, most times. */
export class SelectedObjects {
  private readonly lists = new WeakMap<readonly ManifestObject[], Sorted>();

  /** @param labelsOf the labels that an object is selected by */
  public constructor(private readonly labelsOf: (object: ManifestObject) => Fields) {}

  /**
   * The objects that are selected, in their order.
   *
   * @param objects the same list each time, which is sorted once
   * @param selector one that can be read
   */
  public of(objects: readonly ManifestObject[], selector: unknown): readonly ManifestObject[] {
    if (objects.length <= SHORT) return objects.filter((object) => selects(selector, this.labelsOf(object)));
    let sorted = this.lists.get(objects);
    if (!sorted) this.lists.set(objects, sorted = this.sort(objects));
    let candidates = sorted.all;
    for (const [key, value] of labelsIn(selector)) {
      const having = sorted.byLabel.get(key)?.get(value) ?? [];
      if (having.length < candidates.length) candidates = having;
    }
    const select = () => candidates.filter(({ labels }) => selects(selector, labels)).map(({ object }) => object);
    if (candidates.length <= SHORT) return select();
    const { selected } = sorted;
    const key = JSON.stringify(selector);
    let found = selected.get(key);
    if (!found) {
      if (selected.size === MOST_SELECTORS) selected.clear();
      selected.set(key, found = select());
    }
    return found;
  }

  private sort(objects: readonly ManifestObject[]): Sorted {
    const all = objects.map((object) => ({ object, labels: this.labelsOf(object) }));
    const byLabel = new Map<string, Map<unknown, Labelled[]>>();
    for (const labelled of all) {
      for (const [key, value] of Object.entries(labelled.labels)) {
        let values = byLabel.get(key);
        if (!values) byLabel.set(key, values = new Map());
        const same = values.get(value);
        if (same) same.push(labelled);
        else values.set(value, [labelled]);
      }
    }
    return { all, byLabel, selected: new Map() };
  }
}
