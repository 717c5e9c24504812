import { MANAGEMENT_RULES } from './rules';
import { checkTolerationsOf } from './workload-options';
import { Problem } from '../problems/problem';
import { checkLabels } from '../values/labels';
import { Toleration } from '../values/tolerations';

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
    ...checkLabels(placement?.nodeSelector ?? {}).map(({ key, message }) => ({
      rule: MANAGEMENT_RULES.name, property: `${property}.nodeSelector["${key}"]`, message, fix: 'correct the label',
    })),
    ...checkTolerationsOf(`${property}.tolerations`, placement?.tolerations),
  ];
}
