import { ManifestObject } from '../objects/manifest-object';
import { fieldAt } from '../values/fields';

// kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go
const PAUSED = 'cluster.x-k8s.io/paused';

/**
 * True if an annotation of an object pauses it: any value does. It pauses that object alone: `spec.paused` of the Cluster pauses all of
 * them.
 *
 * Source: kubernetes-sigs/cluster-api util/paused/paused.go, util/annotations/helpers.go (HasPaused), v1.14.2.
 */
export function isPaused(object: ManifestObject | undefined): boolean {
  return fieldAt(object, 'metadata', 'annotations', PAUSED) !== undefined;
}
