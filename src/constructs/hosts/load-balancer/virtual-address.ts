import { AddressedHost, ENDPOINT_RULE } from './load-balancer-design';
import { Cidr } from '../../../manifests/values/cidr';
import { HostPort } from '../../../manifests/values/dns';
import { isSameIp, parseIp } from '../../../manifests/values/ip-address';
import { Problem, Rule } from '../../../manifests/values/problem';
import { isInterfaceName } from '../../control-planes/kubeadm/kube-vip/kube-vip-pod';

/** The virtual address of several hosts. */
export interface KubeadmVirtualAddress {
  /**
   * The virtual address, which no host may have as its own. It becomes a name in the API server's certificate.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-VIP`.
   */
  readonly vip: string;

  /**
   * The subnet of the virtual address and of all hosts that share it, on one layer 2 network, e.g. `192.168.10.0/24`
   * (`TC-KUBEADM-CLUSTER-LB-VIP`).
   */
  readonly subnet: string;

  /** Network interface of the hosts in the subnet, e.g. `ens192` (`TC-KUBEADM-CLUSTER-LB-INTERFACE`). */
  readonly networkInterface: string;
}

const VIRTUAL_ADDRESS_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-VIP',
  title: 'The virtual address must be a host address in the subnet of all hosts that share it, and no host may have it as its own.',
  source: 'kubernetes/kubeadm docs/ha-considerations.md',
};

/**
 * Checks a virtual address.
 *
 * @param address the address
 * @param sharing the hosts that share it
 * @param others further hosts of the cluster
 * @param endpoint the endpoint of the control plane
 */
export function checkVirtualAddress(
  { vip, subnet, networkInterface }: KubeadmVirtualAddress, sharing: readonly AddressedHost[], others: readonly AddressedHost[], endpoint: HostPort,
): Problem[] {
  const at = { rule: VIRTUAL_ADDRESS_RULE };
  const range = Cidr.parse(subnet);
  if (!range || range.hasHostBits) {
    return [{ ...at, property: 'loadBalancer.subnet', message: `"${subnet}" is not a subnet`, accepted: 'a block such as "192.168.10.0/24"', fix: 'write its first address and its prefix length' }];
  }
  const owner = [...sharing, ...others].find(({ address }) => isSameIp(address, vip));
  return [
    ...(isHostAddress(range, vip) ? [] : [{
      ...at, property: 'loadBalancer.vip', message: `"${vip}" is not an address of a host in ${subnet}`, accepted: 'addresses of the subnet but its first and last', fix: 'choose a free address of the subnet',
    }]),
    ...(owner ? [{ ...at, property: 'loadBalancer.vip', message: `${vip} is the address of "${owner.name}"`, fix: 'choose an address that no host has' }] : []),
    ...sharing.filter(({ address }) => !range.contains(address)).map(({ name, address }) => ({
      ...at, property: 'loadBalancer.subnet', message: `"${name}" has the address ${address}, which is not in ${subnet}`, fix: 'use one subnet for all hosts that share the virtual address',
    })),
    ...(parseIp(endpoint.host) === undefined || isSameIp(endpoint.host, vip) ? [] : [{
      rule: ENDPOINT_RULE, property: 'controlPlaneEndpoint', message: `its host is ${endpoint.host}, but the address of the load balancer is ${vip}`, fix: 'use the virtual address, or a DNS name that leads to it',
    }]),
    ...checkInterface('loadBalancer.networkInterface', networkInterface),
  ];
}

const INTERFACE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-INTERFACE',
  title: 'The name of a network interface must have 1 to 15 letters, digits, dots, hyphens and underscores.',
  source: 'torvalds/linux net/core/dev.c (dev_valid_name)',
};

/** Checks the name of a network interface. */
function checkInterface(property: string, name: string): Problem[] {
  return isInterfaceName(name) ? [] : [{
    rule: INTERFACE_RULE, property, message: `${JSON.stringify(name)} is not the name of a network interface`, accepted: '1 to 15 letters, digits, ".", "-" and "_", such as "ens192"', fix: 'write it as "ip link" shows it',
  }];
}

/** The first and the last address of an IPv4 subnet are reserved; in an IPv6 subnet the first is the routers'. */
function isHostAddress(range: Cidr, text: string): boolean {
  const address = parseIp(text);
  return address !== undefined && range.contains(text) && (range.hostBits < 2 || (address.value !== range.first && (address.family === 'IPv6' || address.value !== range.last)));
}
