/** The folder below an output with what synthesis notes about it. */
export const OWN_FOLDER = '.cdk8s-cluster-api';

/** The name of the management cluster that a tree is for, where an output has a tree for each. */
export const MANAGEMENT_CLUSTER_FILE = `${OWN_FOLDER}/management-cluster`;
