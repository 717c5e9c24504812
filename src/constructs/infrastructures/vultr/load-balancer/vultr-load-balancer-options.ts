import { Duration } from 'cdk8s';
import { checkCidr } from '../../../../manifests/values/cidr';
import { VultrBalancingAlgorithm, VultrHealthCheck } from '../load-balancing';

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
   * @param cidr the range, a CIDR block (`TC-VULTR-LB-FIREWALL`)
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

  /** @internal */
  public _checkSource(): string | undefined {
    return this.source === CLOUDFLARE ? undefined : checkCidr(this.source);
  }
}

/** Protocol of a load balancer. */
export enum VultrProtocol {
  /** TCP connections, forwarded unread. */
  TCP = 'tcp',

  /** Datagrams. */
  UDP = 'udp',

  /** HTTP. */
  HTTP = 'http',

  /** HTTP over TLS. */
  HTTPS = 'https',
}

/** Health check of nodes. */
export interface VultrServiceHealthCheck extends VultrHealthCheck {
  /**
   * Protocol of the check: `TCP` or `HTTP` (`TC-VULTR-LB-HEALTH-CHECK`).
   *
   * @default - HTTP with a path, TCP without
   */
  readonly protocol?: VultrProtocol;

  /**
   * Path that is asked for by HTTP, beginning with `/` (`TC-VULTR-LB-HEALTH-CHECK`).
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
   * Name of the load balancer at Vultr. Services that share one share the load balancer (`TC-VULTR-LB-NAME`).
   *
   * @default - made from the UID of the Service
   */
  readonly label?: string;

  /**
   * Protocol of clients on ports that are not among `httpsPorts`. With `UDP` all ports of the Service are UDP.
   *
   * Rule: `TC-VULTR-LB-PROTOCOL`.
   *
   * @default VultrProtocol.TCP
   */
  readonly protocol?: VultrProtocol;

  /**
   * Protocol of pods: `HTTP` or `HTTPS` behind ports of either. Behind a TCP port it has no effect: pods get the bytes of the client.
   *
   * Rule: `TC-VULTR-LB-PROTOCOL`.
   *
   * @default - the same as clients
   */
  readonly backendProtocol?: VultrProtocol;

  /**
   * Ports of the Service that accept HTTPS, regardless of `protocol`; not with `UDP`.
   *
   * Rules: `TC-VULTR-LB-TLS`, `TC-VULTR-LB-PROTOCOL`.
   *
   * @default - none
   */
  readonly httpsPorts?: number[];

  /**
   * Name of a Secret of type `kubernetes.io/tls` beside the Service, with the certificate of ports that take HTTPS. A new certificate is
   * taken over by itself.
   *
   * Rule: `TC-VULTR-LB-TLS`.
   *
   * @default - none
   */
  readonly certificateSecret?: string;

  /**
   * Name of a Secret beside the Service with the keys `domainZone` and `subDomain`, for a certificate of ports that take HTTPS, which Vultr
   * makes and renews (`TC-VULTR-LB-TLS`).
   *
   * @default - none
   */
  readonly managedCertificateSecret?: string;

  /**
   * True if pods get HTTPS connections as they are (`TC-VULTR-LB-TLS`).
   *
   * @default false
   */
  readonly tlsPassthrough?: boolean;

  /**
   * True if HTTP is answered with a redirect to HTTPS (`TC-VULTR-LB-TLS`).
   *
   * @default false
   */
  readonly httpsRedirect?: boolean;

  /**
   * True if pods get the client's address by the PROXY protocol, which they must support.
   *
   * @default false
   */
  readonly proxyProtocol?: boolean;

  /**
   * True if clients may speak HTTP/2 (`TC-VULTR-LB-PROTOCOL`).
   *
   * @default false
   */
  readonly http2?: boolean;

  /**
   * True if clients may speak HTTP/3 (`TC-VULTR-LB-PROTOCOL`).
   *
   * @default false
   */
  readonly http3?: boolean;

  /**
   * After which time an idle connection ends, in whole seconds (`TC-VULTR-LB-TIMEOUT`).
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * Health check of nodes.
   *
   * @default - a TCP connection to the first port
   */
  readonly healthCheck?: VultrServiceHealthCheck;

  /**
   * Algorithm by which it chooses a node.
   *
   * @default VultrBalancingAlgorithm.ROUND_ROBIN
   */
  readonly algorithm?: VultrBalancingAlgorithm;

  /**
   * Name of the cookie that keeps a client with one node, on ports that take HTTP or HTTPS (`TC-VULTR-LB-COOKIE`).
   *
   * @default - sessions are not sticky
   */
  readonly stickySessionCookie?: string;

  /**
   * Permissions to connect (`TC-VULTR-LB-FIREWALL`).
   *
   * @default - all addresses
   */
  readonly firewallRules?: VultrFirewallRule[];

  /**
   * Name of a ConfigMap beside the Service whose key `firewallRules` says who may connect, in place of `firewallRules`. Needs version 0.18
   * of the cloud controller manager.
   *
   * Rule: `TC-VULTR-LB-FIREWALL`.
   *
   * @default - none
   */
  readonly firewallRulesConfigMap?: string;

  /**
   * True if the load balancer is attached to the VPC of the machine that the cloud controller manager runs on, and reaches all machines
   * there. Leaving it out gives a warning where the infrastructure has a VPC (`TC-VULTR-LB-VPC`).
   *
   * @default false
   */
  readonly vpc?: boolean;

  /**
   * Number of nodes that the load balancer itself runs on, an odd number (`TC-VULTR-LB-NODE-COUNT`).
   *
   * @default 1
   */
  readonly nodeCount?: number;

  /**
   * DNS name that the Service reports in place of an address, so that pods of the cluster reach it by way of the load balancer
   * (`TC-VULTR-LB-NAME`).
   *
   * @default - the addresses
   */
  readonly hostname?: string;
}
