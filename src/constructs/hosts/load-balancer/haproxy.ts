import { CHECK_SCRIPT, checkScript, checkVrrp, KEEPALIVED_CONFIG, keepalivedConfig, rank, VrrpGroup } from './keepalived';
import { apiServerOpening, ApiServers, endpointOpening, LoadBalancerDesign, Opening, PORT_RULE } from './load-balancer-design';
import { checkImage, staticPod } from './static-pod';
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

const PACKAGES = ['curl', 'haproxy', 'keepalived'];
const COMMANDS = ['systemctl enable haproxy keepalived', 'systemctl reload-or-restart haproxy keepalived'];

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
    openings: (servers) => balancerOpenings('load balancers', servers),
    hostSetup: (servers, name) => {
      const files = balancerFiles(servers, { ...options, hosts: rank(hosts) }, name, true);
      return { files: ownFiles('loadBalancer', files), packages: PACKAGES, commands: COMMANDS };
    },
  };
}

/** The connections to HAProxy, and between the hosts of keepalived. */
function balancerOpenings(hosts: string, servers: ApiServers): Opening[] {
  return [endpointOpening(hosts, servers), { to: hosts, what: 'IP protocol 112 (VRRP)', from: hosts }, apiServerOpening(servers)];
}

/** The files of HAProxy and keepalived on one host. */
function balancerFiles(servers: ApiServers, group: VrrpGroup, name: string, service: boolean): HostFile[] {
  return [
    { path: HAPROXY_CONFIG, content: haproxyConfig(servers, group.vip.includes(':'), service) },
    { path: KEEPALIVED_CONFIG, content: keepalivedConfig(group, name) },
    { path: CHECK_SCRIPT, content: checkScript(group.vip, servers.endpoint.port), permissions: '0755' },
  ];
}

/** HAProxy and keepalived on the nodes of the control plane. */
export interface HaproxyPodsOptions extends KubeadmVirtualAddress {
  /** VRRP router id of the nodes, 1 to 255, unique in the subnet (`TC-KUBEADM-CLUSTER-LB-ROUTER-ID`). */
  readonly virtualRouterId: number;

  /**
   * Image of HAProxy, with a tag or digest: `haproxy` is in its search path, and may listen on the port of the endpoint.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-IMAGE`.
   */
  readonly haproxyImage: string;

  /**
   * Image of keepalived, with a tag or digest: `keepalived`, `curl` and `ip` are in its search path, and it runs as root.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-IMAGE`.
   */
  readonly keepalivedImage: string;
}

/** HAProxy and keepalived as static pods of the control plane. */
export function haproxyPods(options: HaproxyPodsOptions): LoadBalancerDesign {
  const { vip, subnet, virtualRouterId, haproxyImage, keepalivedImage } = options;
  return {
    vip,
    claim: `${subnet} ${virtualRouterId}`,
    check: ({ endpoint, port, nodes }) => [
      ...checkVrrp(virtualRouterId, rank(nodes)),
      ...checkVirtualAddress(options, nodes, [], endpoint),
      ...checkImage('loadBalancer.haproxyImage', haproxyImage),
      ...checkImage('loadBalancer.keepalivedImage', keepalivedImage),
      ...(endpoint.port === port ? [{
        rule: PORT_RULE, property: 'controlPlaneEndpoint', message: `load balancer and API server would both listen on port ${port} of the same nodes`, accepted: `any other port, such as ${port + 2000}`, fix: 'change the port of the endpoint',
      }] : []),
    ],
    openings: (servers) => balancerOpenings('control plane', servers),
    nodeSetup: (servers, name) => {
      const files = balancerFiles(servers, { ...options, hosts: rank(servers.nodes) }, name, false);
      const pods = [haproxyPod(haproxyImage, servers.endpoint.port, files), keepalivedPod(keepalivedImage, files)];
      return { files: ownFiles('loadBalancer', [...files, ...pods]) };
    },
  };
}

/** HAProxy as a static pod. It restarts if it accepts no connections, but not if the API server does not answer. */
function haproxyPod(image: string, port: number, files: readonly HostFile[]): HostFile {
  return staticPod({
    name: 'haproxy',
    image,
    command: ['haproxy', '-W', '-db', '-f', HAPROXY_CONFIG],
    mounts: { [HAPROXY_CONFIG]: HAPROXY_CONFIG },
    files,
    livenessProbe: { tcpSocket: { host: 'localhost', port }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
  });
}

/** keepalived as a static pod. */
function keepalivedPod(image: string, files: readonly HostFile[]): HostFile {
  return staticPod({
    name: 'keepalived',
    image,
    command: ['keepalived', '--dont-fork', '--log-console', `--use-file=${KEEPALIVED_CONFIG}`],
    capabilities: ['NET_ADMIN', 'NET_BROADCAST', 'NET_RAW'],
    mounts: { [KEEPALIVED_CONFIG]: KEEPALIVED_CONFIG, [CHECK_SCRIPT]: CHECK_SCRIPT },
    files,
  });
}

/** Path of HAProxy's configuration. */
const HAPROXY_CONFIG = '/etc/haproxy/haproxy.cfg';

/** Limit of connections. Without it HAProxy allocates memory for its limit of open files, which in a container can be a billion. */
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
 * @param service whether it runs as a service of the distribution, with its user and its log
 */
function haproxyConfig({ endpoint, port, nodes }: ApiServers, ipv6: boolean, service: boolean): string {
  return `${[
    'global',
    ...(service ? ['    log /dev/log local0', '    user haproxy', '    group haproxy'] : ['    log stdout format raw local0']),
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
