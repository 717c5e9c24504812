/**
 * Annotations by which the cluster autoscaler knows the pools that are its own, with the number of machines that each may have.
 *
 * Source: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go
 */
export const MIN_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
export const MAX_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';

/**
 * Label of nodes with GPUs. A node that has it and offers none yet counts as one that is still starting, so that no further machine is made
 * for the same pods meanwhile.
 *
 * Sources: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_provider.go, processors/customresources/gpu_processor.go
 */
export const GPU_LABEL = 'cluster-api/accelerator';
