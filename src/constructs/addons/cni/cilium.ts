import { Chart } from 'cdk8s';
import {
  apiServerAddress, BundledCni, checkApiServerAddress, checkContradictions, checkTunnel, KUBE_PROXY, podCidrsByFamily, TUNNEL_PORT,
  tunnelPeers, TypedValue,
} from './bundled-cni';
import { KUBE_PROXY_HEALTH_PORT } from './cni';
import { Values } from '../../../manifests/values/chart-values';
import { fieldAt } from '../../../manifests/values/fields';
import { Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { CniPort } from '../../contracts/network/cni-port';
import { BundledAddonProps, bundledChart, checkReplicas, checkTolerationList, checkValueKeys, tolerationValues } from '../bundled-addon';

// The default tolerations of the chart's operator: values.yaml of cilium 1.20.0, operator.tolerations, without the taints of control plane
// nodes.
const OPERATOR_TOLERATIONS = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' },
];

/** Encapsulation of pod traffic between nodes. */
export enum CiliumTunnel {
  /** In VXLAN packets. */
  VXLAN = 'vxlan',

  /** In Geneve packets. */
  GENEVE = 'geneve',
}

/**
 * Address at which the agent answers for the Service proxy of its node, also while the API server is away (cilium/cilium
 * daemon/healthz/kube_proxy_healthz.go).
 */
function healthAddress({ network }: ClusterContext): string {
  return `${podCidrsByFamily(network).ipv4.length > 0 ? '0.0.0.0' : '[::]'}:${KUBE_PROXY_HEALTH_PORT}`;
}

/** Options of Cilium. */
export interface CiliumProps extends BundledAddonProps {
  /**
   * True if Cilium replaces kube-proxy, which the control plane then omits. Nodes need an address of the API server for it: its Service if
   * machines run in the management cluster, otherwise the fixed address of the control plane's exposure. Changing it on a living cluster
   * interrupts Services.
   *
   * Rule: `TC-CNI-API-SERVER-ADDRESS`.
   *
   * @default true
   */
  readonly kubeProxyReplacement?: boolean;

  /**
   * MTU in bytes. For machines whose packets travel in another pod network give the MTU of that network less the 50 bytes of a VXLAN
   * header, e.g. 1350 where it is 1400: Cilium looks at the machine's interface, which may promise more than gets through (`TC-CNI-MTU`).
   *
   * @default - what Cilium finds at the machine's network interface
   */
  readonly mtu?: number;

  /**
   * Encapsulation of pod traffic between nodes.
   *
   * @default CiliumTunnel.VXLAN
   */
  readonly tunnel?: CiliumTunnel;

  /**
   * UDP port of the tunnels, other than that of the management cluster's own pod network (8472 for Cilium and Flannel, 4789 for Calico,
   * 6081 for Geneve): that network would take the packets for its own. Changing it on a living cluster interrupts the traffic between
   * pods (`TC-CNI-PORT`). Source: kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md.
   *
   * @default 8473
   */
  readonly tunnelPort?: number;

  /**
   * True if Hubble watches the traffic. A Job in the tenant makes and renews its certificates, so that none is in the release.
   *
   * @default false
   */
  readonly hubble?: boolean;

  /**
   * True if Cilium implements the Gateway API, with a GatewayClass called `cilium`. The definitions of the Gateway API are installed
   * before it: add `GatewayApi`. Without `kubeProxyReplacement` Cilium would ignore every Gateway.
   *
   * Rules: `TC-ADDON-REQUIREMENT`, `TC-CNI-GATEWAY-API`.
   *
   * @default false
   */
  readonly gatewayApi?: boolean;

  /**
   * Replicas of Cilium's operator, each on a node of its own: with fewer nodes than replicas the installation never completes
   * (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly operatorReplicas?: number;
}

const GATEWAY_API_RULE: Rule = {
  id: 'TC-CNI-GATEWAY-API',
  title: 'Cilium must replace kube-proxy to implement the Gateway API.',
  source: 'cilium/cilium Documentation/network/servicemesh/gateway-api/installation.rst, operator/pkg/gateway-api/cell.go; '
    + 'cilium/charts cilium 1.20.0 values.yaml (NodePort has no switch of its own)',
};

/**
 * Cilium as the pod network, by default without kube-proxy.
 *
 * Pods get their addresses from the range that Kubernetes gives their node. Traffic between nodes is tunnelled, because the network that
 * carries the machines does not know the addresses of pods. Objects such as CiliumNetworkPolicy can be applied after it: its operator
 * makes their definitions. Source: cilium/charts cilium 1.20.0.
 *
 * @example
 * new TenantCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   controlPlane: new KamajiControlPlane({ replicas: 2 }),
 *   infrastructure: new KubevirtInfrastructure(),
 *   cni: new Cilium({ hubble: true }),
 *   delivery: new FluxDelivery(),
 * });
 */
export class Cilium extends BundledCni {
  /** True if it does the work of kube-proxy. */
  public readonly replacesKubeProxy: boolean;

  /** Port at which it answers for the Service proxy of a node, as kube-proxy does. */
  public override readonly serviceProxyHealthPort?: number = KUBE_PROXY_HEALTH_PORT;

  /** Capabilities that it brings. */
  public override readonly provides: string[] = [AddonCapability.POD_NETWORK, AddonCapability.NETWORK_POLICY];

  /** Capabilities that the cluster must have before it is installed. */
  public override readonly requires: string[];

  /** Ports at which nodes must reach each other. */
  public override readonly peerPorts: CniPort[];

  private readonly props: CiliumProps;

