import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of CoreDNS. */
export interface CoreDnsProps extends BundledAddonProps {
  /**
   * Replicas (`TC-ADDON-COUNT`).
   *
   * @default 2
   */
  readonly replicas?: number;
}

/**
 * CoreDNS as the cluster's DNS server, instead of the control plane's CoreDNS: disable that one, because a cluster can only have one.
 *
 * Its Service has the address that kubelets use, which cannot be changed later, and the name `kube-dns` that other software expects.
 *
 * Rule: `TC-ADDON-EXCLUSIVE`. Source: coredns/helm charts/coredns 1.46.2.
 *
 * @example
 * acme.addAddon(new CoreDns({ replicas: 3 }));
 */
export class CoreDns extends CatalogueAddon {
  public constructor(props: CoreDnsProps = {}) {
    const { replicas = 2 } = props;
    super({
      chart: 'coredns',
      name: 'coredns',
      namespace: 'kube-system',
      provides: [AddonCapability.CLUSTER_DNS],
      tolerations: { tolerations: [] },
      check: () => checkReplicas('replicas', replicas),
      values: ({ network }) => ({
        replicaCount: replicas,
        isClusterService: true,
        k8sAppLabelOverride: 'kube-dns',
        priorityClassName: 'system-cluster-critical',
        // A lost or drained node must not take all replicas with it.
        podDisruptionBudget: { maxUnavailable: 1 },
        topologySpreadConstraints: [{
          maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        }],
        serviceAccount: { create: true },
        service: {
          name: 'kube-dns',
          clusterIP: network.dnsServiceIps[0],
          ...(network.dnsServiceIps.length > 1 && { clusterIPs: network.dnsServiceIps, ipFamilyPolicy: 'RequireDualStack' }),
        },
        // Without the scheme some releases of the chart leave TCP out of the Service.
        servers: [{ zones: [{ zone: '.', scheme: 'dns://', use_tcp: true }], port: 53, plugins: plugins(network.serviceDomain) }],
      }),
    }, props);
  }
}

/** The plug-ins of kubeadm's Corefile, with the domain of the cluster. Source: kubernetes/kubernetes cmd/kubeadm/app/phases/addons/dns. */
function plugins(domain: string): object[] {
  return [
    { name: 'errors' },
    { name: 'health', configBlock: 'lameduck 10s' },
    { name: 'ready' },
    { name: 'kubernetes', parameters: `${domain} in-addr.arpa ip6.arpa`, configBlock: 'pods insecure\nfallthrough in-addr.arpa ip6.arpa\nttl 30' },
    { name: 'prometheus', parameters: '0.0.0.0:9153' },
    { name: 'forward', parameters: '. /etc/resolv.conf' },
    { name: 'cache', parameters: 30 },
    { name: 'loop' },
    { name: 'reload' },
    { name: 'loadbalance' },
  ];
}
