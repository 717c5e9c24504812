import { KUBEVIRT_RULES } from './rules';
import { InstanceFields } from './template-types';
import { checkLabels } from '../../../manifests/values/labels';
import { checkTolerations, Toleration } from '../../../manifests/values/tolerations';
import { PropertyReport } from '../../app/problems/property-report';

/** Spread of the machines of a pool over the hosts. */
export enum HostSpread {
  /** Evenly where there is room, unevenly where there is not. */
  PREFERRED = 'ScheduleAnyway',

  /** Evenly; a machine that would make it uneven waits for room. */
  REQUIRED = 'DoNotSchedule',

  /** As the scheduler likes. */
  NONE = 'None',
}

/** Spreads the pods of virtual machines over hosts, by their labels. */
export function renderSpread(spread: HostSpread, matchLabels: { [key: string]: string }): InstanceFields['topologySpreadConstraints'] {
  if (spread === HostSpread.NONE) return undefined;
  return [{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: spread, labelSelector: { matchLabels } }];
}

/** Checks the labels that hosts must have. */
export function checkNodeSelector(report: PropertyReport, selector: { [key: string]: string }): void {
  report.addAll(KUBEVIRT_RULES.label, checkLabels(selector));
}

/** Checks tolerations as the API server does for the pods of virtual machines. */
export function checkMachineTolerations(report: PropertyReport, tolerations: readonly Toleration[]): void {
  report.addAll(KUBEVIRT_RULES.toleration, checkTolerations(tolerations));
}
