import { RolloutStrategy } from './rollout-strategy';
import { POOL_RULES } from './rules';
import { MachineDeploymentSpecRollout, MachineDeploymentSpecRolloutStrategyType } from '../../../imports/cluster.x-k8s.io';
import { Problem } from '../../problems/problem';

/** `rollout` of the pool's MachineDeployment, complete, so that the webhook has nothing to add. */
export function rolloutFields(rollout: RolloutStrategy): MachineDeploymentSpecRollout {
  const { maxSurge, maxUnavailable } = rollout;
  if (!maxSurge || !maxUnavailable) return { strategy: { type: MachineDeploymentSpecRolloutStrategyType.ON_DELETE } };
  return {
    strategy: {
      type: MachineDeploymentSpecRolloutStrategyType.ROLLING_UPDATE,
      rollingUpdate: {
        maxSurge: maxSurge._intOrString(),
        maxUnavailable: maxUnavailable._intOrString(),
      },
    },
  };
}

/** Checks that a rollout can make progress. */
export function checkRollout(rollout: RolloutStrategy): Problem[] {
  const { maxSurge, maxUnavailable } = rollout;
  if (!maxSurge || !maxUnavailable) return [];
  const faults = [{ property: 'rollout.maxSurge', fault: maxSurge._fault() }, { property: 'rollout.maxUnavailable', fault: maxUnavailable._fault() }];
  const problems: Problem[] = faults.filter(({ fault }) => fault).map(({ property, fault }) => ({
    rule: POOL_RULES.rolloutCount, property, message: fault!, fix: 'write MachineCount.absolute(n) or MachineCount.percent(p)',
  }));
  if (problems.length === 0 && maxSurge.amount === 0 && maxUnavailable.amount === 0) {
    problems.push({
      rule: POOL_RULES.rolloutStalls,
      property: 'rollout',
      message: `maxSurge ${maxSurge} and maxUnavailable ${maxUnavailable} let a rollout neither add a machine nor take one away`,
      accepted: 'at least one of the two above 0',
      fix: 'allow one machine more with maxSurge, or one less with maxUnavailable',
    });
  }
  return problems;
}
