import { CONTROLLER_RULES } from './rules';
import { TenantControllerPodOptions } from './tenant-controller-options';
import { ClusterContext } from '../cluster-context';
import { checkPriorityClass } from '../management/capabilities/priority-class';
import { Problem } from '../validation/problem';

/** Checks what the pod of a controller uses of the management cluster against what that offers, as far as it is known. */
export function checkControllerOffer(property: string, { priorityClassName }: TenantControllerPodOptions, { management }: ClusterContext): Problem[] {
  return checkPriorityClass(priorityClassName, management ?? {}, 'the management cluster').map((finding) => ({
    rule: CONTROLLER_RULES.priorityClass, property: `${property}.priorityClassName`, ...finding,
  }));
}
