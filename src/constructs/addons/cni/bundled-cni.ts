import { Cni } from './cni';
import { Values } from '../../../manifests/values/chart-values';
import { Cidr } from '../../../manifests/values/cidr';
import { checkPort } from '../../../manifests/values/dns';
import { fieldAt } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Addon } from '../../contracts/addon';
import { ApiServerAddress } from '../../contracts/api-server-address';
import { ClusterContext, ClusterNetwork } from '../../contracts/cluster-context';
import { CniPort } from '../../contracts/network/cni-port';
import { BundledAddonProps } from '../bundled-addon';

/**
 * The base of the pod networks of the library.
 *
 * @internal a hidden base class: to jsii, they extend `Cni`
 */
export abstract class BundledCni extends Cni {
  /** Name of the addon. */
  public readonly name: string;

  /** Addons that this one is installed after. */
  public override readonly after: Addon[];

  protected constructor(usualName: string, props: BundledAddonProps) {
    super();
    this.name = props.name ?? usualName;
    this.after = props.after ?? [];
  }
}

/** Address of the API server for nodes, without a Service; undefined if it is unknown at synthesis. */
export function apiServerAddress({ apiServer, infrastructure }: ClusterContext): ApiServerAddress | undefined {
  return (infrastructure.inManagementCluster ? apiServer.internal : undefined) ?? apiServer.published;
}

const API_SERVER_ADDRESS_RULE: Rule = {
  id: 'TC-CNI-API-SERVER-ADDRESS',
  title: 'A pod network that replaces kube-proxy needs the address of the API server.',
  source: 'docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free',
};

/**
 * Checks that a pod network that replaces kube-proxy can reach the API server.
 *
 * @param property the property that has it replace kube-proxy
 * @param beside the property of a pod network beside kube-proxy, for the fix
 */
export function checkApiServerAddress(property: string, beside: string, context: ClusterContext): Problem[] {
  return apiServerAddress(context) ? [] : [{
    rule: API_SERVER_ADDRESS_RULE,
    property,
    message: 'without kube-proxy nodes reach the API server only by an address of its own, and that is not known before the control plane is up',
    fix: context.controlPlane.endpointManager === undefined ? `let kube-proxy run: write ${beside}`
      : `give the exposure of the control plane a fixed address or host name, or let kube-proxy run: write ${beside}`,
  }];
}

/**
 * UDP port of tunnels between nodes.
 *
 * Not 8472 or 4789, which pod networks use by default: machines that are pods of the management cluster would send packets of that port
 * through its network, which would process them as its own.
 *
 * Source: kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md (a customized port).
 */
export const TUNNEL_PORT = 8473;

/** The tunnels between nodes. A value of the chart wins over the property. */
export function tunnelPeers(network: string, props: BundledAddonProps & { readonly tunnelPort?: number }, path: readonly string[]): CniPort {
  const port = Number(fieldAt(props.values ?? {}, ...path) ?? props.tunnelPort ?? TUNNEL_PORT);
  return { protocol: 'UDP', port, purpose: `tunnels of ${network}` };
}

const MAX_MTU = 65535;
const MIN_MTU = { IPv4: 576, IPv6: 1280 };

/** The pod ranges of each address family. */
export function podCidrsByFamily(network: ClusterNetwork): { ipv4: string[]; ipv6: string[] } {
  const ofFamily = (family: string) => network.podCidrs.filter((text) => Cidr.parse(text)?.family === family);
  return { ipv4: ofFamily('IPv4'), ipv6: ofFamily('IPv6') };
}

const MTU_RULE: Rule = {
  id: 'TC-CNI-MTU',
  title: 'An MTU must be a whole number of bytes from 576 (IPv4) or 1280 (IPv6) to 65535.',
  source: 'RFC 791, RFC 8200 section 5',
};

const PORT_RULE: Rule = {
  id: 'TC-CNI-PORT',
  title: 'The tunnel port must be a UDP port from 1 to 65535.',
};

/** Checks the MTU of a pod network, and the port of its tunnels. */
export function checkTunnel(mtu: number | undefined, port: number | undefined, network: ClusterNetwork): Problem[] {
  const least = podCidrsByFamily(network).ipv6.length > 0 ? MIN_MTU.IPv6 : MIN_MTU.IPv4;
  const fault = port === undefined ? undefined : checkPort(port);
  return [
    ...(mtu === undefined || (Number.isInteger(mtu) && mtu >= least && mtu <= MAX_MTU) ? [] : [{
      rule: MTU_RULE,
      property: 'mtu',
      message: `${mtu} is no MTU of this network`,
      accepted: `whole numbers from ${least} to ${MAX_MTU}`,
      fix: 'give the MTU of the machines\' network less 50 bytes, or leave it out',
    }]),
    ...(fault === undefined ? [] : [{ rule: PORT_RULE, property: 'tunnelPort', message: fault, fix: `leave it out, which is ${TUNNEL_PORT}` }]),
  ];
}

/** The consequence of replacing kube-proxy. */
export const KUBE_PROXY = 'the control plane leaves kube-proxy out, or brings it, by the property';

/** A value of a chart that a property sets. */
export interface TypedValue {
  /** Path of the value: keys joined by dots. */
  readonly path: string;

  /** The property, e.g. `tunnelPort`. */
  readonly property: string;

  /** The value that the property sets; undefined if the property is unset, so that any value is accepted. */
  readonly expected: unknown;

  /**
   * Further consequence of the property.
   *
   * @default - none: only the two contradict each other
   */
  readonly because?: string;
}

const VALUES_RULE: Rule = {
  id: 'TC-CNI-VALUES',
  title: 'Values of a pod network must not contradict its properties, which the control plane and the other addons follow.',
};

/**
 * Reports values that contradict a property: the value would win in the chart, but the rest of the cluster follows the property.
 *
 * @param values the user's values
 * @param typed the values that properties set
 */
export function checkContradictions(values: Values | undefined, typed: readonly TypedValue[]): Problem[] {
  return typed.flatMap(({ path, property, expected, because }): Problem[] => {
    const found = fieldAt(values ?? {}, ...path.split('.'));
    // Charts treat a boolean or a number and its string form the same.
    if (expected === undefined || found === undefined || String(found) === String(expected)) return [];
    return [{
      rule: VALUES_RULE,
      property: `values.${path}`,
      message: `it is ${JSON.stringify(found)}, but ${property} sets it to ${JSON.stringify(expected)}${because === undefined ? '' : `: ${because}`}`,
      fix: `set ${property}, and remove the key from values`,
    }];
  });
}
