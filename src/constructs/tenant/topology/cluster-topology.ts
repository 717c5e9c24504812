/**
 * A cluster that is written as a topology: its `Cluster` refers to a `ClusterClass`, and the topology controller of Cluster API makes the control
 * plane, the infrastructure object and the pools of the templates of the class.
 *
 * What it makes has the names that it has without a topology.
 *
 * @example
 * new TenantCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   controlPlane: new KamajiControlPlane({ replicas: 2 }),
 *   infrastructure: new KubevirtInfrastructure(),
 *   cni: Cni.none(),
 *   topology: ClusterTopology.of(),
 * });
 */
export class ClusterTopology {
  /** A topology with a ClusterClass of its own, which has the name of the cluster and a hash of its content. */
  public static of(): ClusterTopology {
    return new ClusterTopology();
  }

  private constructor() {}
}
