import { CNI_RULES } from './rules';
import { fieldAt } from '../../images/manifest-object';
import { Problem } from '../../validation/problem';
import { Values } from '../values';

/** What follows from taking the place of kube-proxy. */
export const KUBE_PROXY = 'the control plane leaves kube-proxy out, or brings it, by the property';

/** A value of a chart that a property stands for. */
export interface TypedValue {
  /** Where the value is, as keys joined by dots. */
  readonly path: string;

  /** The property, e.g. `tunnelPort`. */
  readonly property: string;

  /** What the property makes of the value; undefined where the property is not given, so that the values may say anything. */
  readonly expected: unknown;

  /**
   * What else follows from the property.
   *
   * @default - nothing: only the two contradict each other
   */
  readonly because?: string;
}

/**
 * Reports values that say something else than a property: they would win in the chart, and the rest of the cluster follows the property.
 *
 * @param values what the user gave as values
 * @param typed what properties stand for
 */
export function checkContradictions(values: Values | undefined, typed: readonly TypedValue[]): Problem[] {
  return typed.flatMap(({ path, property, expected, because }): Problem[] => {
    const found = fieldAt(values ?? {}, ...path.split('.'));
    // Helm makes no difference between a truth value or number and its text in the places where charts ask for one.
    if (expected === undefined || found === undefined || String(found) === String(expected)) return [];
    return [{
      rule: CNI_RULES.contradiction,
      property: `values.${path}`,
      message: `it is ${JSON.stringify(found)}, and by ${property} it is ${JSON.stringify(expected)}${because === undefined ? '' : `: ${because}`}`,
      fix: `say it by ${property}, and leave it out of values`,
    }];
  });
}
