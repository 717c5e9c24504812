import { CNI_RULES } from './rules';
import { Cidr } from '../../../manifests/values/cidr';
import { checkPort } from '../../../manifests/values/dns';
import { Problem } from '../../../manifests/values/problem';
import { ClusterNetwork } from '../../contracts/cluster-context';

/**
 * UDP port of tunnels between nodes.
 *
 * Not 8472 or 4789, which pod networks use by default: machines that are pods of the management cluster would send packets of that port
 * through its network, which takes them for its own.
 *
 * Source: kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md (a customized port).
 */
export const TUNNEL_PORT = 8473;

const MAX_MTU = 65535;
const MIN_MTU = { IPv4: 576, IPv6: 1280 };

/** The pod ranges of each address family. */
export function podCidrsByFamily(network: ClusterNetwork): { ipv4: string[]; ipv6: string[] } {
  const ofFamily = (family: string) => network.podCidrs.filter((text) => Cidr.parse(text)?.family === family);
  return { ipv4: ofFamily('IPv4'), ipv6: ofFamily('IPv6') };
}

/** Checks the MTU of a pod network, and the port of its tunnels. */
export function checkTunnel(mtu: number | undefined, port: number | undefined, network: ClusterNetwork): Problem[] {
  const least = podCidrsByFamily(network).ipv6.length > 0 ? MIN_MTU.IPv6 : MIN_MTU.IPv4;
  const fault = port === undefined ? undefined : checkPort(port);
  return [
    ...(mtu === undefined || (Number.isInteger(mtu) && mtu >= least && mtu <= MAX_MTU) ? [] : [{
      rule: CNI_RULES.mtu,
      property: 'mtu',
      message: `${mtu} is no MTU of this network`,
      accepted: `whole numbers from ${least} to ${MAX_MTU}`,
      fix: 'give the MTU of the machines\' network less 50 bytes, or leave it out',
    }]),
    ...(fault === undefined ? [] : [{ rule: CNI_RULES.port, property: 'tunnelPort', message: fault, fix: `leave it out, which is ${TUNNEL_PORT}` }]),
  ];
}
