import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { secondsOf, VultrHealthCheck } from './load-balancing';
import { PREFIX } from '../../../manifests/systems/vultr/vultr-objects';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { checkWritten } from '../../app/synth/synthesis';
import { tenantCharts } from '../../app/tenant-trees';
import { validateApp } from '../../app/validation/attached-validation';

const CLOUDFLARE = 'cloudflare';

/**
 * Permission to connect to one port of a load balancer.
 *
 * @example
 * const rule = vultr.VultrFirewallRule.cidr('192.0.2.0/24', 443);
 */
export class VultrFirewallRule {
  /**
   * All addresses of a range.
   *
   * @param cidr the range, a CIDR block (`TC-TRAP-VULTR-SERVICE-VALUE`)
   * @param port a port of the Service
   */
  public static cidr(cidr: string, port: number): VultrFirewallRule {
    return new VultrFirewallRule(cidr, port);
  }

  /**
   * The content delivery network Cloudflare, whose ranges Vultr knows.
   *
   * @param port a port of the Service
   */
  public static cloudflare(port: number): VultrFirewallRule {
    return new VultrFirewallRule(CLOUDFLARE, port);
  }

  private constructor(
    /** The range, or `cloudflare`. */
    public readonly source: string,
    /** The port. */
    public readonly port: number,
  ) {}

  /** @internal */
  public get _text(): string {
    return `${this.source},${this.port}`;
  }
}

/** Protocol of a health check. */
export enum VultrProtocol {
  /** A connection. */
  TCP = 'tcp',

  /** A datagram. */
  UDP = 'udp',

  /** A request for a path. */
  HTTP = 'http',
}

/** Health check of nodes. */
export interface VultrServiceHealthCheck extends VultrHealthCheck {
  /**
   * Protocol of the check.
   *
   * @default - HTTP with a path, TCP without
   */
  readonly protocol?: VultrProtocol;

  /**
   * Path that is asked for by HTTP, beginning with `/` (`TC-TRAP-VULTR-SERVICE-VALUE`).
   *
   * @default - none
   */
  readonly path?: string;
}

/**
 * Options of a Service that Vultr's cloud controller manager publishes. What is left out is left to it.
 *
 * Source: vultr/vultr-cloud-controller-manager docs/load-balancers.md, vultr/loadbalancers.go.
 */
export interface VultrLoadBalancerOptions {
  /**
   * Health check of nodes.
   *
   * @default - a TCP connection to the first port
   */
  readonly healthCheck?: VultrServiceHealthCheck;

  /**
   * Permissions to connect (`TC-TRAP-VULTR-SERVICE-COMBINATION`).
   *
   * @default - all addresses
   */
  readonly firewallRules?: VultrFirewallRule[];

  /**
   * True if the load balancer is attached to the VPC of the machine that the cloud controller manager runs on, and reaches all machines
   * there. Leaving it out gives a warning where the infrastructure has a VPC (`TC-VULTR-LB-VPC`).
   *
   * @default false
   */
  readonly vpc?: boolean;

  /**
   * Number of nodes that the load balancer itself runs on, an odd number (`TC-TRAP-VULTR-SERVICE-VALUE`).
   *
   * @default 1
   */
  readonly nodeCount?: number;

  /**
   * Further annotations of the cloud controller manager, without `service.beta.kubernetes.io/vultr-loadbalancer-`, e.g.
   * `{ 'protocol': 'http', 'https-ports': '443', 'ssl': 'web-tls' }`. Their values and combinations are checked as those of any Service.
   *
   * Rules: `TC-TRAP-VULTR-SERVICE-VALUE`, `TC-TRAP-VULTR-SERVICE-PROTOCOL`, `TC-TRAP-VULTR-SERVICE-TLS`,
   * `TC-TRAP-VULTR-SERVICE-COMBINATION`.
   *
   * @default - those of the other options
   */
  readonly annotations?: { [name: string]: string };
}

const SERVICE_RULE: Rule = {
  id: 'TC-VULTR-LB-SERVICE',
  title: 'A load balancer requires a Service of type LoadBalancer, and the protocol UDP for UDP ports.',
  source: 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go',
};

