import { VultrLoadBalancerOptions } from './vultr-load-balancer-options';
import { PREFIX } from '../../../../manifests/systems/vultr/service-annotations';
import { VultrBalancingAlgorithm } from '../balancing-algorithm';
import { secondsOf } from '../health-check';

/** What the cloud controller manager calls the ways to choose a node. Anything else it takes for the first one. */
const ALGORITHMS: Readonly<Record<VultrBalancingAlgorithm, string>> = {
  [VultrBalancingAlgorithm.ROUND_ROBIN]: 'roundrobin',
  [VultrBalancingAlgorithm.LEAST_CONNECTIONS]: 'least_connections',
};

type Value = string | number | boolean | undefined;

/** The annotations that stand for options. What was not given is not there. */
export function loadBalancerAnnotations(options: VultrLoadBalancerOptions): { [key: string]: string } {
  const { healthCheck = {}, stickySessionCookie: cookie } = options;
  const values: Record<string, Value> = {
    'label': options.label,
    'protocol': options.protocol,
    'backend-protocol': options.backendProtocol,
    'https-ports': options.httpsPorts?.length ? options.httpsPorts.join(',') : undefined,
    'ssl': options.certificateSecret,
    'auto-ssl': options.managedCertificateSecret,
    'ssl-pass-through': options.tlsPassthrough,
    'ssl-redirect': options.httpsRedirect,
    'proxy-protocol': options.proxyProtocol,
    'http2': options.http2,
    'http3': options.http3,
    'timeout': options.timeout && secondsOf(options.timeout),
    'healthcheck-protocol': healthCheck.protocol,
    'healthcheck-path': healthCheck.path,
    'healthcheck-check-interval': healthCheck.interval && secondsOf(healthCheck.interval),
    'healthcheck-response-timeout': healthCheck.responseTimeout && secondsOf(healthCheck.responseTimeout),
    'healthcheck-unhealthy-threshold': healthCheck.unhealthyThreshold,
    'healthcheck-healthy-threshold': healthCheck.healthyThreshold,
    'algorithm': options.algorithm && ALGORITHMS[options.algorithm],
    'sticky-session-enabled': cookie === undefined ? undefined : 'on',
    'sticky-session-cookie-name': cookie,
    'firewall-rules': options.firewallRules?.length ? options.firewallRules.map((rule) => rule._text).join(';') : undefined,
    'firewall-rules-cm': options.firewallRulesConfigMap,
    'vpc': options.vpc,
    'node-count': options.nodeCount,
    'hostname': options.hostname,
  };
  const given = Object.entries(values).filter((entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [`${PREFIX}${name}`, `${value}`]));
}
