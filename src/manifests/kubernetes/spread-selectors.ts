import { deploymentText } from './examples';
import { replaced } from '../rules/example-text';
import { selects } from '../rules/label-selectors';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS, podOf } from '../rules/pod-objects';
import { fieldAt, FieldPath, isFields, listAt, objectsAt } from '../values/fields';
import { Finding } from '../values/finding';

const TEXT = deploymentText('replicas: 3\nselector:\n  matchLabels: {app: web}', `topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {app: web}}
`);

const spread: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-SPREAD',
  title: 'A topology spread constraint must select the pods that have it: the scheduler counts only pods that it selects, and spreads none otherwise.',
  source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/podtopologyspread/common.go (filterTopologySpreadConstraints, countPodsMatchSelector), issue 135797',
  kinds: POD_KINDS,
  trap: true,
  // Pods may be spread by those of another workload on purpose.
  warning: true,
  example: replaced(TEXT, 'labelSelector: {matchLabels: {app: web}}', 'labelSelector: {matchLabels: {app: shop}}'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const labels = fieldAt(object, ...pod.path, 'metadata', 'labels');
    return objectsAt(pod.spec, 'topologySpreadConstraints').flatMap(([constraint, at]): Finding[] => {
      const path: FieldPath = [...pod.specPath, 'topologySpreadConstraints', at];
      const selector = constraint.labelSelector;
      // Labels that stand in the place of the selector are refused where fields are looked at.
      if (selector === undefined || selector === null) {
        return listAt(constraint, 'matchLabelKeys').length > 0 ? [] : [{ path, message: 'there is no labelSelector, so that no pods are counted', fix: 'add labelSelector with labels of the pods' }];
      }
      const readable = isFields(selector) && JSON.stringify([selector, labels]).search(/\$\{|\{\{/) < 0;
      return !readable || !isFields(labels) || selects(selector, labels) ? [] : [{
        path: [...path, 'labelSelector'], message: 'it does not select the pods that have the constraint', fix: 'write labels of these pods',
      }];
    });
  },
};

/** Rules over the pods that constraints count. */
export const SPREAD_SELECTORS: readonly ManifestRule[] = [spread];
