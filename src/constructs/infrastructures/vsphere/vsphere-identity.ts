/**
 * Credentials with which the provider creates a cluster, by reference. Their content never goes into a manifest of this library.
 *
 * Source: kubernetes-sigs/cluster-api-provider-vsphere docs/identity_management.md.
 *
 * @example
 * const identity = vsphere.VSphereIdentity.clusterIdentity('tenants');
 */
export class VSphereIdentity {
  /**
   * A Secret in the namespace of the cluster, with the keys `username` and `password`. It is of one cluster, and the provider deletes it with
   * the cluster (`TC-TRAP-VSPHERE-IDENTITY`).
   *
   * @param name name of the Secret
   */
  public static secret(name: string): VSphereIdentity {
    return new VSphereIdentity('Secret', name);
  }

  /**
   * A VSphereClusterIdentity, which refers to a Secret for clusters of several namespaces.
   *
   * @param name name of the VSphereClusterIdentity
   */
  public static clusterIdentity(name: string): VSphereIdentity {
    return new VSphereIdentity('VSphereClusterIdentity', name);
  }

  private constructor(
    /** Kind of the object. */
    public readonly kind: string,
    /** Name of the object. */
    public readonly name: string,
  ) {}
}
