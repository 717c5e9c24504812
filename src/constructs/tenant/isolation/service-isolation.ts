
/** What Services of a tenant may ask of the management cluster. */
export interface ServiceIsolationOptions {
  /**
   * Keys of annotations that a Service may bring along from the tenant, with any value. Load balancers, external-dns and other programs of
   * the management cluster act on them: allow a key only if no value of it can take an address or a name from another tenant.
   *
   * They are added to those that tools leave on Services in the tenant and that mean nothing in the management cluster:
   * `kubectl.kubernetes.io/last-applied-configuration`, `meta.helm.sh/release-name`, `meta.helm.sh/release-namespace`.
   *
   * `argocd.argoproj.io/tracking-id` is allowed where it names an Application of this cluster, `<namespace>-<cluster>-…`, as `ArgoCdDelivery`
   * makes them. With another name a tenant could keep an Application of others from ever being healthy. An Argo CD in the tenant should track
   * by labels (`application.resourceTrackingMethod: label`); where no Argo CD serves the management cluster, its key may be allowed here.
   *
   * Rule: `TC-ISOLATION-SERVICES`.
   *
   * @default - no others
   */
  readonly annotations?: string[];

  /**
   * Addresses that a Service may ask for as `loadBalancerIP`: addresses, or ranges, which need Kubernetes 1.31 in the management cluster
   * (`TC-ISOLATION-SERVICES`).
   *
   * @default - none: the load balancer chooses
   */
  readonly loadBalancerIps?: string[];

  /**
   * The most ports that a Service may have: a whole number from 1 to 1000. Each takes a node port of the management cluster, which has
   * 2,768 of them for all tenants by default. How many all Services of a tenant take together is limited by `quota`.
   *
   * Rule: `TC-ISOLATION-SERVICES`.
   *
   * @default 16
   */
  readonly maximumPorts?: number;
}

/**
 * Policy that keeps Services of type LoadBalancer in the tenant from doing harm in the management cluster.
 *
 * KubeVirt's cloud controller manager makes a Service in the management cluster for each of them, and copies annotations, `externalIPs`,
 * `loadBalancerIP` and ports. With `externalIPs` an administrator of the tenant takes over any address in the management cluster
 * (CVE-2020-8554), with annotations addresses of a load balancer or names in DNS, and with ports all node ports. With local traffic it writes
 * EndpointSlices, too: their addresses decide where the load balancer sends traffic to.
 *
 * @example
 * new TenantIsolation({ services: ServiceIsolation.admissionPolicy() });
 */
export class ServiceIsolation {
  /**
   * A ValidatingAdmissionPolicy (`admissionregistration.k8s.io/v1`, Kubernetes 1.30 in the management cluster) for what the ServiceAccount of
   * the cloud controller manager creates and changes: no `externalIPs`, no other `loadBalancerIP` and annotations than allowed, no more ports
   * than allowed, no other type than LoadBalancer. The port for health checks, which a Service may name, must not be one of 30000 to 30085: the
   * API server leaves these to Services with fixed node ports. A policy cannot tell other node ports that are asked for from allocated ones.
   *
   * Where the controller writes EndpointSlices (`KubevirtLoadBalancers.localTraffic`), a second policy, which needs Kubernetes 1.31, lets it write
   * those of these Services only, with addresses in `machineCidrs`, or else in the pod ranges of the management cluster.
   *
   * What a Service or EndpointSlice has already, or what others have written to it, stays: look through existing ones once. A refused Service
   * stays pending in the tenant, with an event that names the policy and the field.
   *
   * @param options what is allowed
   */
  public static admissionPolicy(options: ServiceIsolationOptions = {}): ServiceIsolation {
    return new ServiceIsolation(options);
  }

  /** No policy, where another one does the same. */
  public static none(): ServiceIsolation {
    return new ServiceIsolation('none');
  }

  private constructor(
    /** @internal */
    public readonly _options: ServiceIsolationOptions | 'none',
  ) {}
}
