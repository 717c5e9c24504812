import type { k8s } from 'cdk8s-plus-28';
import { Finding } from '../../../manifests/values/finding';
import { checkQualifiedName } from '../../../manifests/values/labels';

const ACTIONS: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/**
 * Checks topology spread constraints as the API server does for pods; the schema has the types and sizes of numbers.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (`validateTopologySpreadConstraints`).
 */
export function checkTopologySpread(constraints: readonly k8s.TopologySpreadConstraint[]): Finding[] {
  return constraints.flatMap((constraint, index) => {
    const { maxSkew, minDomains, topologyKey, whenUnsatisfiable } = constraint;
    const earlier = constraints.slice(0, index);
    const isRepeated = earlier.some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    const keyFault = checkQualifiedName(topologyKey);
    const findings: Finding[] = [];
    const add = (field: readonly string[], message: string, fix: string) => findings.push({ path: [index, ...field], message, fix });
    if (!(maxSkew >= 1)) add(['maxSkew'], `${maxSkew} is not a difference between two numbers of pods`, 'write a whole number from 1');
    if (minDomains !== undefined && !(minDomains >= 1 && whenUnsatisfiable === 'DoNotSchedule')) {
      add(['minDomains'], `${minDomains} domains cannot be asked for`, 'write a whole number from 1, with whenUnsatisfiable "DoNotSchedule"');
    }
    if (keyFault !== undefined) add(['topologyKey'], keyFault, 'write a label of the nodes');
    if (!ACTIONS.includes(whenUnsatisfiable)) {
      add(['whenUnsatisfiable'], `"${whenUnsatisfiable}" is not an action`, `write ${ACTIONS.map((action) => `"${action}"`).join(' or ')}`);
    }
    if (isRepeated) add([], `"${topologyKey}" with "${whenUnsatisfiable}" is there twice`, 'join the two');
    return findings;
  });
}
