import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';

/** Checks that a list is not longer than the schema takes. */
export function checkLength(list: readonly unknown[], max: number, property: string): Problem[] {
  if (list.length <= max) return [];
  return [{
    rule: KUBEADM_RULES.listLength,
    property,
    message: `the list has ${list.length} items`,
    accepted: `at most ${max}`,
    fix: 'join or remove some of them',
  }];
}
