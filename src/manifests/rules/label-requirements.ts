import { FieldPath, objectsAt, stringAt, stringsAt } from '../values/fields';
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

/** The values that an operator needs, if it does not have them (NewRequirement). */
function valuesFault(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'in' || operator === 'notin') return values.length > 0 ? undefined : 'one or several values';
  if (operator === 'exists' || operator === '!') return values.length === 0 ? undefined : 'no values';
  if (operator === 'gt' || operator === 'lt') return values.length === 1 && /^-?\d+$/.test(values[0]) ? undefined : 'one integer';
  return values.length === 1 ? undefined : 'one value';
}