/**
 * Publishes a Service by Vultr's cloud controller manager.
 *
 * @example
 * const service = new ApiObject(chart, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
 * vultr.VultrLoadBalancer.publish(service, { nodeCount: 3, annotations: { label: 'web' } });
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
    const annotations = valuesOf(options).map(([name, property, value]) => ({ key: `${PREFIX}${name}`, property, value }));
    annotations.forEach(({ key, value }) => object.metadata.addAnnotation(key, `${value}`));
    validateApp(service);
    FieldSources.record(object, service, Object.fromEntries(annotations.map(({ key, property }) => [`metadata.annotations["${key}"]`, property])));
    // Ports may still be added, and fields patched.
    Problems.of(service)._addCheck(() => checkService(object.toJson(), annotations.length > 0));
  }

  private constructor() {}
}

/** The Service, as it is written; annotations are checked as those of any manifest. */
function checkService({ kind, spec = {} }: WrittenService, annotated: boolean): Problem[] {
  if (kind !== 'Service') return [{ rule: SERVICE_RULE, property: 'service', message: `it is a ${kind}`, fix: 'give the Service' }];
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [{
      rule: SERVICE_RULE, property: 'service', message: `its type is ${spec.type ?? 'ClusterIP'}`, fix: 'make it a Service of type LoadBalancer',
    }]),
    ...(annotated || !spec.ports?.some(({ protocol }) => protocol === 'UDP') ? [] : [{
      rule: SERVICE_RULE, property: 'annotations["protocol"]', message: 'the Service has UDP ports, and clients speak tcp', fix: 'write annotations: { protocol: \'udp\' }',
    }]),
  ];
}

interface WrittenService {
  readonly kind: string;
  readonly spec?: { readonly type?: string; readonly ports?: readonly { readonly protocol?: string }[] };
}

/** Annotation, property and value of the options that are set. */
function valuesOf(options: VultrLoadBalancerOptions): [annotation: string, property: string, value: string | number | boolean][] {
  const { annotations = {}, healthCheck = {}, firewallRules = [] } = options;
  const values: [string, string, string | number | boolean | undefined][] = [
    ...Object.entries(annotations).map(([name, value]): [string, string, string] => [name, `annotations["${name}"]`, value]),
    ['healthcheck-protocol', 'healthCheck.protocol', healthCheck.protocol],
    ['healthcheck-path', 'healthCheck.path', healthCheck.path],
    ['healthcheck-check-interval', 'healthCheck.interval', healthCheck.interval && secondsOf(healthCheck.interval)],
    ['healthcheck-response-timeout', 'healthCheck.responseTimeout', healthCheck.responseTimeout && secondsOf(healthCheck.responseTimeout)],
    ['healthcheck-unhealthy-threshold', 'healthCheck.unhealthyThreshold', healthCheck.unhealthyThreshold],
    ['healthcheck-healthy-threshold', 'healthCheck.healthyThreshold', healthCheck.healthyThreshold],
    ['firewall-rules', 'firewallRules', firewallRules.length > 0 ? firewallRules.map((rule) => rule._text).join(';') : undefined],
    ['vpc', 'vpc', options.vpc],
    ['node-count', 'nodeCount', options.nodeCount],
  ];
  return values.flatMap(([annotation, property, value]) => (value === undefined ? [] : [[annotation, property, value]]));
}

const ATTACHMENTS = ['vpc', 'private-network'].map((name) => `${PREFIX}${name}`);

const VPC_RULE: Rule = {
  id: 'TC-VULTR-LB-VPC',
  title: 'If machines are in a VPC, the load balancers of Services should be in it, too.',
  source: 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go (getVPC)',
  warning: true,
};

/**
 * Checks that the load balancers of Services are in the VPC of the machines.
 *
 * @param cluster the cluster that the user made, whose tenant the Services go to; those in charts of Helm are not seen
 */
export function checkServicesInVpc(cluster: IConstruct): Problem[] {
  const constructs = tenantCharts(cluster).flatMap(({ node }) => node.findAll());
  const services = constructs.filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && construct.kind === 'Service');
  return services.flatMap((service) => checkWritten(service, ({ metadata = {}, spec = {} }) => {
    const decided = ATTACHMENTS.some((annotation) => metadata.annotations?.[annotation] !== undefined);
    if (spec.type !== 'LoadBalancer' || spec.loadBalancerClass !== undefined || decided) return [];
    return [{
      rule: VPC_RULE,
      property: 'workloads',
      message: `the load balancer of the Service "${metadata.namespace}/${metadata.name}" is not attached to the VPC of the machines: it sends traffic and `
        + 'health checks to their public addresses, where the firewall group must allow all addresses',
      fix: 'call VultrLoadBalancer.publish(service, { vpc: true }), or with vpc: false if this is meant',
    }];
  }));
}
