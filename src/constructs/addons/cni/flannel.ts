import { Chart } from 'cdk8s';
import { BundledCni, checkContradictions, checkTunnel, podCidrsByFamily, TUNNEL_PORT, tunnelPeers } from './bundled-cni';
import { fieldAt } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { CniPort } from '../../contracts/network/cni-port';
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

const INTERFACE_RULE: Rule = {
  id: 'TC-CNI-INTERFACE',
  title: 'Flannel must find the interface of the network at which nodes reach each other: by itself, it sends the traffic of pods by the interface of the default route.',
  source: 'flannel-io/flannel main.go, pkg/ipmatch/match.go (LookupExtIface)',
};

/** Arguments of flanneld in the chart (flannel-io/flannel chart/kube-flannel/values.yaml). */
const CHART_ARGUMENTS = ['--ip-masq', '--kube-subnet-mgr'];

/**
 * Flannel as the pod network: small, beside kube-proxy, which it reaches the API server through.
 *
 * Its pods tolerate every taint. Machine images must hold the standard network plug-ins (bridge, host-local, portmap) in `/opt/cni/bin`:
 * the chart brings its own only. Where nodes reach each other in a network of their own, such as that of a `KubeadmCluster`, it uses the
 * interface of that network; where this is not known, as in a VPC of Vultr, it is refused.
 *
 * Rule: `TC-CNI-INTERFACE`. Source: flannel-io/flannel chart/kube-flannel v0.28.9.
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

  /** Ports at which nodes must reach each other. */
  public override readonly peerPorts: CniPort[];

  private readonly props: FlannelProps;

  public constructor(props: FlannelProps = {}) {
    super('flannel', props);
    this.props = props;
    this.peerPorts = [tunnelPeers('Flannel', props, ['flannel', 'backendPort'])];
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
      ...this.checkInterface(context),
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
      flannel: { backend: 'vxlan', backendPort: tunnelPort ?? TUNNEL_PORT, mtu, args: interfaceArguments(context) },
      netpol: networkPolicy ? { enabled: true } : undefined,
    };
    const installation = { chart: 'flannel', releaseName: this.name, namespace: 'kube-flannel', privileged: true, values } as const;
    return { charts: [bundledChart(installation, this.props, context.versions)] };
  }
  private checkInterface({ infrastructure: { internalIpFamilies = [], knownNodeAddress } }: ClusterContext): Problem[] {
    if (internalIpFamilies.length === 0 || knownNodeAddress !== undefined || fieldAt(this.props.values ?? {}, 'flannel', 'args') !== undefined) return [];
    return [{
      rule: INTERFACE_RULE,
      property: 'values.flannel.args',
      message: 'nodes reach each other at their InternalIP, and Flannel would send the traffic of pods by the interface of the default route, which may be the public one',
      fix: 'use new Calico() or new Cilium(), or name the interface: values: { flannel: { args: '
        + `${JSON.stringify([...CHART_ARGUMENTS, '--iface-can-reach=ADDRESS']).replaceAll('"', '\'').replaceAll(',', ', ')} } } with an address in the network of the nodes`,
    }];
  }
}

/** Routes to the known node lead through the right interface, but on that node itself: there, the interface has the address. */
function interfaceArguments({ infrastructure: { internalIpFamilies = [], knownNodeAddress } }: ClusterContext): string[] | undefined {
  if (internalIpFamilies.length === 0 || knownNodeAddress === undefined) return undefined;
  return [...CHART_ARGUMENTS, `--iface=${knownNodeAddress}`, `--iface-can-reach=${knownNodeAddress}`];
}
