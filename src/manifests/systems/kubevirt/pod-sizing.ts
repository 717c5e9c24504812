import { KUBEVIRT_RULES } from '../../../constructs/infrastructures/kubevirt/rules';
import { KubevirtPodSizing } from '../../../constructs/contracts/capabilities/infra-cluster-capabilities';
import { Problem } from '../../values/problem';

/** The same with defaults filled in. Ratios that are none are left to the error. */
export function resolveSizing(sizing: KubevirtPodSizing = {}): Required<KubevirtPodSizing> {
  const usable = checkSizing(sizing).length === 0 ? sizing : {};
  return {
    cpuAllocationRatio: usable.cpuAllocationRatio ?? 10,
    memoryOvercommit: usable.memoryOvercommit ?? 100,
    memoryLimitsRatio: usable.memoryLimitsRatio ?? 2,
  };
}

/** Checks the numbers, which are in that property. */
export function checkSizing({ cpuAllocationRatio, memoryOvercommit, memoryLimitsRatio }: KubevirtPodSizing, property = 'isolation.kubevirtSizing'): Problem[] {
  return [
    ...expect(`${property}.cpuAllocationRatio`, cpuAllocationRatio, isWhole, 'whole numbers from 1'),
    ...expect(`${property}.memoryOvercommit`, memoryOvercommit, isWhole, 'whole percentages from 1'),
    ...expect(`${property}.memoryLimitsRatio`, memoryLimitsRatio, (ratio) => Number.isFinite(ratio) && ratio >= 1, 'numbers from 1'),
  ];
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function expect(property: string, value: number | undefined, holds: (value: number) => boolean, accepted: string): Problem[] {
  return value === undefined || holds(value) ? [] : [{
    rule: KUBEVIRT_RULES.podSizing, property, message: `${value} is no such number`, accepted, fix: 'copy the number from the KubeVirt object or the label',
  }];
}
