import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, isSet, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

/**
 * Annotations by which the cluster autoscaler knows the pools that are its own, with the number of machines that each may have.
 *
 * Source: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go
 */
export const MIN_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
export const MAX_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';

/** Annotation of a pool in place of the autoscaler's flag `--max-node-provision-time`. */
export const PROVISION_TIME = 'cluster.x-k8s.io/autoscaling-options-maxnodeprovisiontime';

/**
 * Label of nodes with GPUs. A node that has it and offers none yet counts as one that is still starting, so that no further machine is made
 * for the same pods meanwhile.
 *
 * Sources: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_provider.go, processors/customresources/gpu_processor.go
 */
export const GPU_LABEL = 'cluster-api/accelerator';

/** Prefix of the annotations that tell the autoscaler the capacity of a pool's nodes. */
export const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/';

/**
 * Missing capacity annotations of a pool that may shrink to nothing, for pools whose machine template does not tell the capacity
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
