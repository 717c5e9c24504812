import { Chart } from 'cdk8s';
import { BundledCni, checkContradictions, checkTunnel, podCidrsByFamily, TUNNEL_PORT } from './bundled-cni';
import { Problems } from '../../app/problems/problems';
import { AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { BundledAddonProps, bundledChart, checkValueKeys } from '../bundled-addon';

/** Options of Flannel. */
export interface FlannelProps extends BundledAddonProps {
  /**
   * MTU in bytes of the machines' network, which Flannel takes its VXLAN header off. Give it where that network lets less through than the
   * machine's interface promises (`TC-CNI-MTU`).
   *
   * @default - what Flannel finds at the machine's network interface
   */
  readonly mtu?: number;

  /**
   * UDP port of the tunnels, other than that of the management cluster's own pod network (8472 for Cilium and Flannel, 4789 for Calico):
   * that network would take the packets for its own. Changing it on a living cluster interrupts the traffic between pods
   * (`TC-CNI-PORT`). Source: kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md.
   *
   * @default 8473
   */
  readonly tunnelPort?: number;

  /**
   * True if NetworkPolicies have an effect, by kube-network-policies beside Flannel.
   *
   * @default false
   */
  readonly networkPolicy?: boolean;
}

/**
 * Flannel as the pod network: small, beside kube-proxy, which it reaches the API server through.
 *
 * Its pods tolerate every taint. Machine images must hold the standard network plug-ins (bridge, host-local, portmap) in `/opt/cni/bin`:
 * the chart brings its own only. Source: flannel-io/flannel chart/kube-flannel v0.28.9.
 *
 * @example
 * new TenantCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   controlPlane: new KamajiControlPlane({ replicas: 2 }),
 *   infrastructure: new KubevirtInfrastructure(),
 *   cni: new Flannel({ networkPolicy: true }),
 *   delivery: new FluxDelivery(),
 * });
 */
export class Flannel extends BundledCni {
  /** True if it does the work of kube-proxy. */
  public readonly replacesKubeProxy: boolean = false;

  /** Capabilities that it brings. */
  public override readonly provides: string[];

  private readonly props: FlannelProps;

  public constructor(props: FlannelProps = {}) {
    super('flannel', props);
    this.props = props;
    this.provides = [AddonCapability.POD_NETWORK, ...(props.networkPolicy ? [AddonCapability.NETWORK_POLICY] : [])];
  }

  /**
   * Gives the chart to the delivery.
   *
   * @param tenant a chart whose objects go to the tenant; nothing is put there
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { mtu, tunnelPort, networkPolicy } = this.props;
    const { ipv4, ipv6 } = podCidrsByFamily(context.network);
    [
      ...checkTunnel(mtu, tunnelPort, context.network),
      ...checkValueKeys('flannel', this.props, context.versions),
      ...checkContradictions(this.props.values, [
        { path: 'podCidr', property: 'podCidrs of the cluster', expected: ipv4[0] ?? '', because: 'nodes get their ranges out of these' },
        { path: 'podCidrv6', property: 'podCidrs of the cluster', expected: ipv6[0] ?? '', because: 'nodes get their ranges out of these' },
        { path: 'flannel.backendPort', property: 'tunnelPort', expected: tunnelPort },
        { path: 'flannel.mtu', property: 'mtu', expected: mtu },
        { path: 'netpol.enabled', property: 'networkPolicy', expected: networkPolicy, because: 'addons that require network policies follow the property' },
      ]),
    ].forEach((problem) => Problems.of(tenant).add(problem));
    const values = {
      podCidr: ipv4[0] ?? '',
      podCidrv6: ipv6[0],
      flannel: { backend: 'vxlan', backendPort: tunnelPort ?? TUNNEL_PORT, mtu },
      netpol: networkPolicy ? { enabled: true } : undefined,
    };
    const installation = { chart: 'flannel', releaseName: this.name, namespace: 'kube-flannel', privileged: true, values } as const;
    return { charts: [bundledChart(installation, this.props, context.versions)] };
  }
}
