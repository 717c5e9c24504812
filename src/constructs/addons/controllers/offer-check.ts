import { CONTROLLER_RULES } from './rules';
import { TenantControllerPodOptions } from './tenant-controller-options';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { checkPriorityClass } from '../../contracts/capabilities/priority-class';
import { ClusterContext } from '../../contracts/cluster-context';

/** Checks the options of a controller's pod against the known capabilities of the management cluster. */
export function checkControllerOffer(property: string, { priorityClassName }: TenantControllerPodOptions, { management }: ClusterContext): Problem[] {
  const findings = checkPriorityClass(priorityClassName, management ?? {}, 'the management cluster');
  return problemsOf(CONTROLLER_RULES.priorityClass, `${property}.priorityClassName`, findings);
}
