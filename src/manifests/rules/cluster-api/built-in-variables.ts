const OF_OBJECTS = ['metadata.labels', 'metadata.annotations', 'name', 'replicas', 'version'];
const OF_POOLS = [...OF_OBJECTS, 'class', 'topologyName', 'bootstrap.configRef.name', 'infrastructureRef.name'];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'cluster': ['metadata.labels', 'metadata.annotations', 'name', 'namespace', 'uid'],
  'cluster.topology': ['class', 'classNamespace', 'classRef.name', 'classRef.namespace', 'version'],
  'cluster.network': ['pods', 'serviceDomain', 'services'],
  'controlPlane': [...OF_OBJECTS, 'machineTemplate.infrastructureRef.name'],
  'machineDeployment': OF_POOLS,
  'machinePool': OF_POOLS,
};

/**
 * Variables that patches of a ClusterClass have without defining them.
 *
 * Source: kubernetes-sigs/cluster-api core/webhooks/admission/patch_validation.go.
 */
export const BUILT_IN_VARIABLES: readonly string[] = Object.entries(FIELDS)
  .flatMap(([owner, fields]) => [`builtin.${owner}`, ...fields.map((field) => `builtin.${owner}.${field}`)]);
