import { IConstruct } from 'constructs';
import { Problem, Rule } from '../../manifests/values/problem';
import { ConstructSlot } from '../app/app-state';
import { Problems } from '../app/problems/problems';

/** Finds the changes of a cluster, or of one of its pools by the name of its objects, in words. */
export type FindFrozenChanges = (construct: IConstruct, pool?: string) => readonly string[];

const FIND = new ConstructSlot<FindFrozenChanges>('FindFrozenChanges');

/** Makes an app refuse changes of its frozen clusters and pools. */
export function refuseFrozenChanges(app: IConstruct, find: FindFrozenChanges): void {
  FIND.set(app, find);
}

/**
 * Freezes a cluster or a pool, in an app that knows the output before.
 *
 * @param construct the cluster or pool
 * @param reason the reason as the user gave it; undefined if it is not frozen
 * @param pool name of the objects of the pool
 */
export function freeze(construct: IConstruct, reason: string | undefined, pool?: string): void {
  if (reason !== undefined) Problems.of(construct)._addCheck(() => checkFrozen(construct, reason, pool));
}

const FREEZE_REASON_RULE: Rule = {
  id: 'TC-CLUSTER-FREEZE-REASON',
  title: 'A frozen cluster or pool must have a reason.',
};

const FROZEN_RULE: Rule = {
  id: 'TC-CLUSTER-FROZEN',
  title: 'A frozen cluster or pool must not change: the plan shows nothing for it.',
};

const FREEZE_APP_RULE: Rule = {
  id: 'TC-CLUSTER-FREEZE-APP',
  title: 'A frozen cluster or pool should be written by a GitOpsApp, which compares it with the output before.',
  warning: true,
};

function checkFrozen(construct: IConstruct, reason: string, pool?: string): Problem[] {
  if (reason.trim() === '') {
    return [{ rule: FREEZE_REASON_RULE, property: 'freeze', message: `it is ${JSON.stringify(reason)}`, fix: 'give the reason, or remove it' }];
  }
  const find = FIND.get(construct.node.root);
  if (!find) {
    return [{ rule: FREEZE_APP_RULE, property: 'freeze', message: 'nothing is refused, because this app compares nothing', fix: 'write with a GitOpsApp, or remove freeze' }];
  }
  const changes = find(construct, pool);
  return changes.length === 0 ? [] : [{
    rule: FROZEN_RULE,
    property: 'freeze',
    message: `nothing may change (${JSON.stringify(reason.trim())}), but this would: ${changes.join('; ')}`,
    fix: 'undo the change, or remove freeze',
  }];
}
