import { CNI_RULES } from './rules';
import { Values } from '../../../manifests/values/chart-values';
import { fieldAt } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';

/** The consequence of replacing kube-proxy. */
export const KUBE_PROXY = 'the control plane leaves kube-proxy out, or brings it, by the property';

/** A value of a chart that a property sets. */
export interface TypedValue {
  /** Path of the value: keys joined by dots. */
  readonly path: string;

  /** The property, e.g. `tunnelPort`. */
  readonly property: string;

  /** The value that the property sets; undefined if the property is unset, so that any value is accepted. */
  readonly expected: unknown;

  /**
   * Further consequence of the property.
   *
   * @default - none: only the two contradict each other
   */
  readonly because?: string;
}

/**
 * Reports values that contradict a property: the value would win in the chart, but the rest of the cluster follows the property.
 *
 * @param values the user's values
 * @param typed the values that properties set
 */
export function checkContradictions(values: Values | undefined, typed: readonly TypedValue[]): Problem[] {
  return typed.flatMap(({ path, property, expected, because }): Problem[] => {
    const found = fieldAt(values ?? {}, ...path.split('.'));
    // Charts treat a boolean or a number and its string form the same.
    if (expected === undefined || found === undefined || String(found) === String(expected)) return [];
    return [{
      rule: CNI_RULES.contradiction,
      property: `values.${path}`,
      message: `it is ${JSON.stringify(found)}, but ${property} sets it to ${JSON.stringify(expected)}${because === undefined ? '' : `: ${because}`}`,
      fix: `set ${property}, and remove the key from values`,
    }];
  });
}
