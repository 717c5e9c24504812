import { CHECK_SCRIPT, checkScript, checkVrrp, KEEPALIVED_CONFIG, keepalivedConfig, rank, VrrpGroup } from './keepalived';
import { apiServerOpening, ApiServers, endpointOpening, LoadBalancerDesign } from './load-balancer-design';
import { checkVirtualAddress, KubeadmVirtualAddress } from './virtual-address';
import { formatHostPort } from '../../../manifests/values/dns';
import { checkHostFiles, HostFile } from '../host-file';
import { ownFiles, userFiles } from '../kubeadm-host';

/** A host that is a load balancer and nothing else. HAProxy, keepalived and curl are packages of its distribution. */
export interface KubeadmLoadBalancerHost {
  /** Name of the host, that of its folder (`TC-KUBEADM-CLUSTER-NODE-NAME`). */
  readonly name: string;

  /** Its address in the subnet of the virtual address (`TC-KUBEADM-CLUSTER-LB-VIP`). */
  readonly address: string;

  /**
   * Rank of the host: the host with the highest priority whose check succeeds carries the virtual address
   * (`TC-KUBEADM-CLUSTER-LB-PRIORITY`).
   *
   * @default - by the order of the list, the last host with 100
   */
  readonly priority?: number;

  /**
   * Location of the machine, for the overview of hosts.
   *
   * @default - none
   */
  readonly zone?: string;

  /**
   * Further files.
   *
   * @default - none
   */
  readonly files?: HostFile[];
}

/** Options of HAProxy on at least two dedicated hosts. */
export interface HaproxyHostsOptions extends KubeadmVirtualAddress {
  /**
   * The hosts, two or more. The first one carries the address where priorities are not given.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-HOSTS`.
   */
  readonly hosts: KubeadmLoadBalancerHost[];

  /** VRRP router id of the hosts, 1 to 255, unique in the subnet (`TC-KUBEADM-CLUSTER-LB-ROUTER-ID`). */
  readonly virtualRouterId: number;
}

/** Path of HAProxy's configuration. */
const HAPROXY_CONFIG = '/etc/haproxy/haproxy.cfg';

const PACKAGES = ['curl', 'haproxy', 'keepalived'];

/**
 * SELinux confines HAProxy to the ports of HTTP, and does not let keepalived connect to any port (haproxy_selinux(8), keepalived_selinux(8)).
 * The commands do nothing without SELinux.
 */
const SELINUX = `if command -v selinuxenabled > /dev/null && selinuxenabled; then restorecon -R ${HAPROXY_CONFIG} ${KEEPALIVED_CONFIG} ${CHECK_SCRIPT};`
  + ' setsebool -P haproxy_connect_any=on keepalived_connect_any=on; fi';
const COMMANDS = [SELINUX, 'systemctl enable haproxy keepalived', 'systemctl reload-or-restart haproxy keepalived'];

/** HAProxy and keepalived as services of dedicated hosts. */
export function haproxyHosts(options: HaproxyHostsOptions): LoadBalancerDesign {
  const { vip, subnet, virtualRouterId, hosts } = options;
  return {
    vip,
    claim: `${subnet} ${virtualRouterId}`,
    hosts: hosts.map(({ name, address, zone, files }, index) => (
      { name, address, zone, files: userFiles(`loadBalancer.hosts[${index}].files`, files) })),
    check: ({ endpoint, nodes }) => [
      ...checkVrrp(virtualRouterId, rank(hosts)),
      ...checkVirtualAddress(options, hosts, nodes, endpoint),
      ...hosts.flatMap(({ files }, index) => checkHostFiles(`loadBalancer.hosts[${index}].files`, files)),
    ],
    openings: (servers) => [
      endpointOpening('load balancers', servers), { to: 'load balancers', what: 'IP protocol 112 (VRRP)', from: 'load balancers' }, apiServerOpening(servers),
    ],
    hostSetup: (servers, name) => (
      { files: ownFiles('loadBalancer', balancerFiles(servers, { ...options, hosts: rank(hosts) }, name)), packages: PACKAGES, commands: COMMANDS }),
  };
}

/** The files of HAProxy and keepalived on one host. */
function balancerFiles(servers: ApiServers, group: VrrpGroup, name: string): HostFile[] {
  return [
    { path: HAPROXY_CONFIG, content: haproxyConfig(servers, group.vip.includes(':')) },
    { path: KEEPALIVED_CONFIG, content: keepalivedConfig(group, name) },
    { path: CHECK_SCRIPT, content: checkScript(group.vip, servers.endpoint.port), permissions: '0755' },
  ];
}

/** Limit of connections. Without it HAProxy allocates memory for its limit of open files. */
const CONNECTIONS = 10000;

/**
 * HAProxy's configuration: it forwards TCP connections from the endpoint to an API server that reports ready. The check uses TLS without
 * verifying the certificate: it sends nothing secret, and the authority does not exist before the cluster.
 *
 * Clients keep connections open for watches and `kubectl exec`, so an established connection may be idle for an hour.
 *
 * Sources: kubernetes/kubeadm docs/ha-considerations.md, docs.haproxy.org (maxconn, option httpchk, check-ssl, timeout tunnel),
 * kubernetes.io/docs/reference/using-api/health-checks.
 *
 * @param servers the API servers
 * @param ipv6 whether the virtual address is an IPv6 one
 */
function haproxyConfig({ endpoint, port, nodes }: ApiServers, ipv6: boolean): string {
  return `${[
    'global',
    '    log /dev/log local0',
    '    user haproxy',
    '    group haproxy',
    `    maxconn ${CONNECTIONS}`,
    '',
    'defaults',
    '    log global',
    '    mode tcp',
    '    option tcplog',
    '    option dontlognull',
    '    option redispatch',
    '    retries 3',
    '    timeout connect 5s',
    '    timeout check 5s',
    '    timeout client 1m',
    '    timeout server 1m',
    '    timeout client-fin 30s',
    '    timeout tunnel 1h',
    '',
    'frontend kube-apiserver',
    `    bind ${ipv6 ? `[::]:${endpoint.port} v4v6` : `*:${endpoint.port}`}`,
    '    default_backend kube-apiserver',
    '',
    'backend kube-apiserver',
    '    balance roundrobin',
    '    option httpchk GET /readyz',
    '    http-check expect status 200',
    '    default-server check check-ssl verify none inter 3s fall 3 rise 2 on-marked-down shutdown-sessions',
    ...nodes.map(({ name, address }) => `    server ${name} ${formatHostPort(address, port)}`),
  ].join('\n')}\n`;
}
