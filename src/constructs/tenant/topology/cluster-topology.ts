/** Options of a topology. */
export interface ClusterTopologyOptions {
  /**
   * Name of a `ClusterClass` that several clusters share, before the hash of its content. All clusters with the name must have the same content:
   * control plane, infrastructure and pools of the same names with the same machines. Sizes of pools, labels, timeouts and what is named after
   * the cluster may differ. A DNS label of at most 54 characters.
   *
   * Rules: `TC-TOPOLOGY-CLASS-NAME`, `TC-TOPOLOGY-CLASS-DIFFERS`.
   *
   * @default - the cluster has a class of its own, which is named after it
   */
  readonly className?: string;

  /**
   * Namespace of a shared class and its templates. It must exist.
   *
   * Rule: `TC-TOPOLOGY-CLASS-NAMESPACE`.
   *
   * @default - the namespace of the cluster
   */
  readonly classNamespace?: string;
}

/**
 * A cluster that is written as a topology: its `Cluster` refers to a `ClusterClass`, and the topology controller of Cluster API makes the control
 * plane, the infrastructure object and the pools of the templates of the class.
 *
 * These objects have the same names as without a topology.
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
  /**
   * A topology, and the ClusterClass that it needs.
   *
   * @param options name and namespace of a class that clusters share
   */
  public static of(options: ClusterTopologyOptions = {}): ClusterTopology {
    return new ClusterTopology(options);
  }

  private constructor(
    /** Name and namespace of a class that clusters share. */
    public readonly options: ClusterTopologyOptions,
  ) {}
}
