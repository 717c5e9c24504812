import { deploymentText, objectText } from './examples';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { blockingField } from '../rules/disruption-budgets';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector, SelectedObjects } from '../rules/label-selectors';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { podOf } from '../rules/pod-objects';
import { fieldAt, isFields, numberAt, stringAt } from '../values/fields';

const WORKLOADS: readonly string[] = ['apps/Deployment', 'apps/ReplicaSet', 'apps/StatefulSet'];

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
    const selected = BY_LABELS.of(IN_NAMESPACE.find(index, namespaceOf(object)), selector);
    if (selected.length === 0 || selected.some((one) => isScaled(one, index))) return [];
    const pods = selected.reduce((count, one) => count + (numberAt(one, 'spec', 'replicas') ?? 1), 0);
    const field = blockingField(object, pods);
    return field === undefined ? [] : [{
      path: ['spec', field],
      message: `${selected.map((one) => `${String(one.kind)} ${nameOf(one) ?? ''}`).join(' and ')} ${selected.length === 1 ? 'has' : 'have'} ${pods} ${pods === 1 ? 'pod' : 'pods'}, none of which may be evicted`,
      fix: 'write maxUnavailable: 1, or raise the replicas',
    }];
  },
};

const IN_NAMESPACE = new Lookup(WORKLOADS, (workload) => [namespaceOf(workload)]);
const BY_LABELS = new SelectedObjects((workload) => {
  const labels = fieldAt(podOf(workload)?.pod, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
});
const SCALERS = new Lookup(['autoscaling/HorizontalPodAutoscaler'], (scaler) => (
  [namespaceOf(scaler), stringAt(scaler, 'spec', 'scaleTargetRef', 'kind'), stringAt(scaler, 'spec', 'scaleTargetRef', 'name')]));

/** True if an autoscaler sets the number of pods. */
function isScaled(workload: ManifestObject, index: ManifestIndex): boolean {
  return SCALERS.find(index, namespaceOf(workload), String(workload.kind), nameOf(workload)).length > 0;
}

/** Rules for evictions of pods. */
export const DISRUPTION_BUDGETS: readonly ManifestRule[] = [budget];
