import { MANAGEMENT_RULES } from './rules';
import { checkTolerationsOf } from './workload-options';
import { checkLabels } from '../kubernetes/labels';
import { Toleration } from '../kubernetes/tolerations';
import { Problem } from '../validation/problem';

/** On which nodes parts of KubeVirt or CDI run. */
export interface ComponentPlacement {
  /**
   * Labels of the nodes.
   *
   * @default - every node
   */
  readonly nodeSelector?: { [label: string]: string };

  /**
   * Taints of nodes that the pods put up with (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];
}

/** Checks where parts run. */
export function checkPlacement(property: string, placement: ComponentPlacement | undefined): Problem[] {
  return [
    ...checkLabels(placement?.nodeSelector ?? {}).map(({ key, message }) => ({
      rule: MANAGEMENT_RULES.name, property: `${property}.nodeSelector["${key}"]`, message, fix: 'correct the label',
    })),
    ...checkTolerationsOf(`${property}.tolerations`, placement?.tolerations),
  ];
}
