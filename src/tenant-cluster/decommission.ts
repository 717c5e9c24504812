import { CLUSTER_RULES } from './rules';
import type { TenantCluster } from './tenant-cluster';
import { Problem } from '../validation/problem';

/**
 * Takes the `Cluster`, and what goes with it, out of the tree before it is written. The constructs stay usable.
 *
 * Cluster API deletes worker machines, control plane and infrastructure, in this order, and what the `Cluster` owns, the templates, goes
 * last (kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller.go). Whatever of it stayed in the output would be applied
 * anew meanwhile. A MachineDeployment that comes back after its `Cluster` gets a finalizer that nobody takes off again
 * (core/reconcilers/machinedeployment/machinedeployment_controller.go).
 *
 * @param cluster the cluster
 * @param autoscaler construct id of the autoscaler, which orders no machines any more
 */
export function leaveOutDeleted(cluster: TenantCluster, autoscaler: string): void {
  cluster.node.addValidation({
    validate: () => {
      const { machineTemplate, machineHealthCheck } = cluster.controlPlaneMachines ?? {};
      const leaving = [
        cluster.cluster, cluster.controlPlane, cluster.infrastructure, machineTemplate, machineHealthCheck, cluster.node.tryFindChild(autoscaler),
        ...cluster.nodePools.flatMap((pool) => [pool.machineDeployment, pool.machineHealthCheck, pool.machineTemplate, pool.bootstrapTemplate]),
      ];
      leaving.forEach((construct) => construct?.node.scope?.node.tryRemoveChild(construct.node.id));
      return [];
    },
  });
}

/** Checks that Cluster API is going to delete a cluster that is taken down. */
export function checkDecommission(decommission: boolean, paused: boolean): Problem[] {
  return !decommission || !paused ? [] : [{
    rule: CLUSTER_RULES.decommissionPaused,
    property: 'decommission',
    message: 'the cluster is paused, and Cluster API deletes nothing of it',
    fix: 'take paused away first, in a commit of its own: in this one the Cluster that would say it is left out',
  }];
}
