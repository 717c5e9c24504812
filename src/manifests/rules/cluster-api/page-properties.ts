import { MAX_SIZE, MIN_SIZE, PROVISION_TIME } from './autoscaler-annotations';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { PageProperties, Sources } from '../../values/field-sources';

/** Properties of a health check. */
export function healthCheckProperties(property: string): Sources {
  return {
    'spec.checks.nodeStartupTimeoutSeconds': `${property}.nodeStartupTimeout`,
    'spec.checks.unhealthyNodeConditions': `${property}.unhealthyNodeConditions`,
    'spec.checks.unhealthyNodeConditions[*]': `${property}.unhealthyNodeConditions[*]`,
    'spec.checks.unhealthyMachineConditions': `${property}.unhealthyMachineConditions`,
    'spec.checks.unhealthyMachineConditions[*]': `${property}.unhealthyMachineConditions[*]`,
    'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo': `${property}.maxUnhealthy`,
  };
}

/** Properties of a node pool by the fields of its MachineDeployment. */
export const POOL_PROPERTIES: Sources = {
  [`metadata.annotations["${MIN_SIZE}"]`]: 'size',
  [`metadata.annotations["${MAX_SIZE}"]`]: 'size',
  [`metadata.annotations["${PROVISION_TIME}"]`]: 'size.options.maxNodeProvisionTime',
  'spec.replicas': 'size',
  'spec.rollout.after': 'rolloutAfter',
  'spec.rollout.strategy': 'rollout',
  'spec.rollout.strategy.rollingUpdate.maxSurge': 'rollout.maxSurge',
  'spec.rollout.strategy.rollingUpdate.maxUnavailable': 'rollout.maxUnavailable',
  'spec.remediation.maxInFlight': 'healthCheck.maxInFlight',
  'spec.template.spec.failureDomain': 'failureDomain',
  'spec.template.spec.deletion.nodeDrainTimeoutSeconds': 'nodeDrainTimeout',
  'spec.template.spec.deletion.nodeVolumeDetachTimeoutSeconds': 'nodeVolumeDetachTimeout',
  'spec.template.spec.deletion.nodeDeletionTimeoutSeconds': 'nodeDeletionTimeout',
};

/** Properties of a cluster by the fields of its Cluster. */
export const CLUSTER_PROPERTIES: Sources = {
  'spec.controlPlaneRef': 'controlPlane',
  'spec.infrastructureRef': 'infrastructure',
  'spec.clusterNetwork.pods': 'podCidrs',
  'spec.clusterNetwork.services': 'serviceCidrs',
  'spec.clusterNetwork.serviceDomain': 'serviceDomain',
};

/** Properties of pages by the fields of Cluster API's own kinds. */
export const CLUSTER_API_PROPERTIES: Readonly<Record<string, PageProperties>> = {
  [CLUSTER]: { of: 'the cluster', properties: { ...CLUSTER_PROPERTIES, 'spec.paused': 'paused' } },
  [MACHINE_DEPLOYMENT]: { of: 'the node pool', properties: { ...POOL_PROPERTIES, 'spec.template.spec.version': 'kubernetesVersion' } },
  [MACHINE_HEALTH_CHECK]: { of: 'the node pool', properties: healthCheckProperties('healthCheck') },
};
