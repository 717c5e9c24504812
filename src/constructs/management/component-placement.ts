import { MANAGEMENT_RULES } from './rules';
import { checkLabels } from '../../manifests/values/labels';
import { Problem, problemsOf } from '../../manifests/values/problem';
import { checkTolerations, Toleration } from '../../manifests/values/tolerations';

/** Nodes for components of KubeVirt or CDI. */
export interface ComponentPlacement {
  /**
   * Labels of the nodes.
   *
   * @default - every node
   */
  readonly nodeSelector?: { [label: string]: string };

  /**
   * Tolerations of the pods (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];
}

/** Checks a placement. */
export function checkPlacement(property: string, placement: ComponentPlacement | undefined): Problem[] {
  return [
    ...problemsOf(MANAGEMENT_RULES.name, `${property}.nodeSelector`, checkLabels(placement?.nodeSelector ?? {})),
    ...problemsOf(MANAGEMENT_RULES.toleration, `${property}.tolerations`, checkTolerations(placement?.tolerations ?? [])),
  ];
}
