import { AddressedHost } from './load-balancer-design';
import { Problem } from '../../../manifests/values/problem';
import { KUBEADM_CLUSTER_RULES } from '../rules';

/** A host that may carry the virtual address, with its rank. */
export interface VrrpHost extends AddressedHost {
  /** Rank; of the healthy hosts the one with the highest carries the address. */
  readonly priority: number;
}

/** A host with an optional rank. */
interface RankedHost extends AddressedHost {
  readonly priority?: number;
}

const LOWEST_DEFAULT = 100;
const HIGHEST = 254;

/** Ranks hosts: those without a priority in their order, the last one with 100. */
export function rank(hosts: readonly RankedHost[]): VrrpHost[] {
  return hosts.map(({ name, address, priority }, index) => ({ name, address, priority: priority ?? LOWEST_DEFAULT + hosts.length - 1 - index }));
}

/** True if a host begins as the master. */
export function isMaster(hosts: readonly VrrpHost[], { priority }: VrrpHost): boolean {
  return hosts.every((other) => other.priority <= priority);
}

/** The weight of a failed check, large enough to rank every healthy host above every failed host. */
export function weight(hosts: readonly VrrpHost[]): number {
  const priorities = hosts.map(({ priority }) => priority);
  return -(Math.max(...priorities) - Math.min(...priorities) + 1);
}

/**
 * Checks router id and priorities.
 *
 * @param virtualRouterId the router id
 * @param hosts the hosts in the order in which the user wrote them
 */
export function checkVrrp(virtualRouterId: number, hosts: readonly VrrpHost[]): Problem[] {
  return [
    ...(Number.isInteger(virtualRouterId) && virtualRouterId >= 1 && virtualRouterId <= 255 ? [] : [{
      rule: KUBEADM_CLUSTER_RULES.lbRouterId, property: 'loadBalancer.virtualRouterId', message: `${virtualRouterId} is not a virtual router id`, accepted: 'whole numbers from 1 to 255', fix: 'choose an id that nothing else in the subnet uses',
    }]),
    ...(hosts.length >= 2 ? checkPriorities(hosts) : [{
      rule: KUBEADM_CLUSTER_RULES.lbHosts, property: 'loadBalancer', message: `the virtual address has ${hosts.length === 1 ? 'one host' : 'no host'}, and fails with it`, accepted: 'two hosts or more', fix: 'add a host, or use KubeadmLoadBalancer.external()',
    }]),
  ];
}

function checkPriorities(hosts: readonly VrrpHost[]): Problem[] {
  const loss = -weight(hosts);
  return hosts.flatMap(({ priority }, index) => {
    const at = { rule: KUBEADM_CLUSTER_RULES.lbPriority, property: `loadBalancer.hosts[${index}].priority` };
    const first = hosts.findIndex((other) => other.priority === priority);
    if (!Number.isInteger(priority) || priority > HIGHEST) return [{ ...at, message: `${priority} is not a priority`, accepted: `whole numbers up to ${HIGHEST}`, fix: 'correct the number' }];
    if (first < index) return [{ ...at, message: `${priority} is the priority of "${hosts[first].name}" too, so that there would be two masters`, fix: 'give every host another one' }];
    return priority - loss >= 1 ? [] : [{
      ...at, message: `a failed check takes ${loss} from ${priority}`, accepted: `from ${loss + 1}, as the priorities of the hosts are ${loss - 1} apart`, fix: 'raise all priorities, or bring them closer together',
    }];
  });
}
