
/**
 * Isolation of a tenant in another cluster than the management cluster, where that one runs its machines.
 *
 * @example
 * new TenantIsolation({
 *   infraCluster: InfraClusterIsolation.external('policies and quotas are in the repository of the infrastructure clusters'),
 * });
 */
export class InfraClusterIsolation {
  /**
   * Objects that are made by other means, in the cluster that runs the machines:
   *
   * - a Role for the user of the kubeconfig, in the namespace of the machines only
   * - a ValidatingAdmissionPolicy for the Services and EndpointSlices of that user: no `externalIPs`, no foreign addresses and annotations, a
   *   bound for ports
   * - network policies that keep machines from other tenants, and from nodes, Services and the API server of that cluster
   * - a quota of load balancers and node ports, and of CPU, memory and storage where a tenant is limited
   *
   * @param reason who makes them, and how, for readers of the page (`TC-ISOLATION-INFRA-CLUSTER`)
   */
  public static external(reason: string): InfraClusterIsolation {
    return new InfraClusterIsolation(reason);
  }

  private constructor(
    /** Who makes the objects, and how. */
    public readonly reason: string,
  ) {}
}
