import { deploymentText, objectText } from './examples';
import { AUTOSCALER, autoscalerOf, SCALED, selectedWorkloads } from './scaled-workloads';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector } from '../rules/label-selectors';
import { Lookup } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, isFields, isSet, numberAt, stringAt } from '../values/fields';

const SOURCE = 'kubernetes/kubernetes pkg/controller/podautoscaler/horizontal.go';

/** An autoscaler in examples. */
export const AUTOSCALER_TEXT = objectText('autoscaling/v2', 'HorizontalPodAutoscaler', `spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 5
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}
`);

/** The workload that it scales. */
export const WORKLOAD_TEXT = deploymentText('selector:\n  matchLabels: {app: web}').replace(/\n$/, '\n          resources: {requests: {cpu: 100m}}\n');

const BY_NAME = new Lookup(SCALED, (workload) => [groupKind(workload), nameOf(workload)]);

/** The kind that an autoscaler scales, with its group. */
function targetKind(autoscaler: ManifestObject): string {
  const target = fieldAt(autoscaler, 'spec', 'scaleTargetRef');
  return `${groupOf({ apiVersion: fieldAt(target, 'apiVersion') })}/${stringAt(target, 'kind') ?? ''}`;
}

const target: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-AUTOSCALER-TARGET',
  title: 'An autoscaler must be in the namespace of the workload that it scales: it finds none otherwise.',
  source: `${SOURCE} (scaleForResourceMappings), v1.36.0`,
  kinds: [AUTOSCALER],
  trap: true,
  elsewhere: true,
  example: {
    failing: documents(AUTOSCALER_TEXT, replaced(WORKLOAD_TEXT, 'namespace: acme', 'namespace: shop').failing),
    corrected: documents(AUTOSCALER_TEXT, WORKLOAD_TEXT),
  },
  check: (object, index) => {
    const [kind, name, namespace] = [targetKind(object), stringAt(object, 'spec', 'scaleTargetRef', 'name'), namespaceOf(object)];
    if (!SCALED.includes(kind) || name === undefined || namespace === undefined) return [];
    const found = BY_NAME.find(index, kind, name);
    // One that has an autoscaler of its own is another one: a chart may make that of this namespace.
    const [elsewhere, ...more] = found.filter((workload) => autoscalerOf(workload, index) === undefined);
    const isHere = found.some((workload) => [namespace, undefined].includes(namespaceOf(workload)));
    return isHere || elsewhere === undefined || more.length > 0 ? [] : [{
      path: ['spec', 'scaleTargetRef', 'name'],
      message: `the ${kind.slice(kind.indexOf('/') + 1)} "${name}" is in the namespace "${namespaceOf(elsewhere)}"`,
      accepted: `one in "${namespace}"`,
      fix: 'put both into one namespace',
    }];
  },
};

const replicas: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-AUTOSCALER-REPLICAS',
  title: 'A workload that an autoscaler scales should have no replicas: each apply sets them back.',
  source: 'kubernetes/website content/en/docs/tasks/run-application/horizontal-pod-autoscale.md (Migrating Deployments and StatefulSets to horizontal autoscaling)',
  kinds: SCALED,
  trap: true,
  // Tools that apply the manifests may leave the field alone.
  warning: true,
  example: replaced(documents(WORKLOAD_TEXT, AUTOSCALER_TEXT), 'spec:\n  selector', 'spec:\n  replicas: 3\n  selector'),
  check: (object, index) => {
    if (!isSet(object, 'spec', 'replicas') || numberAt(object, 'spec', 'replicas') === 0) return [];
    const autoscaler = autoscalerOf(object, index);
    return autoscaler === undefined ? [] : [{
      path: ['spec', 'replicas'],
      message: `the HorizontalPodAutoscaler "${nameOf(autoscaler) ?? ''}" sets them, and each apply sets them back`,
      fix: 'leave the field out',
    }];
  },
};

const selector: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-AUTOSCALER-SELECTOR',
  title: 'The selector of a workload that an autoscaler scales should select its own pods alone: those of others count as its load.',
  source: `${SOURCE} (reconcileAutoscaler: scale.Status.Selector), pkg/controller/podautoscaler/replica_calculator.go (GetResourceReplicas), v1.36.0; issue 78761`,
  kinds: SCALED,
  trap: true,
  warning: true,
  example: {
    failing: documents(WORKLOAD_TEXT, AUTOSCALER_TEXT, replaced(WORKLOAD_TEXT, '  name: web\n', '  name: worker\n').failing),
    corrected: documents(WORKLOAD_TEXT, AUTOSCALER_TEXT),
  },
  check: (object, index) => {
    const own = fieldAt(object, 'spec', 'selector');
    if (autoscalerOf(object, index) === undefined || !isFields(own) || isEmptySelector(own)) return [];
    const others = selectedWorkloads(object, own, index).filter((other) => (
      numberAt(other, 'spec', 'replicas') !== 0 && (groupKind(other) !== groupKind(object) || nameOf(other) !== nameOf(object))));
    return others.length === 0 ? [] : [{
      path: ['spec', 'selector'],
      message: `it selects pods of ${others.map((other) => `${String(other.kind)} ${nameOf(other) ?? ''}`).join(' and ')}, too, and the autoscaler counts them`,
      fix: 'select a label that no other workload has',
    }];
  },
};

/** Rules over autoscalers of pods and what they scale. */
export const AUTOSCALING: readonly ManifestRule[] = [target, replicas, selector];
