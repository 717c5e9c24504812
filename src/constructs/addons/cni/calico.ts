import { Chart } from 'cdk8s';
import {
  apiServerAddress, BundledCni, checkApiServerAddress, checkContradictions, checkTunnel, KUBE_PROXY, TUNNEL_PORT, tunnelPeers, TypedValue,
} from './bundled-cni';
import { mergeValues, Values } from '../../../manifests/values/chart-values';
import { Cidr } from '../../../manifests/values/cidr';
import { fieldAt } from '../../../manifests/values/fields';
import { Problems } from '../../app/problems/problems';
import { AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { CniPort } from '../../contracts/network/cni-port';
import { BundledAddonProps, bundledChart, checkTolerationList, checkValueKeys, tolerationValues } from '../bundled-addon';

/** Dataplane of Calico. */
export enum CalicoDataplane {
  /** Rules of iptables, beside kube-proxy. */
  IPTABLES = 'Iptables',

  /** Rules of nftables, beside kube-proxy. */
  NFTABLES = 'Nftables',

  /** Programs in the kernel, in place of kube-proxy. */
  BPF = 'BPF',
}

// tigera/operator pkg/controller/ippool/defaults.go
const POOL_DEFAULTS = {
  IPv4: { name: 'default-ipv4-ippool', blockSize: 26 },
  IPv6: { name: 'default-ipv6-ippool', blockSize: 122 },
};

/** Options of Calico. */
export interface CalicoProps extends BundledAddonProps {
  /**
   * Dataplane for pod packets. `CalicoDataplane.BPF` replaces kube-proxy, and needs an address of the API server for it
   * (`TC-CNI-API-SERVER-ADDRESS`).
   *
   * @default CalicoDataplane.IPTABLES
   */
  readonly dataplane?: CalicoDataplane;

  /**
   * MTU in bytes of the pods' interfaces. For machines whose packets travel in another pod network give the MTU of that network less the
   * 50 bytes of a VXLAN header, e.g. 1350 where it is 1400 (`TC-CNI-MTU`).
   *
   * @default - what Calico finds at the machine's network interface
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
   * True if Calico's API server runs, which serves `projectcalico.org/v3` objects such as Calico's network policies. The tenant's API
   * server reaches it by Konnectivity.
   *
   * @default true
   */
  readonly apiServer?: boolean;

  /**
   * True if Goldmane and Whisker run, which collect and show the traffic between pods.
   *
   * @default false
   */
  readonly flowLogs?: boolean;
}

/**
 * Calico as the pod network: the Tigera operator, and the definitions that it needs.
 *
 * `values` are those of the operator's chart. `tolerations` reach the parts of Calico that do not run on every node. Do not uninstall it
 * before the whole tenant is deleted: a hook of the chart waits for pods to go, and with them the network. Source: projectcalico/calico
 * charts/tigera-operator v3.32.1.
 *
 * @example
 * new TenantCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   controlPlane: new KamajiControlPlane({ replicas: 2 }),
 *   infrastructure: new KubevirtInfrastructure(),
 *   cni: new Calico({ flowLogs: true }),
 *   delivery: new FluxDelivery(),
 * });
 */
export class Calico extends BundledCni {
  /** True if it replaces kube-proxy. */
  public readonly replacesKubeProxy: boolean;

  /** Capabilities that it brings. */
  public override readonly provides: string[] = [AddonCapability.POD_NETWORK, AddonCapability.NETWORK_POLICY];

  /** True if it assigns blocks of pod addresses to nodes on demand. */
  public override readonly assignsAddressBlocks: boolean = true;

  /** Ports at which nodes must reach each other. */
  public override readonly peerPorts: CniPort[];

  private readonly props: CalicoProps;

  public constructor(props: CalicoProps = {}) {
    super('calico', props);
    this.props = props;
    this.peerPorts = [
      tunnelPeers('Calico', props, ['defaultFelixConfiguration', 'vxlanPort']),
      // The operator always runs it (docs.tigera.io/calico/latest/getting-started/kubernetes/requirements).
      { protocol: 'TCP', port: 5473, purpose: 'Typha of Calico' },
    ];
    this.replacesKubeProxy = props.dataplane === CalicoDataplane.BPF;
  }

  /**
   * Gives the charts to the delivery.
   *
   * @param tenant a chart whose objects go to the tenant; nothing is put there
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { mtu, tunnelPort, tolerations } = this.props;
    [
      ...(this.replacesKubeProxy ? checkApiServerAddress('dataplane', 'dataplane: CalicoDataplane.NFTABLES', context) : []),
      ...checkTunnel(mtu, tunnelPort, context.network),
      ...checkTolerationList(tolerations),
      ...checkValueKeys('tigera-operator', this.props, context.versions),
      ...checkContradictions(this.props.values, this.typedValues()),
    ].forEach((problem) => Problems.of(tenant).add(problem));
    const place = { namespace: 'tigera-operator', privileged: true } as const;
    const definitions = { chart: 'crd.projectcalico.org.v1', releaseName: `${this.name}-crds`, ...place } as const;
    const operator = { chart: 'tigera-operator', releaseName: this.name, ...place, values: this.values(context) } as const;
    return {
      charts: [
        bundledChart(definitions, { ...this.props, releaseName: undefined, values: undefined, valuesFrom: undefined }, context.versions),
        bundledChart(operator, this.props, context.versions),
      ],
    };
  }

  /** The dataplane decides about kube-proxy, even if the property is unset. */
  private typedValues(): TypedValue[] {
    const { dataplane = CalicoDataplane.IPTABLES, mtu, tunnelPort, apiServer, flowLogs } = this.props;
    return [
      { path: 'installation.calicoNetwork.linuxDataplane', property: 'dataplane', expected: dataplane, because: KUBE_PROXY },
      { path: 'installation.calicoNetwork.mtu', property: 'mtu', expected: mtu },
      { path: 'defaultFelixConfiguration.vxlanPort', property: 'tunnelPort', expected: tunnelPort },
      { path: 'apiServer.enabled', property: 'apiServer', expected: apiServer },
      { path: 'goldmane.enabled', property: 'flowLogs', expected: flowLogs },
      { path: 'whisker.enabled', property: 'flowLogs', expected: flowLogs },
    ];
  }

  /**
   * If nodes reach each other at their `InternalIP`, calico-node must not choose another interface. It restarts until the node has the
   * address.
   *
   * The operator stores "firstFound: true" where it finds no method, and stops where it finds two for a family: so the former is taken back
   * (tigera/operator pkg/controller/installation/{core_controller,validation}.go, v1.42.4).
   */
  private nodeAddressAutodetection({ infrastructure, network }: ClusterContext): Values {
    const families = network.podCidrs.map((cidr) => Cidr.parse(cidr)?.family ?? 'IPv4').filter((family) => infrastructure.internalIpFamilies?.includes(family));
    const keys = families.map((family) => (family === 'IPv6' ? 'nodeAddressAutodetectionV6' : 'nodeAddressAutodetectionV4'))
      .filter((key) => fieldAt(this.props.values ?? {}, 'installation', 'calicoNetwork', key) === undefined);
    return Object.fromEntries(keys.map((key) => [key, { firstFound: false, kubernetes: 'NodeInternalIP' }]));
  }

  private values(context: ClusterContext): Values {
    const { dataplane, mtu, tunnelPort, apiServer, flowLogs, tolerations } = this.props;
    const address = this.replacesKubeProxy ? apiServerAddress(context) : undefined;
    const calicoNetwork = {
      bgp: 'Disabled',
      linuxDataplane: dataplane ?? CalicoDataplane.IPTABLES,
      mtu,
      ...this.nodeAddressAutodetection(context),
      ipPools: context.network.podCidrs.map((cidr, index) => addressPool(cidr, context.network.nodeCidrMaskSizes[index])),
    };
    return mergeValues(
      {
        installation: { calicoNetwork },
        // The port of tunnels is no part of the Installation.
        defaultFelixConfiguration: { enabled: true, vxlanPort: tunnelPort ?? TUNNEL_PORT },
        apiServer: { enabled: apiServer ?? true },
        goldmane: { enabled: flowLogs ?? false },
        whisker: { enabled: flowLogs ?? false },
        kubernetesServiceEndpoint: address && { host: address.host, port: `${address.port}` },
      },
      tolerationValues({ 'installation.controlPlaneTolerations': [] }, tolerations),
    );
  }
}

/**
 * The pool of one address family.
 *
 * The operator writes the defaults of a pool into the Installation, and so does the schema of the definition (tigera/operator
 * pkg/controller/ippool/defaults.go, api/v1/installation_types.go). Inside a list this is a difference, which a GitOps tool would revert
 * forever: so the pool sets all fields.
 *
 * Nodes get more than one block where they need it. A block that is larger than what the cluster gives one node would leave some without.
 */
function addressPool(cidr: string, nodeCidrMaskSize: number): Values {
  const { name, blockSize } = POOL_DEFAULTS[Cidr.parse(cidr)?.family ?? 'IPv4'];
  return {
    name,
    blockSize: Math.max(blockSize, nodeCidrMaskSize),
    cidr,
    encapsulation: 'VXLAN',
    natOutgoing: 'Enabled',
    nodeSelector: 'all()',
    allowedUses: ['Workload', 'Tunnel'],
    assignmentMode: 'Automatic',
    disableBGPExport: false,
    disableNewAllocations: false,
  };
}
