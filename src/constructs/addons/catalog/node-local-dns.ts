import { CatalogueAddon } from './catalogue-addon';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ClusterContext } from '../../contracts/cluster-context';
import { BundledAddonProps } from '../bundled-addon';

/** Options of the DNS cache of nodes. */
export interface NodeLocalDnsProps extends BundledAddonProps {
  /**
   * Unused address on which the cache listens, besides the address of the cluster's DNS Service. A cluster without IPv4 needs one of IPv6,
   * such as `fd00::10` (`TC-ADDON-NODE-LOCAL-DNS-FAMILY`).
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
 * Cilium, once a CiliumLocalRedirectPolicy exists (docs.cilium.io, Local Redirect Policy). Its pods tolerate every taint.
 *
 * Rule: `TC-ADDON-NODE-LOCAL-DNS-UNUSED`.
 *
 * Source: deliveryhero/helm-charts stable/node-local-dns 2.9.2.
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
      check: (context) => checkUse(localAddress, context),
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

const UNUSED_RULE: Rule = {
  id: 'TC-ADDON-NODE-LOCAL-DNS-UNUSED',
  title: 'A DNS cache of nodes needs rules of iptables, or something else that sends pods to it: without kube-proxy none does by itself.',
  source: 'docs.cilium.io/en/stable/network/kubernetes/local-redirect-policy (node-local DNS cache)',
  warning: true,
};

const FAMILY_RULE: Rule = {
  id: 'TC-ADDON-NODE-LOCAL-DNS-FAMILY',
  title: 'The local address of the DNS cache must be of the address family of the cluster.',
  source: 'kubernetes.io/docs/tasks/administer-cluster/nodelocaldns',
};

function checkUse(localAddress: string | undefined, { kubeProxyReplaced, network }: ClusterContext): Problem[] {
  const hasIpv4 = network.serviceCidrs.some((cidr) => !cidr.includes(':'));
  return [
    ...kubeProxyReplaced ? [{
      rule: UNUSED_RULE,
      property: 'NodeLocalDns',
      message: 'the pod network replaces kube-proxy, so that queries of pods go past the cache to the DNS Service',
      fix: 'add a CiliumLocalRedirectPolicy for the DNS Service, give kubelets the address of the cache (clusterDNS), or leave the addon out',
    }] : [],
    ...hasIpv4 || localAddress?.includes(':') ? [] : [{
      rule: FAMILY_RULE,
      property: 'localAddress',
      message: localAddress === undefined ? 'the default address 169.254.20.25 is IPv4, and the cluster has IPv6 only' : `${localAddress} is IPv4, and the cluster has IPv6 only`,
      fix: 'set an unused IPv6 address, such as "fd00::10"',
    }],
  ];
}
