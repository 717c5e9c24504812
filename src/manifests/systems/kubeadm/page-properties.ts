import { Sources } from '../../values/field-sources';

/** Properties of a cluster by the fields of its KubeadmControlPlane that each page has. */
export const CONTROL_PLANE_PROPERTIES: Sources = {
  'spec.machineTemplate.spec.deletion.nodeDrainTimeoutSeconds': 'controlPlane.nodeDrainTimeout',
  'spec.machineTemplate.spec.deletion.nodeVolumeDetachTimeoutSeconds': 'controlPlane.nodeVolumeDetachTimeout',
  'spec.machineTemplate.spec.deletion.nodeDeletionTimeoutSeconds': 'controlPlane.nodeDeletionTimeout',
  'spec.remediation.maxRetry': 'controlPlane.remediation.maxRetry',
  'spec.remediation.minHealthyPeriodSeconds': 'controlPlane.remediation.minHealthyPeriod',
  'spec.remediation.retryPeriodSeconds': 'controlPlane.remediation.retryPeriod',
  'spec.replicas': 'controlPlane.replicas',
  'spec.rollout.after': 'controlPlane.rollout.after',
  'spec.rollout.before.certificatesExpiryDays': 'controlPlane.rollout.beforeCertificateExpiry',
  'spec.rollout.strategy.rollingUpdate.maxSurge': 'controlPlane.rollout.maxSurge',
};
