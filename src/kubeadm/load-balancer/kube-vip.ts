import { ApiServers, endpointOpening, LoadBalancerDesign, Opening } from './load-balancer-design';
import { checkImage, staticPod } from './static-pods';
import { checkVirtualAddress, KubeadmVirtualAddress } from './virtual-address';
import { Problem } from '../../validation/problem';
import { HostSetup, ownFiles } from '../hosts/host-bundle';
import { KUBEADM_CLUSTER_RULES } from '../rules';

/** kube-vip on the nodes of the control plane. */
export interface KubeVipOptions extends KubeadmVirtualAddress {
  /** Image of kube-vip, with a tag or digest (`TC-KUBEADM-CLUSTER-LB-IMAGE`). */
  readonly image: string;
}

const NAME = 'kube-vip';
const KUBECONFIG = '/etc/kubernetes/admin.conf';

/**
 * What the first node does around `kubeadm init`: from Kubernetes 1.29 on, admin.conf has no rights before that has given them to it
 * (kubernetes/kubernetes CHANGELOG/CHANGELOG-1.29.md). Where there is an API server already, kubeadm refuses, and kube-vip is left alone.
 * A kubelet takes no notice of files whose names begin with a dot.
 */
const WITH_SUPER_ADMIN = `# Until admin.conf has its rights, kube-vip has super-admin.conf.
manifests=/etc/kubernetes/manifests
kube_vip_reads() {
  sed "s#path: /etc/kubernetes/.*admin.conf#path: /etc/kubernetes/$1#" "$manifests/kube-vip.yaml" > "$manifests/.kube-vip.yaml"
  chmod 0600 "$manifests/.kube-vip.yaml"
  mv "$manifests/.kube-vip.yaml" "$manifests/kube-vip.yaml"
}

if [ ! -e "$manifests/kube-apiserver.yaml" ]; then
  if [ ! -r "$manifests/kube-vip.yaml" ]; then
    echo "$manifests/kube-vip.yaml is not there: run install.sh first, after kubeadm reset again" >&2
    exit 1
  fi
  trap 'kube_vip_reads admin.conf' EXIT
  trap 'exit 1' HUP INT TERM
  kube_vip_reads super-admin.conf
fi`;

/** kube-vip as a static pod of the control plane: the node that leads carries the virtual address. */
export class KubeVip implements LoadBalancerDesign {
  public readonly vip: string;
  public readonly texts: Readonly<Record<string, unknown>>;
  public readonly beforeInit = [WITH_SUPER_ADMIN];

  /** Those that do not lead never end by themselves, and could not take the address over once the certificate that they hold has expired. */
  public readonly adminPods = [NAME];

  public constructor(private readonly options: KubeVipOptions) {
    const { vip, subnet, networkInterface, image } = options;
    this.vip = vip;
    this.texts = { vip, subnet, networkInterface, image };
  }

  public check({ endpoint, port, nodes }: ApiServers): Problem[] {
    return [
      ...checkVirtualAddress(this.options, nodes, [], endpoint),
      ...checkImage('loadBalancer.image', this.options.image),
      ...(endpoint.port === port ? [] : [{
        rule: KUBEADM_CLUSTER_RULES.lbPort, property: 'controlPlaneEndpoint', message: `it names port ${endpoint.port}, and the API servers listen on ${port}`, accepted: `${port}`, fix: 'use one port for both: kube-vip moves an address, and listens itself on no port',
      }]),
    ];
  }

  /** Its address leads to the API server of one of the nodes, at the port of the endpoint. */
  public openings(servers: ApiServers): Opening[] {
    return [{ ...endpointOpening('control plane', servers), what: `TCP ${servers.port} (API servers and endpoint)` }];
  }

  /** Source: kube-vip/kube-vip pkg/kubevip/config_generator.go, config_envvar.go. */
  public nodeSetup({ port }: ApiServers, name: string): HostSetup {
    const { vip, networkInterface, image } = this.options;
    const env = {
      vip_arp: 'true',
      port: `${port}`,
      // What it is called among those that want to lead; some releases take the name of the machine otherwise, which may be another one.
      vip_nodename: name,
      vip_interface: networkInterface,
      vip_subnet: vip.includes(':') ? '128' : '32',
      cp_enable: 'true',
      cp_namespace: 'kube-system',
      vip_leaderelection: 'true',
      vip_leasename: 'plndr-cp-lock',
      vip_leaseduration: '5',
      vip_renewdeadline: '3',
      vip_retryperiod: '1',
      address: vip,
    };
    const pod = staticPod({
      name: NAME,
      image,
      args: ['manager'],
      env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
      capabilities: ['NET_ADMIN', 'NET_RAW'],
      mounts: { [KUBECONFIG]: KUBECONFIG },
      // It calls the API server of its own node by a name that is in the certificate.
      hostAliases: [{ ip: '127.0.0.1', hostnames: ['kubernetes'] }],
    });
    return { files: ownFiles('loadBalancer', [pod]) };
  }
}
