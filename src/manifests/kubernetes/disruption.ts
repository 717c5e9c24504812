import { deploymentText, objectText } from './examples';
import { autoscalerOf, selectedWorkloads } from './scaled-workloads';
import { nameOf } from '../objects/manifest-object';
import { blockingField } from '../rules/disruption-budgets';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector } from '../rules/label-selectors';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, isFields, numberAt } from '../values/fields';

const BUDGET_TEXT = objectText('policy/v1', 'PodDisruptionBudget', 'spec:\n  minAvailable: 1\n  selector:\n    matchLabels: {app: web}\n');

const budget: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-DISRUPTION-BUDGET',
  title: 'A PodDisruptionBudget should let one of its pods be evicted: the drain of their nodes never ends otherwise, and their machines are not replaced.',
  source: 'kubernetes/kubernetes pkg/controller/disruption/disruption.go (getExpectedPodCount), issue 66811',
  kinds: ['policy/PodDisruptionBudget'],
  trap: true,
  // A single pod that users move by hand may be meant.
  warning: true,
  example: replaced(documents(BUDGET_TEXT, deploymentText('replicas: 2\nselector:\n  matchLabels: {app: web}')), 'replicas: 2', 'replicas: 1'),
  check: (object, index) => {
    const selector = fieldAt(object, 'spec', 'selector');
    if (!isFields(selector) || isEmptySelector(selector)) return [];
    const selected = selectedWorkloads(object, selector, index);
    if (selected.length === 0 || selected.some((one) => autoscalerOf(one, index) !== undefined)) return [];
    const pods = selected.reduce((count, one) => count + (numberAt(one, 'spec', 'replicas') ?? 1), 0);
    const field = blockingField(object, pods);
    return field === undefined ? [] : [{
      path: ['spec', field],
      message: `${selected.map((one) => `${String(one.kind)} ${nameOf(one) ?? ''}`).join(' and ')} ${selected.length === 1 ? 'has' : 'have'} ${pods} ${pods === 1 ? 'pod' : 'pods'}, none of which may be evicted`,
      fix: 'write maxUnavailable: 1, or raise the replicas',
    }];
  },
};

/** Rules for evictions of pods. */
export const DISRUPTION_BUDGETS: readonly ManifestRule[] = [budget];
