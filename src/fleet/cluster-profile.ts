import { FleetCluster } from './fleet-cluster';
import { TenantCluster, TenantClusterOptions } from '../tenant-cluster/tenant-cluster';

/**
 * How clusters of one sort are made. Two functions, in an object or a class; one that takes most from another calls its functions.
 *
 * A profile is asked for each of its clusters, and keeps nothing of it. Strategies that are the same for all clusters are made once, outside.
 */
export interface IClusterProfile {
  /**
   * What the cluster is like. Name, namespace, Kubernetes version and labels of the list are added to it.
   *
   * @param cluster what is known of the cluster
   */
  props(cluster: FleetCluster): TenantClusterOptions;

  /**
   * Adds to the cluster what it is made of: pools, addons, workloads.
   *
   * @param tenant the cluster
   * @param cluster what is known of it
   */
  populate(tenant: TenantCluster, cluster: FleetCluster): void;
}
