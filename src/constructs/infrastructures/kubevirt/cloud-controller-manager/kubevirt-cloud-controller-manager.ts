import { KubevirtLoadBalancers } from './kubevirt-load-balancers';
import { SecretKeyRef } from '../../../../manifests/values/secret-ref';
import { TenantControllerOptions } from '../../../addons/controllers/tenant-controller-options';

/** What KubeVirt's cloud controller manager does for a cluster. */
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
 * KubeVirt's cloud controller manager for a cluster: its options, or none.
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
   * @param options what it does
   */
  public static of(options: KubevirtCloudControllerManagerOptions = {}): KubevirtCloudControllerManager {
    return new KubevirtCloudControllerManager(true, options);
  }

  /** Does not run it: the nodes are not initialized, and Services of type LoadBalancer stay pending until another controller handles them. */
  public static none(): KubevirtCloudControllerManager {
    return new KubevirtCloudControllerManager(false, {});
  }

  private constructor(
    /** True if it runs. */
    public readonly enabled: boolean,
    /** What it does. */
    public readonly options: KubevirtCloudControllerManagerOptions,
  ) {}
}
