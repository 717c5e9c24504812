import { CatalogueAddon } from './catalogue-addon';
import { BundledAddonProps } from '../bundled-addon';

/** Options of the DNS cache of nodes. */
export interface NodeLocalDnsProps extends BundledAddonProps {
  /**
   * Unused address on which the cache listens, besides the address of the cluster's DNS Service.
   *
   * @default 169.254.20.25
   */
  readonly localAddress?: string;

  /**
   * Labels of the upstream DNS pods.
   *
   * @default - `k8s-app: kube-dns`, which kubeadm, Kamaji and `CoreDns` give to CoreDNS
   */
  readonly upstreamLabels?: { [key: string]: string };
}

/**
 * A DNS cache on every node, in `kube-system`, which its chart does not let one change.
 *
 * Beside kube-proxy it takes queries at the address of the cluster's DNS Service. If the pod network replaces kube-proxy,
 * rules of iptables do not catch them: the cache then leaves these rules out, and pods use it once kubelets have its address or, with
 * Cilium, once a CiliumLocalRedirectPolicy exists (docs.cilium.io, Local Redirect Policy). Its pods tolerate every taint. Source:
 * deliveryhero/helm-charts stable/node-local-dns 2.9.2.
 *
 * @example
 * acme.addAddon(new NodeLocalDns({ localAddress: '169.254.20.10' }));
 */
export class NodeLocalDns extends CatalogueAddon {
  public constructor(props: NodeLocalDnsProps = {}) {
    const { localAddress, upstreamLabels } = props;
    super({
      chart: 'node-local-dns',
      name: 'node-local-dns',
      namespace: 'kube-system',
      privileged: true,
      tolerations: {},
      values: ({ network, kubeProxyReplaced }) => ({
        config: {
          dnsServer: network.dnsServiceIps[0],
          dnsDomain: network.serviceDomain,
          localDns: localAddress,
          // A map in the values is merged, so the chart's own label goes where others are given.
          upstreamServiceSelector: upstreamLabels && { 'k8s-app': null, ...upstreamLabels },
          bindIp: true,
          setupIptables: !kubeProxyReplaced,
        },
      }),
    }, props);
  }
}
