import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { MachineHealthCheck } from '../../imports/cluster.x-k8s.io';
import { HealthCheck } from '../node-pool/health-check';
import { checksOf, triggerOf } from '../node-pool/health-check-spec';
import { PoolContext } from '../node-pool/pool-context';
import { PoolSize } from '../node-pool/pool-size';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

/**
 * Makes the health check of a control plane's machines.
 *
 * @param scope where to put the object
 * @param machines the machines, as their strategy sees them
 * @param replicas how many machines there are
 * @param healthCheck when a machine is unhealthy
 * @returns undefined with `HealthCheck.none()`
 */
export function addMachineHealthCheck(
  scope: Construct, machines: PoolContext, replicas: number, healthCheck: HealthCheck = HealthCheck.of(),
): ApiObject | undefined {
  if (!healthCheck.enabled) return undefined;
  return new MachineHealthCheck(scope, 'MachineHealthCheck', {
    metadata: { name: machines.name },
    spec: {
      clusterName: machines.cluster.name,
      selector: { matchLabels: { [CLUSTER_LABEL]: machines.cluster.name, [CONTROL_PLANE_LABEL]: '' } },
      checks: checksOf(healthCheck),
      remediation: { triggerIf: triggerOf(healthCheck, PoolSize.fixed(replicas)) },
    },
  });
}
