import { checkCidr } from '../../../../manifests/values/cidr';

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
