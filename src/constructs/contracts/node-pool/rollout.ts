import { RolloutStrategy } from './rollout-strategy';
import { POOL_RULES } from './rules';
import { MachineDeploymentSpecRollout, MachineDeploymentSpecRolloutStrategyType } from '../../../../imports/cluster.x-k8s.io';
import { Problem } from '../../../manifests/values/problem';

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

/** Checks that the counts are numbers: others do not reach the output. */
export function checkRollout({ maxSurge, maxUnavailable }: RolloutStrategy): Problem[] {
  return Object.entries({ maxSurge, maxUnavailable }).filter(([, count]) => count && !Number.isFinite(count.amount)).map(([name, count]) => ({
    rule: POOL_RULES.rolloutCount, property: `rollout.${name}`, message: `${count} is not a number of machines`, fix: 'write MachineCount.absolute(n) or MachineCount.percent(p)',
  }));
}
