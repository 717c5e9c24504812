import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { breaksFormat } from '../schema/formats';

/** An IP address in a rule. */
class Ip {
  readonly family: 'ipv4' | 'ipv6';
  readonly canonical: string;

  constructor(readonly text: string) {
    if (!isAddress(text)) throw new Error(`IP Address ${JSON.stringify(text)} parse error`);
    this.family = isIPv4(text) ? 'ipv4' : 'ipv6';
    this.canonical = this.family === 'ipv4' ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
  }

  within(range: string): boolean {
    const cidr = new Cidr(range);
    return cidr.containsIp(this);
  }
}

/** An address range in a rule. */
class Cidr {
  readonly address: Ip;
  readonly prefixLength: number;

  constructor(readonly text: string) {
    if (!isCidr(text)) throw new Error(`network address parse error for ${JSON.stringify(text)}`);
    const [address, length] = text.split('/');
    this.address = new Ip(address);
    this.prefixLength = Number(length);
  }

  containsIp(ip: Ip): boolean {
    if (ip.family !== this.address.family) return false;
    const list = new BlockList();
    list.addSubnet(this.address.text, this.prefixLength, this.address.family);
    return list.check(ip.text, ip.family);
  }

  containsCidr(other: Cidr): boolean {
    return other.prefixLength >= this.prefixLength && this.containsIp(other.address);
  }
}

/** A URL in a rule: absolute, or a path from the root. */
class Url {
  static isValid(text: string): boolean {
    return !breaksFormat('uri', text);
  }

  readonly parsed: URL;
  readonly isPath: boolean;

  /** False for an address of a host alone. */
  readonly hasPath: boolean;

  constructor(text: string) {
    if (!Url.isValid(text)) throw new Error(`URL parse error: ${JSON.stringify(text)}`);
    this.isPath = text.startsWith('/');
    this.hasPath = this.isPath || text.replace(/^[^:]*:\/\//, '').split('?')[0].includes('/');
    if (!URL.canParse(text, 'http://host')) throw new RangeError(`only servers read ${JSON.stringify(text)}`);
    this.parsed = new URL(text, 'http://host');
  }
}

/** Registers what Kubernetes adds to CEL for addresses, address ranges and URLs. */
export function registerNetwork(env: Environment): void {
  env.registerType('net.IP', Ip);
  env.registerType('net.CIDR', Cidr);
  env.registerType('kubernetes.URL', Url);

  env.registerFunction('isIP(string): bool', isAddress);
  env.registerFunction('ip(string): net.IP', (text: string) => new Ip(text));
  env.registerFunction('string(net.IP): string', (ip: Ip) => ip.canonical);
  env.registerFunction('net.IP.family(): int', (ip: Ip) => (ip.family === 'ipv4' ? 4n : 6n));
  env.registerFunction('net.IP.isUnspecified(): bool', (ip: Ip) => ['0.0.0.0', '::'].includes(ip.canonical));
  env.registerFunction('net.IP.isLoopback(): bool', (ip: Ip) => ip.within(ip.family === 'ipv4' ? '127.0.0.0/8' : '::1/128'));
  env.registerFunction('net.IP.isLinkLocalUnicast(): bool', (ip: Ip) => ip.within(ip.family === 'ipv4' ? '169.254.0.0/16' : 'fe80::/10'));
  env.registerOperator('net.IP == net.IP', (a: Ip, b: Ip) => a.canonical === b.canonical);

  env.registerFunction('isCIDR(string): bool', isCidr);
  env.registerFunction('cidr(string): net.CIDR', (text: string) => new Cidr(text));
  env.registerFunction('string(net.CIDR): string', (cidr: Cidr) => `${cidr.address.canonical}/${cidr.prefixLength}`);
  env.registerFunction('net.CIDR.ip(): net.IP', (cidr: Cidr) => cidr.address);
  env.registerFunction('net.CIDR.prefixLength(): int', (cidr: Cidr) => BigInt(cidr.prefixLength));
  env.registerFunction('net.CIDR.containsIP(string): bool', (cidr: Cidr, ip: string) => cidr.containsIp(new Ip(ip)));
  env.registerFunction('net.CIDR.containsIP(net.IP): bool', (cidr: Cidr, ip: Ip) => cidr.containsIp(ip));
  env.registerFunction('net.CIDR.containsCIDR(string): bool', (cidr: Cidr, other: string) => cidr.containsCidr(new Cidr(other)));
  env.registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', (cidr: Cidr, other: Cidr) => cidr.containsCidr(other));

  env.registerFunction('isURL(string): bool', Url.isValid);
  env.registerFunction('url(string): kubernetes.URL', (text: string) => new Url(text));
  env.registerFunction('kubernetes.URL.getScheme(): string', (url: Url) => (url.isPath ? '' : url.parsed.protocol.slice(0, -1)));
  env.registerFunction('kubernetes.URL.getHost(): string', (url: Url) => (url.isPath ? '' : url.parsed.host));
  env.registerFunction('kubernetes.URL.getHostname(): string', (url: Url) => (url.isPath ? '' : url.parsed.hostname.replace(/^\[|\]$/g, '')));
  env.registerFunction('kubernetes.URL.getPort(): string', (url: Url) => url.parsed.port);
  env.registerFunction('kubernetes.URL.getEscapedPath(): string', (url: Url) => (url.parsed.pathname === '/' && !url.hasPath ? '' : url.parsed.pathname));
}

/** True if a string is an address with a prefix length, host bits allowed, as `netip.ParsePrefix` reads it. */
function isCidr(text: string): boolean {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  return match !== null && isAddress(match[1]) && Number(match[2]) <= (isIPv4(match[1]) ? 32 : 128);
}

/** True if a string is an IP address without zone, and not an IPv4 address in IPv6 clothes. */
function isAddress(text: string): boolean {
  if (isIPv4(text)) return true;
  return isIPv6(text) && !text.includes('%') && !/^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/.test(new URL(`http://[${text}]`).hostname);
}
