import { balancerFiles, balancerOpenings } from './haproxy-hosts';
import { ApiServers, LoadBalancerDesign, Opening } from './load-balancer-design';
import { checkImage, haproxyPod, keepalivedPod } from './static-pods';
import { checkVirtualAddress, KubeadmVirtualAddress } from './virtual-address';
import { checkVrrp, rank } from './vrrp';
import { Problem } from '../../../manifests/values/problem';
import { HostSetup, ownFiles } from '../files/host-bundle';
import { KUBEADM_CLUSTER_RULES } from '../rules';

/** HAProxy and keepalived on the nodes of the control plane. */
export interface HaproxyPodsOptions extends KubeadmVirtualAddress {
  /** VRRP router id of the nodes, 1 to 255, unique in the subnet (`TC-KUBEADM-CLUSTER-LB-ROUTER-ID`). */
  readonly virtualRouterId: number;

  /**
   * Image of HAProxy, with a tag or digest: `haproxy` is in its search path, and may listen on the port of the endpoint.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-IMAGE`.
   */
  readonly haproxyImage: string;

  /**
   * Image of keepalived, with a tag or digest: `keepalived`, `curl` and `ip` are in its search path, and it runs as root.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-IMAGE`.
   */
  readonly keepalivedImage: string;
}

/** HAProxy and keepalived as static pods of the control plane. */
export class HaproxyPods implements LoadBalancerDesign {
  public readonly vip: string;
  public readonly claim: string;

  public constructor(private readonly options: HaproxyPodsOptions) {
    const { vip, subnet } = options;
    this.vip = vip;
    this.claim = `${subnet} ${options.virtualRouterId}`;
  }

  public check({ endpoint, port, nodes }: ApiServers): Problem[] {
    const { virtualRouterId, haproxyImage, keepalivedImage } = this.options;
    return [
      ...checkVrrp(virtualRouterId, rank(nodes)),
      ...checkVirtualAddress(this.options, nodes, [], endpoint),
      ...checkImage('loadBalancer.haproxyImage', haproxyImage),
      ...checkImage('loadBalancer.keepalivedImage', keepalivedImage),
      ...(endpoint.port === port ? [{
        rule: KUBEADM_CLUSTER_RULES.lbPort, property: 'controlPlaneEndpoint', message: `load balancer and API server would both listen on port ${port} of the same nodes`, accepted: `any other port, such as ${port + 2000}`, fix: 'change the port of the endpoint',
      }] : []),
    ];
  }

  public openings(servers: ApiServers): Opening[] {
    return balancerOpenings('control plane', servers);
  }

  public nodeSetup(servers: ApiServers, name: string): HostSetup {
    const { haproxyImage, keepalivedImage } = this.options;
    const files = balancerFiles(servers, { ...this.options, hosts: rank(servers.nodes) }, name, false);
    return { files: ownFiles('loadBalancer', [...files, haproxyPod(haproxyImage, servers.endpoint.port, files), keepalivedPod(keepalivedImage, files)]) };
  }
}
