import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { checkLoadBalancer, SERVICE_RULE } from './load-balancer-checks';
import { VultrLoadBalancerOptions } from './vultr-load-balancer-options';
import { PREFIX } from '../../../../manifests/systems/vultr/service-annotations';
import { Problems } from '../../../app/problems/problems';
import { secondsOf, VultrBalancingAlgorithm } from '../load-balancing';

/**
 * Publishes a Service by Vultr's cloud controller manager.
 *
 * @example
 * const service = new ApiObject(chart, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
 * vultr.VultrLoadBalancer.publish(service, { label: 'web', httpsRedirect: true });
 */
export class VultrLoadBalancer {
  /**
   * Publishes a Service.
   *
   * @param service a Service of type LoadBalancer, e.g. a `Service` of cdk8s-plus or an `ApiObject` (`TC-VULTR-LB-SERVICE`)
   * @param options how
   */
  public static publish(service: IConstruct, options: VultrLoadBalancerOptions = {}): void {
    const object = ApiObject.of(service);
    Object.entries(loadBalancerAnnotations(options)).forEach(([key, value]) => object.metadata.addAnnotation(key, value));
    const problems = Problems.of(service);
    if (object.kind !== 'Service') {
      problems.add({ rule: SERVICE_RULE, property: 'service', message: `it is a ${object.kind}`, fix: 'give the Service' });
      return;
    }
    // Ports may still be added, and fields patched.
    problems._addCheck(() => checkLoadBalancer(options, object.toJson()));
  }

  private constructor() {}
}

/** Names of the algorithms in the cloud controller manager, which replaces an unknown one by the first. */
const ALGORITHMS: Readonly<Record<VultrBalancingAlgorithm, string>> = {
  [VultrBalancingAlgorithm.ROUND_ROBIN]: 'roundrobin',
  [VultrBalancingAlgorithm.LEAST_CONNECTIONS]: 'least_connections',
};

type Value = string | number | boolean | undefined;

/** The annotations of options. Unset options have none. */
function loadBalancerAnnotations(options: VultrLoadBalancerOptions): { [key: string]: string } {
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
