import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, scalarText } from '../values/fields';

/**
 * The field by which a PodDisruptionBudget lets none of its pods be evicted while all are ready; undefined if one may be.
 *
 * Source: kubernetes/kubernetes pkg/controller/disruption/disruption.go (getExpectedPodCount): percentages are rounded up.
 *
 * @param budget the PodDisruptionBudget
 * @param pods the number of its pods
 */
export function blockingField(budget: ManifestObject, pods: number): 'minAvailable' | 'maxUnavailable' | undefined {
  const [least, most] = ['minAvailable', 'maxUnavailable'].map((field) => podsOf(fieldAt(budget, 'spec', field), pods));
  if (pods === 0) return undefined;
  return least !== undefined && least >= pods ? 'minAvailable' : most === 0 ? 'maxUnavailable' : undefined;
}

function podsOf(value: unknown, pods: number): number | undefined {
  const percentage = /^(\d+)%$/.exec(scalarText(value));
  return typeof value === 'number' ? value : percentage ? Math.ceil(pods * Number(percentage[1]) / 100) : undefined;
}
