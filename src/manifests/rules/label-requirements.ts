import { FieldPath, Fields, isSet, objectsAt, scalarText, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';

/** Operators of requirements on labels, in lower case (kubernetes/apimachinery pkg/selection/operator.go). */
const OPERATORS: readonly string[] = ['=', '==', '!=', 'in', 'notin', 'exists', '!', 'gt', 'lt'];

/**
 * Checks requirements on labels that a provider hands to Kubernetes' library in any spelling, without those of a LabelSelector.
 *
 * Source: kubernetes/apimachinery pkg/labels/selector.go (NewRequirement).
 *
 * @param object the object
 * @param path path of the list of requirements
 */
export function checkRequirements(object: object, path: FieldPath): Finding[] {
  return objectsAt(object, ...path).flatMap(([expression, index]): Finding[] => {
    const written = stringAt(expression, 'operator');
    if (written === undefined) return [];
    const [operator, values] = [written.toLowerCase(), stringsAt(expression, 'values').map(([value]) => value)];
    const fault = valuesFault(operator, values);
    if (!OPERATORS.includes(operator)) {
      return [{
        path: [...path, index, 'operator'], message: `"${written}" is no operator`, accepted: OPERATORS.join(', '), fix: operator === 'doesnotexist' ? 'write !' : 'write one of these',
      }];
    }
    return fault === undefined ? [] : [{
      path: [...path, index, 'values'], message: `the operator "${written}" needs ${fault}, and there are ${values.length === 0 ? 'none' : values.join(', ')}`, fix: `write ${fault}`,
    }];
  });
}

/** A requirement on labels, with an operator in any spelling. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/**
 * True if labels meet all requirements; false if one of them has an operator or values that no object is selected with.
 *
 * Source: kubernetes/apimachinery pkg/labels/selector.go (Requirement.Matches).
 */
export function labelsMeet(labels: Fields, requirements: readonly LabelRequirement[]): boolean {
  return requirements.every(({ key, operator: written, values }) => {
    const operator = written.toLowerCase();
    if (!OPERATORS.includes(operator) || valuesFault(operator, values) !== undefined) return false;
    const value = Object.hasOwn(labels, key) && isSet(labels, key) ? scalarText(labels[key]) : undefined;
    switch (operator) {
      case 'exists': return value !== undefined;
      case '!': return value === undefined;
      case 'notin': case '!=': return value === undefined || !values.includes(value);
      case 'gt': case 'lt': {
        const [own, bound] = [value, values[0]].map((text) => (text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined));
        return own !== undefined && bound !== undefined && (operator === 'gt' ? own > bound : own < bound);
      }
      default: return value !== undefined && values.includes(value);
    }
  });
}

/** The values that an operator needs, if it does not have them (NewRequirement). */
function valuesFault(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'in' || operator === 'notin') return values.length > 0 ? undefined : 'one or several values';
  if (operator === 'exists' || operator === '!') return values.length === 0 ? undefined : 'no values';
  if (operator === 'gt' || operator === 'lt') return values.length === 1 && /^-?\d+$/.test(values[0]) ? undefined : 'one integer';
  return values.length === 1 ? undefined : 'one value';
}
