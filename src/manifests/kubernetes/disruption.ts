import { deploymentText, objectText } from './examples';
import { autoscalerOf, selectedWorkloads } from './scaled-workloads';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { blockingField } from '../rules/disruption-budgets';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, isFields, numberAt } from '../values/fields';

const BUDGET = 'policy/PodDisruptionBudget';

const BUDGET_TEXT = objectText('policy/v1', 'PodDisruptionBudget', 'spec:\n  minAvailable: 1\n  selector:\n    matchLabels: {app: web}\n');

const budget: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-DISRUPTION-BUDGET',
  title: 'A PodDisruptionBudget should let one of its pods be evicted: the drain of their nodes never ends otherwise, and their machines are not replaced.',
  source: 'kubernetes/kubernetes pkg/controller/disruption/disruption.go (getExpectedPodCount), issue 66811',
  kinds: [BUDGET],
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

const two: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-TWO-BUDGETS',
  title: 'Pods must have one PodDisruptionBudget at most: none of them can be evicted otherwise.',
  source: 'kubernetes/kubernetes pkg/registry/core/pod/storage/eviction.go (Create), v1.37.2',
  kinds: [BUDGET],
  trap: true,
  example: replaced(
    documents(BUDGET_TEXT, BUDGET_TEXT.replace('name: web', 'name: shop').replace('app: web', 'app: shop'), deploymentText('replicas: 2\nselector:\n  matchLabels: {app: web}')),
    'app: shop', 'app: web',
  ),
  check: (object, index) => selectedBy(object, index).flatMap((workload) => {
    const name = String(nameOf(object));
    // The finding is at the later one by name.
    const other = budgetsOf(index).get(workload)?.find((budget_) => String(nameOf(budget_)) < name);
    return other === undefined ? [] : [{
      path: ['spec', 'selector'],
      message: `pods of ${String(workload.kind)} ${nameOf(workload) ?? ''} are selected by the PodDisruptionBudget "${String(nameOf(other))}", too`,
      fix: 'narrow one of the selectors, or remove one of the budgets',
    }];
  }),
};

/** The workloads whose pods a budget selects; none where it has no namespace, since such objects may be applied to different ones. */
function selectedBy(object: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const selector = fieldAt(object, 'spec', 'selector');
  return namespaceOf(object) === undefined || !isFields(selector) || isEmptySelector(selector) ? [] : selectedWorkloads(object, selector, index);
}

const BUDGETS = new WeakMap<ManifestIndex, ReadonlyMap<ManifestObject, readonly ManifestObject[]>>();

/** The budgets of each workload. */
function budgetsOf(index: ManifestIndex): ReadonlyMap<ManifestObject, readonly ManifestObject[]> {
  let found = BUDGETS.get(index);
  if (found) return found;
  const budgets = new Map<ManifestObject, ManifestObject[]>();
  for (const object of index.all(BUDGET)) {
    for (const workload of selectedBy(object, index)) {
      const same = budgets.get(workload);
      if (same) same.push(object);
      else budgets.set(workload, [object]);
    }
  }
  BUDGETS.set(index, found = budgets);
  return found;
}

/** Rules for evictions of pods. */
export const DISRUPTION_BUDGETS: readonly ManifestRule[] = [budget, two];
