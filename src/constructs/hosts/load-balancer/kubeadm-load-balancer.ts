import { haproxyHosts, HaproxyHostsOptions } from './haproxy';
import { kubeVip, KubeVipOptions } from './kube-vip';
import { apiServerOpening, endpointOpening, LoadBalancerDesign } from './load-balancer-design';

/**
 * Gives the API servers of a control plane one address, which stays when a node fails.
 *
 * @example
 * const loadBalancer = hosts.KubeadmLoadBalancer.kubeVip({
 *   vip: '192.0.2.10',
 *   subnet: '192.0.2.0/24',
 *   networkInterface: 'eth0',
 *   image: 'registry.example.com/kube-vip:v1.0.0',
 * });
 */
export class KubeadmLoadBalancer {
  /**
   * HAProxy and keepalived as services of dedicated hosts: one host carries the virtual address, and forwards to the API servers that are
   * ready (kubernetes/kubeadm docs/ha-considerations.md, option 1).
   *
   * @param options the hosts and the address
   */
  public static haproxyHosts(options: HaproxyHostsOptions): KubeadmLoadBalancer {
    return new KubeadmLoadBalancer(haproxyHosts(options));
  }

  /**
   * kube-vip as a static pod on the nodes of the control plane: one node carries the virtual address, and its API server answers all
   * requests. The port of the endpoint must be the port of the API servers (`TC-KUBEADM-CLUSTER-LB-PORT`).
   *
   * @param options the address and the image
   */
  public static kubeVip(options: KubeVipOptions): KubeadmLoadBalancer {
    return new KubeadmLoadBalancer(kubeVip(options));
  }

  /**
   * An existing TCP load balancer forwards to the API servers, without terminating TLS. It must exist before `kubeadm init` runs.
   */
  public static external(): KubeadmLoadBalancer {
    return new KubeadmLoadBalancer({
      openings: (servers) => [endpointOpening('your load balancer', servers), apiServerOpening(servers, 'your load balancer')],
      check: () => [],
    });
  }

  private constructor(
    /** @internal */
    public readonly _design: LoadBalancerDesign,
  ) {}
}
