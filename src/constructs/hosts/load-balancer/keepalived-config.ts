import { isMaster, VrrpHost, weight } from './vrrp';
import { formatHostPort } from '../../../manifests/values/dns';

/** Where keepalived reads its configuration. */
export const KEEPALIVED_CONFIG = '/etc/keepalived/keepalived.conf';

/** Where the check of the API server is. */
export const CHECK_SCRIPT = '/etc/keepalived/check_apiserver.sh';

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
