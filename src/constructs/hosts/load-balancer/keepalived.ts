import { AddressedHost } from './load-balancer-design';
import { formatHostPort } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';

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

const SHARING_HOSTS_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-HOSTS',
  title: 'At least two hosts must share the virtual address.',
  source: 'kubernetes/kubeadm docs/ha-considerations.md',
};

/** Rule for virtual router ids. */
export const ROUTER_ID_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-ROUTER-ID',
  title: 'The virtual router id must be a whole number from 1 to 255, and unique in its subnet.',
  source: 'RFC 9568, section 5.2.3',
};

/**
 * Checks router id and priorities.
 *
 * @param virtualRouterId the router id
 * @param hosts the hosts in the order in which the user wrote them
 */
export function checkVrrp(virtualRouterId: number, hosts: readonly VrrpHost[]): Problem[] {
  return [
    ...(Number.isInteger(virtualRouterId) && virtualRouterId >= 1 && virtualRouterId <= 255 ? [] : [{
      rule: ROUTER_ID_RULE, property: 'loadBalancer.virtualRouterId', message: `${virtualRouterId} is not a virtual router id`, accepted: 'whole numbers from 1 to 255', fix: 'choose an id that nothing else in the subnet uses',
    }]),
    ...(hosts.length >= 2 ? checkPriorities(hosts) : [{
      rule: SHARING_HOSTS_RULE, property: 'loadBalancer', message: `the virtual address has ${hosts.length === 1 ? 'one host' : 'no host'}, and fails with it`, accepted: 'two hosts or more', fix: 'add a host, or use KubeadmLoadBalancer.external()',
    }]),
  ];
}

const PRIORITY_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-PRIORITY',
  title: 'Priorities must be unique whole numbers up to 254, and larger than the weight of a failed check, so that exactly one host is the master.',
  source: 'acassen/keepalived doc/man/man5/keepalived.conf.5.in (priority, weight)',
};

function checkPriorities(hosts: readonly VrrpHost[]): Problem[] {
  const loss = -weight(hosts);
  return hosts.flatMap(({ priority }, index) => {
    const at = { rule: PRIORITY_RULE, property: `loadBalancer.hosts[${index}].priority` };
    const first = hosts.findIndex((other) => other.priority === priority);
    if (!Number.isInteger(priority) || priority > HIGHEST) return [{ ...at, message: `${priority} is not a priority`, accepted: `whole numbers up to ${HIGHEST}`, fix: 'correct the number' }];
    if (first < index) return [{ ...at, message: `${priority} is the priority of "${hosts[first].name}" too, so that there would be two masters`, fix: 'give every host another one' }];
    return priority - loss >= 1 ? [] : [{
      ...at, message: `a failed check takes ${loss} from ${priority}`, accepted: `from ${loss + 1}, as the priorities of the hosts are ${loss - 1} apart`, fix: 'raise all priorities, or bring them closer together',
    }];
  });
}

/** Path of keepalived's configuration. */
export const KEEPALIVED_CONFIG = '/etc/keepalived/keepalived.conf';

/**
 * Path of the check of the API server. In this folder, SELinux lets keepalived run it unconfined (keepalived_selinux(8),
 * keepalived_unconfined_script_exec_t).
 */
export const CHECK_SCRIPT = '/usr/libexec/keepalived/check_apiserver.sh';

/** The hosts that share the virtual address. */
export interface VrrpGroup {
  readonly vip: string;
  readonly networkInterface: string;
  readonly virtualRouterId: number;
  readonly hosts: readonly VrrpHost[];
}

/**
 * keepalived's configuration of one host. The hosts use unicast, because clouds often do not support multicast. There is no
 * authentication: VRRP sends its password in plain text, and newer versions of the protocol removed it (RFC 9568, section 9).
 *
 * Sources: kubernetes/kubeadm docs/ha-considerations.md, acassen/keepalived doc/man/man5/keepalived.conf.5.in.
 */
export function keepalivedConfig({ vip, networkInterface, virtualRouterId, hosts }: VrrpGroup, name: string): string {
  const own = hosts.find((host) => host.name === name)!;
  const peers = hosts.filter((host) => host.name !== name);
  return `${[
    'global_defs {',
    `    router_id ${name}`,
    '    script_user root',
    '    enable_script_security',
    '}',
    '',
    'vrrp_script check_apiserver {',
    `    script "${CHECK_SCRIPT}"`,
    '    interval 3',
    '    timeout 5',
    `    weight ${weight(hosts)}`,
    '    fall 10',
    '    rise 2',
    '}',
    '',
    'vrrp_instance kube-apiserver {',
    `    state ${isMaster(hosts, own) ? 'MASTER' : 'BACKUP'}`,
    `    interface ${networkInterface}`,
    `    virtual_router_id ${virtualRouterId}`,
    `    priority ${own.priority}`,
    '    advert_int 1',
    `    unicast_src_ip ${own.address}`,
    '    unicast_peer {',
    ...peers.map(({ address }) => `        ${address}`),
    '    }',
    '    virtual_ipaddress {',
    `        ${vip}`,
    '    }',
    '    track_script {',
    '        check_apiserver',
    '    }',
    '}',
  ].join('\n')}\n`;
}

/**
 * The check of a host: its load balancer must reach an API server, and so must the virtual address if the host has it.
 *
 * Source: kubernetes/kubeadm docs/ha-considerations.md.
 */
export function checkScript(vip: string, port: number): string {
  return `#!/bin/sh
# Whether the load balancer on this host leads to an API server.

fail() {
  echo "$1 does not answer" >&2
  exit 1
}

ready() {
  curl --silent --fail --insecure --max-time 2 --output /dev/null "https://$1/readyz"
}

ready ${formatHostPort('localhost', port)} || fail ${formatHostPort('localhost', port)}
if ip -oneline address show to ${vip} | grep -q .; then
  ready ${formatHostPort(vip, port)} || fail ${formatHostPort(vip, port)}
fi
`;
}
