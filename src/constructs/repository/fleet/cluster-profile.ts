import { FleetCluster } from './fleet-cluster';
import { TenantCluster } from '../../tenant/tenant-cluster';
import { TenantClusterOptions } from '../../tenant/tenant-cluster-props';

/**
 * Defines the clusters of one kind. A profile is an object or a class with two functions. To extend another profile, call its functions.
 *
 * The fleet calls a profile once for each of its clusters. A profile keeps no state between calls. Create strategies that all clusters
 * share once, outside of it.
 */
export interface IClusterProfile {
  /**
   * Returns the properties of the cluster. The fleet adds name, namespace, Kubernetes version and labels from the list.
   *
   * @param cluster the values of the cluster
   */
  props(cluster: FleetCluster): TenantClusterOptions;

  /**
   * Adds pools, addons and workloads to the cluster.
   *
   * @param tenant the cluster
   * @param cluster its values
   */
  populate(tenant: TenantCluster, cluster: FleetCluster): void;
}
