import { ISOLATION_RULES } from './rules';
import { Problem } from '../validation/problem';

/** How the KubeVirt of the management cluster sizes the pods of virtual machines, as its `KubeVirt` object and the namespace's labels say. */
export interface KubevirtPodSizing {
  /**
   * How many CPUs of a machine share one requested CPU: `cpuAllocationRatio`.
   *
   * @default 10
   */
  readonly cpuAllocationRatio?: number;

  /**
   * Memory that machines believe they have, in percent of what is requested for it: `memoryOvercommit`.
   *
   * @default 100
   */
  readonly memoryOvercommit?: number;

  /**
   * What the memory limit is a multiple of, where a quota of `limits.memory` makes KubeVirt set one: the namespace's label
   * `alpha.kubevirt.io/auto-memory-limits-ratio`. The label itself belongs into `namespaceLabels` of the cluster.
   *
   * @default 2
   */
  readonly memoryLimitsRatio?: number;
}

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
    rule: ISOLATION_RULES.sizing, property, message: `${value} is no such number`, accepted, fix: 'copy the number from the KubeVirt object or the label',
  }];
}
