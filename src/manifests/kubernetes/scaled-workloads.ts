import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { SelectedObjects } from '../rules/label-selectors';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { podOf } from '../rules/pod-objects';
import { fieldAt, Fields, isFields, stringAt } from '../values/fields';

/** Workloads with a number of pods that an autoscaler can set. */
export const SCALED: readonly string[] = ['apps/Deployment', 'apps/ReplicaSet', 'apps/StatefulSet'];

/** The kind of autoscalers of pods. */
export const AUTOSCALER = 'autoscaling/HorizontalPodAutoscaler';

const IN_NAMESPACE = new Lookup(SCALED, (workload) => [namespaceOf(workload)]);
const BY_LABELS = new SelectedObjects((workload) => {
  const labels = fieldAt(podOf(workload)?.pod, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
});
const OF_TARGET = new Lookup([AUTOSCALER], (autoscaler) => (
  [namespaceOf(autoscaler), stringAt(autoscaler, 'spec', 'scaleTargetRef', 'kind'), stringAt(autoscaler, 'spec', 'scaleTargetRef', 'name')]));

/**
 * The workloads whose pods a selector selects, of the namespace of an object.
 *
 * @param object the object with the selector
 * @param selector one that can be read
 */
export function selectedWorkloads(object: ManifestObject, selector: Fields, index: ManifestIndex): readonly ManifestObject[] {
  return BY_LABELS.of(IN_NAMESPACE.find(index, namespaceOf(object)), selector);
}

/** The autoscaler that sets the number of pods of a workload; undefined if there is none. */
export function autoscalerOf(workload: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  return OF_TARGET.find(index, namespaceOf(workload), String(workload.kind), nameOf(workload)).at(0);
}
