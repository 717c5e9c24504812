import { PodSizing } from '../../rules/provider';

/** A number that KubeVirt's configuration cannot have. */
export interface SizingFault {
  readonly field: keyof PodSizing;
  readonly value: number;
  readonly accepted: string;
}

/** KubeVirt's ratios with its defaults. The defaults replace all of them if one is invalid. */
export function resolveSizing(sizing: PodSizing): Required<PodSizing> {
  const usable = sizingFaults(sizing).length === 0 ? sizing : {};
  return {
    cpuAllocationRatio: usable.cpuAllocationRatio ?? 10,
    memoryOvercommit: usable.memoryOvercommit ?? 100,
    memoryLimitsRatio: usable.memoryLimitsRatio ?? 2,
  };
}

/** Checks KubeVirt's ratios. */
export function sizingFaults({ cpuAllocationRatio, memoryOvercommit, memoryLimitsRatio }: PodSizing): SizingFault[] {
  const fault = (field: keyof PodSizing, value: number | undefined, holds: (value: number) => boolean, accepted: string): SizingFault[] => (
    value === undefined || holds(value) ? [] : [{ field, value, accepted }]);
  return [
    ...fault('cpuAllocationRatio', cpuAllocationRatio, isWhole, 'whole numbers from 1'),
    ...fault('memoryOvercommit', memoryOvercommit, isWhole, 'whole percentages from 1'),
    ...fault('memoryLimitsRatio', memoryLimitsRatio, (ratio) => Number.isFinite(ratio) && ratio >= 1, 'numbers from 1'),
  ];
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