  public constructor(props: CiliumProps = {}) {
    super('cilium', props);
    this.props = props;
    this.peerPorts = [
      tunnelPeers('Cilium', props, ['tunnelPort']),
      // docs.cilium.io/en/stable/operations/system_requirements (firewall rules).
      { protocol: 'TCP', port: 4240, purpose: 'health checks of Cilium' },
      ...(fieldAt(props.values ?? {}, 'hubble', 'enabled') ?? props.hubble ? [{ protocol: 'TCP', port: 4244, purpose: 'Hubble' }] : []),
    ];
    this.replacesKubeProxy = props.kubeProxyReplacement ?? true;
    this.requires = props.gatewayApi ? [AddonCapability.GATEWAY_API] : [];
  }

  /**
   * Gives the chart to the delivery.
   *
   * @param tenant a chart whose objects go to the tenant; nothing is put there
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    this.check(Problems.of(tenant), context);
    const installation = { chart: 'cilium', releaseName: this.name, namespace: 'kube-system', privileged: true, values: this.values(context) } as const;
    return { charts: [bundledChart(installation, this.props, context.versions)] };
  }

  private values(context: ClusterContext): Values {
    const { mtu, tunnel, tunnelPort, hubble, gatewayApi, operatorReplicas, tolerations } = this.props;
    const address = this.replacesKubeProxy ? apiServerAddress(context) : undefined;
    const { ipv4, ipv6 } = podCidrsByFamily(context.network);
    return {
      kubeProxyReplacement: this.replacesKubeProxy,
      kubeProxyReplacementHealthzBindAddr: this.replacesKubeProxy ? healthAddress(context) : undefined,
      // Agents read their configuration when they start. A machine that was made before it changed would never answer probes.
      rollOutCiliumPods: true,
      k8sServiceHost: address?.host,
      k8sServicePort: address?.port,
      ipam: { mode: 'kubernetes' },
      ipv4: { enabled: ipv4.length > 0 },
      ipv6: { enabled: ipv6.length > 0 },
      // Tunnels run over IPv4 unless told otherwise, which nodes without it do not have (cilium/cilium .github/actions/cilium-config/action.yml).
      underlayProtocol: ipv4.length > 0 ? undefined : 'ipv6',
      routingMode: 'tunnel',
      tunnelProtocol: tunnel ?? CiliumTunnel.VXLAN,
      tunnelPort: tunnelPort ?? TUNNEL_PORT,
      MTU: mtu,
      operator: { replicas: operatorReplicas ?? 1, ...tolerationValues({ tolerations: OPERATOR_TOLERATIONS }, tolerations) },
      ...(hubble && tolerationValues({ 'certgen.tolerations': [] }, tolerations)),
      hubble: hubble ? { enabled: true, tls: { auto: { enabled: true, method: 'cronJob' } } } : { enabled: false },
      // "auto" would look at the server while the chart is rendered.
      gatewayAPI: gatewayApi ? { enabled: true, gatewayClass: { create: 'true' } } : undefined,
    };
  }

  /** A default counts as set if other parts of the cluster follow it. */
  private typedValues(context: ClusterContext): TypedValue[] {
    const { mtu, tunnel, tunnelPort, hubble, gatewayApi = false, operatorReplicas } = this.props;
    const { ipv4, ipv6 } = podCidrsByFamily(context.network);
    const { infrastructure } = context;
    return [
      { path: 'kubeProxyReplacement', property: 'kubeProxyReplacement', expected: this.replacesKubeProxy, because: KUBE_PROXY },
      ...(this.replacesKubeProxy && infrastructure.servicePublisher !== undefined ? [{
        path: 'kubeProxyReplacementHealthzBindAddr', property: 'serviceProbe of machines', expected: healthAddress(context), because: 'load balancers ask there',
      }] : []),
      { path: 'gatewayAPI.enabled', property: 'gatewayApi', expected: gatewayApi, because: 'the property requires its definitions' },
      { path: 'ipv4.enabled', property: 'podCidrs of the cluster', expected: ipv4.length > 0 },
      { path: 'ipv6.enabled', property: 'podCidrs of the cluster', expected: ipv6.length > 0 },
      { path: 'tunnelProtocol', property: 'tunnel', expected: tunnel },
      { path: 'tunnelPort', property: 'tunnelPort', expected: tunnelPort },
      { path: 'MTU', property: 'mtu', expected: mtu },
      { path: 'hubble.enabled', property: 'hubble', expected: hubble },
      { path: 'operator.replicas', property: 'operatorReplicas', expected: operatorReplicas },
    ];
  }

  private check(problems: Problems, context: ClusterContext): void {
    const { mtu, tunnelPort, operatorReplicas, tolerations, gatewayApi } = this.props;
    [
      ...(this.replacesKubeProxy ? checkApiServerAddress('kubeProxyReplacement', 'kubeProxyReplacement: false', context) : []),
      ...checkTunnel(mtu, tunnelPort, context.network),
      ...checkTolerationList(tolerations),
      ...checkReplicas('operatorReplicas', operatorReplicas),
      ...checkValueKeys('cilium', this.props, context.versions),
      ...checkContradictions(this.props.values, this.typedValues(context)),
    ].forEach((problem) => problems.add(problem));
    if (gatewayApi && !this.replacesKubeProxy) {
      problems.add({
        rule: GATEWAY_API_RULE,
        property: 'gatewayApi',
        message: 'it is true and kubeProxyReplacement is false: Cilium would log a warning, and no Gateway would ever work',
        fix: 'leave kubeProxyReplacement at true, or have another implementation of the Gateway API, such as new EnvoyGateway()',
      });
    }
  }
}
