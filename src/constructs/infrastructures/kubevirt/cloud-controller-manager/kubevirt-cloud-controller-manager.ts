import { Duration } from 'cdk8s';
import { SecretKeyRef } from '../../../../manifests/values/secret-ref';
import { TenantControllerOptions } from '../../../addons/controllers/tenant-controller-options';

/** Options of the wait for the address of a new load balancer. */
export interface KubevirtLoadBalancerOptions {
  /**
   * Interval at which the Service in the infrastructure cluster is asked for its address: whole seconds from 1 (`TC-KUBEVIRT-CCM-POLL`).
   *
   * @default Duration.seconds(5)
   */
  readonly creationPollInterval?: Duration;

  /**
   * Time that a new Service in the infrastructure cluster may take to get its address: whole seconds, not below the interval. It must be
   * longer than the load balancer ever needs.
   *
   * Afterwards an event `SyncLoadBalancerFailed` appears, and the next attempt, 5 seconds later, takes the Service as it is. An address
   * that it gets after that never reaches the tenant's Service until that is changed, by an annotation for example, or the cloud
   * controller manager restarts. Other Services of the tenant wait meanwhile, unless `extraArgs` raise `concurrent-service-syncs`.
   *
   * Rule: `TC-KUBEVIRT-CCM-POLL`. Source: kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, k8s.io/cloud-provider
   * controllers/service/controller.go.
   *
   * @default Duration.minutes(1) (kubevirt/cloud-provider-kubevirt config)
   */
  readonly creationPollTimeout?: Duration;
}

/** Publication of Services with local traffic. */
export interface KubevirtLocalTrafficOptions extends KubevirtLoadBalancerOptions {
  /**
   * Ranges of the network that machines have their address from, where that is not the pod network of the management cluster. The isolation
   * of the tenant refuses EndpointSlices with other addresses; without an isolation, and for machines in another cluster, the ranges have no
   * effect. They must not hold nodes, Services or pods of the management cluster or machines of another tenant,
   * since on a network with a DHCP server the guest reports its address itself. Prefixes have at least 8 bits, or 32 for IPv6.
   *
   * Rules: `TC-KUBEVIRT-CCM-MACHINE-CIDR`, `TC-KUBEVIRT-CCM-GUEST-ADDRESS`.
   *
   * @default - the pod ranges that the management cluster states
   */
  readonly machineCidrs?: string[];
}

/**
 * Publication of Services of type LoadBalancer in the tenant: each by a Service of that type in the infrastructure cluster.
 *
 * All annotations, `externalTrafficPolicy`, `externalIPs`, `loadBalancerIP` and `healthCheckNodePort` are copied when it is made, ports
 * always: for another policy, delete the Service in the tenant and create it again, which may change its address. Not copied are
 * `loadBalancerClass`, `loadBalancerSourceRanges`, `sessionAffinity` and the IP families: source ranges would be ignored, and are refused.
 *
 * In the management cluster, `externalIPs` and annotations let an administrator of the tenant take addresses and names of others. The
 * tenant's isolation refuses them there (`ServiceIsolation`); without an isolation there is a warning. The numbers of load balancers and
 * of node ports are limited by the quota of the isolation.
 *
 * Rules: `TC-ISOLATION-SERVICES-OPEN`, `TC-TRAP-KUBEVIRT-SOURCE-RANGES`, `TC-TRAP-KUBEVIRT-SERVICE-REFUSED`.
 * Source: kubevirt/cloud-provider-kubevirt v0.6.0 pkg/provider/loadbalancer.go.
 *
 * @example
 * new KubevirtInfrastructure({
 *   cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.localTraffic() }),
 * });
 */
export class KubevirtLoadBalancers {
  /**
   * To the node ports of all workers. What has `externalTrafficPolicy: Local` in the tenant reaches nodes without a pod of it too, which
   * drop it; such Services need `localTraffic`.
   *
   * @param options the wait for their address
   */
  public static allNodes(options: KubevirtLoadBalancerOptions = {}): KubevirtLoadBalancers {
    return new KubevirtLoadBalancers(options, {});
  }

  /**
   * To the node ports of all workers, and for Services with `externalTrafficPolicy: Local` only of those that run a pod of the Service:
   * the cloud controller manager writes their EndpointSlices.
   *
   * For a cluster that already has such Services, published by `allNodes`: delete each of them in the tenant after the change, and create
   * it again. Until then its Service in the infrastructure cluster has a selector, and the cloud controller manager creates and deletes an
   * EndpointSlice for it more than once a second.
   *
   * EndpointSlices are written for all such Services in the namespace of the virtual machines, so that no other cluster may be there, and
   * not when a machine is replaced, but when a pod of the Service moves. They have the address that KubeVirt reports of a machine: that of
   * its pod, or on a network of Multus maybe one that the guest makes up. The isolation of the tenant refuses addresses outside of
   * `machineCidrs`, which are the pod ranges of the management cluster by default.
   *
   * The cloud controller manager up to 0.6.0 ends when an EndpointSlice of such a Service has an endpoint without `nodeName`, after each
   * start again: new nodes stay uninitialized, and no load balancer changes. Endpoints of selectorless Services and of cluster meshes have
   * none. Those in `workloads` are refused; who may write EndpointSlices in the tenant can still stop its cloud controller manager.
   *
   * Rules: `TC-CHANGE-KUBEVIRT-LOCAL-TRAFFIC`, `TC-KUBEVIRT-CCM-SHARED-NAMESPACE`, `TC-KUBEVIRT-CCM-GUEST-ADDRESS`,
   * `TC-TRAP-KUBEVIRT-LOCAL-ENDPOINTS`. Source: kubevirt/cloud-provider-kubevirt v0.6.0 pkg/controller/kubevirteps/kubevirteps_controller.go.
   *
   * @param options the wait for their address, and the ranges of machines
   */
  public static localTraffic(options: KubevirtLocalTrafficOptions = {}): KubevirtLoadBalancers {
    return new KubevirtLoadBalancers(options, { enableEPSController: true }, options.machineCidrs);
  }

