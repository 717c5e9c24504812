import { IConstruct } from 'constructs';
import { checkWindows, TimeWindow } from './time-window';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ConstructSlot } from '../../app/app-state';

const HELD = new ConstructSlot<true>('HoldsChangeWindows');

/** Records that the entry points of an app hold windows. */
export function setHoldsWindows(app: IConstruct): void {
  HELD.set(app, true);
}

const ENTRY_POINTS_RULE: Rule = {
  id: 'TC-WINDOW-ENTRY-POINTS',
  title: 'A cluster with windows must be written by a GitOpsApp whose entry points hold them.',
};

/**
 * Checks the windows of a cluster, and that the app around it holds them.
 *
 * @param scope a construct of the app
 * @param windows the windows; undefined if the cluster has none
 */
export function checkChangeWindows(scope: IConstruct, windows: readonly TimeWindow[] | undefined): Problem[] {
  if (!windows) return [];
  const property = 'changeWindows';
  const problems = checkWindows(windows, property);
  if (HELD.get(scope.node.root)) return problems;
  return [...problems, {
    rule: ENTRY_POINTS_RULE,
    property,
    message: 'nothing holds back a change, because the app has no entry points that know windows',
    accepted: 'a GitOpsApp with FluxEntryPoints that have a windowedSource, ArgoCdEntryPoints, or ArgoCdApplicationSet',
    fix: 'give the app such entryPoints, or remove changeWindows',
  }];
}
