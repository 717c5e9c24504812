import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Machine } from './machine';
import { HealthCheck } from './node-pool/health-check';
import { checksOf, healthCheckSources, resolveHealthCheck, triggerOf } from './node-pool/health-check-spec';
import { MachineCount } from './node-pool/machine-count';
import { PoolContext } from './node-pool/pool-context';
import { PoolSize } from './node-pool/pool-size';
import { MachineHealthCheck } from '../../../imports/cluster.x-k8s.io';
import { FieldSources } from '../app/synth/field-sources';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

/**
 * Makes the health check of a control plane's machines.
 *
 * @param scope where to put the object
 * @param machines the machines, as their strategy sees them
 * @param options the strategy of the machines, how many there are, and when one is unhealthy
 * @returns undefined with `HealthCheck.none()`
 */
export function addMachineHealthCheck(
  scope: Construct, machines: PoolContext, options: { readonly machine: Machine; readonly replicas: number; readonly healthCheck?: HealthCheck },
): ApiObject | undefined {
  const { machine, replicas, healthCheck = HealthCheck.of() } = options;
  if (!healthCheck.enabled) return undefined;
  const { maxUnhealthy = machinesToLose(replicas) } = healthCheck.options;
  const resolved = { ...resolveHealthCheck(healthCheck, PoolSize.fixed(replicas), machine, machines.cluster), maxUnhealthy };
  const object = new MachineHealthCheck(scope, 'MachineHealthCheck', {
    metadata: { name: machines.name },
    spec: {
      clusterName: machines.cluster.name,
      selector: { matchLabels: { [CLUSTER_LABEL]: machines.cluster.name, [CONTROL_PLANE_LABEL]: '' } },
      checks: checksOf(resolved),
      remediation: { triggerIf: triggerOf(resolved) },
    },
  });
  FieldSources._record(object, scope, () => healthCheckSources('controlPlane.healthCheck'));
  return object;
}

/**
 * How many machines etcd can lose. A percentage would be one of the machines that there are: Cluster API makes them one after the other
 * (kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go, v1.14.0), so that 40 % of the first one or two
 * is none, and one that does not become a node would never be replaced.
 */
function machinesToLose(replicas: number): MachineCount {
  return MachineCount.absolute(replicas > 2 ? Math.floor((replicas - 1) / 2) : 1);
}
