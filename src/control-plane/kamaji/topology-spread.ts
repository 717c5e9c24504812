import { k8s } from 'cdk8s-plus-28';
import { isCount } from './findings';
import { KAMAJI_RULES } from './rules';
import { checkQualifiedName } from '../../kubernetes/labels';
import { Problem, problemIf } from '../../validation/problem';

const ACTIONS: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/**
 * Checks constraints of how pods are spread as the API server does: without this, Kamaji would never get the Deployment made.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (`validateTopologySpreadConstraints`).
 */
export function checkTopologySpread(property: string, constraints: readonly k8s.TopologySpreadConstraint[]): Problem[] {
  return constraints.flatMap((constraint, index) => {
    const { maxSkew, minDomains, topologyKey, whenUnsatisfiable } = constraint;
    const before = constraints.slice(0, index).filter((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    const at = `${property}[${index}]`;
    const rule = KAMAJI_RULES.deployment;
    return [
      ...problemIf(rule, `${at}.maxSkew`, isCount(maxSkew, 1) ? undefined : `${maxSkew} is not a difference between two numbers of pods`, 'write a whole number from 1'),
      ...problemIf(
        rule, `${at}.minDomains`,
        minDomains === undefined || (isCount(minDomains, 1) && whenUnsatisfiable === 'DoNotSchedule') ? undefined : `${minDomains} domains cannot be asked for`,
        'write a whole number from 1, together with whenUnsatisfiable "DoNotSchedule"',
      ),
      ...problemIf(rule, `${at}.topologyKey`, checkQualifiedName(topologyKey), 'write a label of the management cluster\'s nodes'),
      ...problemIf(rule, `${at}.whenUnsatisfiable`, ACTIONS.includes(whenUnsatisfiable) ? undefined : `"${whenUnsatisfiable}" is not an action`, `write ${ACTIONS.map((action) => `"${action}"`).join(' or ')}`),
      ...problemIf(rule, at, before.length > 0 ? `"${topologyKey}" with "${whenUnsatisfiable}" is there twice` : undefined, 'join the two'),
    ];
  });
}