  /**
   * To the endpoints of another controller: Services without a selector, whose EndpointSlices that controller writes.
   *
   * @param options the wait for their address
   */
  public static selectorless(options: KubevirtLoadBalancerOptions = {}): KubevirtLoadBalancers {
    return new KubevirtLoadBalancers(options, { selectorless: true });
  }

  /** Not at all: another controller publishes such Services, such as a load balancer that runs in the tenant. */
  public static none(): KubevirtLoadBalancers {
    return new KubevirtLoadBalancers({}, { enabled: false });
  }

  private constructor(
    /** @internal */
    public readonly _options: KubevirtLoadBalancerOptions,
    /** @internal */
    public readonly _mode: { readonly enabled?: false; readonly selectorless?: true; readonly enableEPSController?: true },
    /** @internal */
    public readonly _machineCidrs: string[] = [],
  ) {}
}

/** Options of KubeVirt's cloud controller manager. */
export interface KubevirtCloudControllerManagerOptions extends TenantControllerOptions {
  /**
   * True if nodes get address, instance type and provider ID from their virtual machine, and are removed with it. Kubelets then register
   * with `--cloud-provider=external`, and pods wait until the cloud controller manager has seen their node.
   *
   * @default true
   */
  readonly initializeNodes?: boolean;

  /**
   * True if nodes get the zone and the region of the host that their machine runs on. The cloud controller manager then gets the right to
   * read every node of the management cluster, and a node whose host has no zone stays without.
   *
   * Rule: `TC-KUBEVIRT-CCM-ZONES`.
   *
   * @default false
   */
  readonly zones?: boolean;

  /**
   * Publication of Services of type LoadBalancer in the tenant.
   *
   * @default KubevirtLoadBalancers.allNodes()
   */
  readonly loadBalancers?: KubevirtLoadBalancers;

  /**
   * Further labels of the Services in the infrastructure cluster (`TC-KUBEVIRT-CCM-INFRA-LABEL`).
   *
   * @default - name of the cluster, name and namespace of the Service in the tenant
   */
  readonly infraLabels?: { [key: string]: string };

  /**
   * Namespace of the virtual machines in another cluster that runs them; the same as in the key `namespace` of the infrastructure's
   * Secret (`TC-KUBEVIRT-CCM-INFRA-CLUSTER`).
   *
   * @default - the namespace of the kubeconfig's context; in the management cluster, the tenant cluster's
   */
  readonly infraNamespace?: string;

  /**
   * Kubeconfig for another cluster that runs the machines, in a Secret of the tenant cluster's namespace. In the namespace of the machines
   * it must be allowed to get `virtualmachineinstances` of kubevirt.io, and to get, create, update and delete Services; for load balancers
   * with local traffic also to list and watch these, and to list, watch, create, update and delete EndpointSlices; for zones, to get
   * nodes.
   *
   * Rule: `TC-KUBEVIRT-CCM-INFRA-CLUSTER`.
   *
   * @default - key `kubeconfig` of the infrastructure's Secret, if that is in the tenant cluster's namespace
   */
  readonly infraKubeconfig?: SecretKeyRef;
}

/**
 * KubeVirt's cloud controller manager for a cluster: its options, one that runs elsewhere, or none.
 *
 * It runs in the management cluster, beside the control plane, with the tenant's kubeconfig. Its rights are those that its options need,
 * in the cluster's namespace only: give each cluster a namespace of its own.
 *
 * @example
 * new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.of({ zones: true }) });
 */
export class KubevirtCloudControllerManager {
  /**
   * Runs it.
   *
   * @param options its options
   */
  public static of(options: KubevirtCloudControllerManagerOptions = {}): KubevirtCloudControllerManager {
    return new KubevirtCloudControllerManager(true, options);
  }

  /**
   * Not written by this library: the user runs it elsewhere, before the first machine's start-up time is over. Kubelets register with
   * `--cloud-provider=external` all the same, pods wait until it has seen their node, and Services of type LoadBalancer are its own.
   */
  public static external(): KubevirtCloudControllerManager {
    return new KubevirtCloudControllerManager(false, {}, true);
  }

  /** Does not run it: the nodes are not initialized, and Services of type LoadBalancer stay pending until another controller handles them. */
  public static none(): KubevirtCloudControllerManager {
    return new KubevirtCloudControllerManager(false, {});
  }

  private constructor(
    /** True if this library runs it. */
    public readonly enabled: boolean,
    /** Its options. */
    public readonly options: KubevirtCloudControllerManagerOptions,
    /** @internal */
    public readonly _isExternal: boolean = false,
  ) {}
}

/** Publication of Services of type LoadBalancer. */
export function loadBalancersOf({ loadBalancers }: KubevirtCloudControllerManagerOptions): KubevirtLoadBalancers {
  return loadBalancers ?? KubevirtLoadBalancers.allNodes();
}
