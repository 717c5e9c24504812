import { MIN_SIZE } from './autoscaler-annotations';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, isSet, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

/** What annotations begin with by which a pool tells the autoscaler what its nodes offer. */
export const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/';

/**
 * What a pool that may shrink to nothing does not tell the autoscaler, where the template of its machines does not tell it either
 * (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md).
 */
export function missingCapacity(pool: ManifestObject): Finding[] {
  const annotations = fieldAt(pool, 'metadata', 'annotations');
  if (stringAt(annotations, MIN_SIZE) !== '0') return [];
  const missing = ['cpu', 'memory'].map((resource) => `${CAPACITY}${resource}`).filter((key) => !isSet(annotations, key));
  return missing.length === 0 ? [] : [{
    path: ['metadata', 'annotations'], message: 'the autoscaler cannot tell what a node of this pool would offer, and never adds the first one', fix: `add ${missing.join(' and ')}`,
  }];
}
