import { ApiServers } from './load-balancer-design';
import { formatHostPort } from '../../../manifests/values/dns';

/** Where HAProxy reads its configuration. */
export const HAPROXY_CONFIG = '/etc/haproxy/haproxy.cfg';

/** Otherwise HAProxy allocates memory for its limit of open files, which in a container can be a billion. */
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
export function haproxyConfig({ endpoint, port, nodes }: ApiServers, ipv6: boolean, service: boolean): string {
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
