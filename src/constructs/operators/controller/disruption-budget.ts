import { Construct } from 'constructs';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';

const KEEPS_NODES = 'no pod could ever be evicted, and no node of one be drained';
const PROTECTS_NOTHING = 'all pods may be evicted at once, as without a budget';

/** Number of pods of an operator that stay while nodes are drained. Pods that are not ready can always be evicted. */
export interface OperatorPodDisruptionBudget {
  /**
   * Pods that stay, at least one and fewer than `replicas` (`TC-OPERATOR-DISRUPTION`).
   *
   * @default - the number that `maxUnavailable` leaves
   */
  readonly minAvailable?: number;

  /**
   * Pods that may be evicted at a time, at least one and fewer than `replicas` (`TC-OPERATOR-DISRUPTION`).
   *
   * @default - 1, unless `minAvailable` is given
   */
  readonly maxUnavailable?: number;
}

/** Adds the PodDisruptionBudget if there are several pods: that of a single pod would keep its node from being drained. */
export function addDisruptionBudget(scope: Construct, identity: OperatorIdentity, replicas: number, budget: OperatorPodDisruptionBudget): void {
  const { name, namespace, labels } = identity;
  if (replicas < 2) return;
  const { minAvailable, maxUnavailable } = budget;
  const object = new TypedApiObject(scope, 'PodDisruptionBudget', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, {
    metadata: { name, namespace, labels },
    spec: {
      minAvailable,
      maxUnavailable: maxUnavailable ?? (minAvailable === undefined ? 1 : undefined),
      selector: { matchLabels: selectorOf(name) },
      // A controller that does not get ready must not keep its node from being drained.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  });
  FieldSources.record(object, scope, { 'spec.minAvailable': 'podDisruptionBudget.minAvailable', 'spec.maxUnavailable': 'podDisruptionBudget.maxUnavailable' });
}

const DISRUPTION_RULE: Rule = {
  id: 'TC-OPERATOR-DISRUPTION',
  title: 'A disruption budget must keep at least one pod of an operator, and must allow the eviction of at least one.',
};

/** Checks the budget against the number of pods. */
export function checkDisruptionBudget(replicas: number, budget: OperatorPodDisruptionBudget | undefined): Problem[] {
  if (!budget) return [];
  const { minAvailable, maxUnavailable } = budget;
  return [
    ...problemIf(DISRUPTION_RULE, 'podDisruptionBudget.maxUnavailable', replicas < 2 && minAvailable !== undefined && maxUnavailable !== undefined
      ? 'it is given beside minAvailable' : undefined, 'give one of the two'),
    ...checkCount('minAvailable', minAvailable, replicas, { none: PROTECTS_NOTHING, all: KEEPS_NODES }),
    ...checkCount('maxUnavailable', maxUnavailable, replicas, { none: KEEPS_NODES, all: PROTECTS_NOTHING }),
  ];
}

/** Checks that a number of pods is neither none of them nor all. */
function checkCount(name: string, count: number | undefined, replicas: number, meaning: { readonly none: string; readonly all: string }): Problem[] {
  if (count === undefined) return [];
  const message = count === 0 ? meaning.none
    // The budget of a single pod, which may be meant for another stage, is not written: no rule over manifests sees it.
    : replicas < 2 ? (Number.isSafeInteger(count) && count > 0 ? undefined : `${count} is not a number of pods`)
      : count >= replicas ? `with ${count} of ${replicas}, ${meaning.all}` : undefined;
  const fix = replicas < 2 ? 'give a whole number from 1' : `give a whole number from 1 to ${replicas - 1}`;
  return problemIf(DISRUPTION_RULE, `podDisruptionBudget.${name}`, message, fix);
}
