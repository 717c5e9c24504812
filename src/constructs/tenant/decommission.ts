import { IConstruct } from 'constructs';
import { CLUSTER_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { ImagePass } from '../images/image-pass';

/**
 * Takes constructs of a cluster that is taken down out of the tree: the `Cluster`, and what goes with it. They stay usable, and images that
 * only they have still count as used.
 *
 * Cluster API deletes worker machines, control plane and infrastructure, in this order, and what the `Cluster` owns, the templates, goes
 * last (kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller.go). Whatever of it stayed in the output would be applied
 * anew meanwhile. A MachineDeployment that comes back after its `Cluster` gets a finalizer that nobody takes off again
 * (core/reconcilers/machinedeployment/machinedeployment_controller.go).
 *
 * @param cluster the cluster
 * @param leaving the constructs
 */
export function leaveOut(cluster: IConstruct, ...leaving: (IConstruct | undefined)[]): void {
  for (const construct of leaving) {
    if (!construct?.node.scope?.node.tryRemoveChild(construct.node.id)) continue;
    ImagePass.of(cluster).watch(construct);
  }
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
