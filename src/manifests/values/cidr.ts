import { isIP } from 'node:net';
import { compareReleases } from './component-facts';
import { ADDRESS_BITS, formatIp, IpAddress, IpFamily, parseIp } from './ip-address';
import { readOnce } from './read-once';

/**
 * A block of IP addresses, e.g. 10.96.0.0/16.
 *
 * Two blocks are the same when `toString()` gives the same text.
 */
export class Cidr {
  /**
   * Reads `address/prefixLength` as strictly as Kubernetes does for new objects: what Go's `net.ParseCIDR` takes, without leading
   * zeros in the prefix length and without IPv4-mapped IPv6. Host bits may be set; `hasHostBits` tells.
   *
   * @returns the block, or undefined if the text is not one
   */
  public static parse(text: string): Cidr | undefined {
    return Cidr.read(text);
  }

  private static readonly read = readOnce((text) => {
    const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
    const address = match ? parseIp(match[1]) : undefined;
    if (!match || !address || Number(match[2]) > ADDRESS_BITS[address.family]) {
      return undefined;
    }
    return new Cidr(address, Number(match[2]));
  });

  /** Address family of the block. */
  public readonly family: IpFamily;

  /** Number of leading bits that all addresses of the block share. */
  public readonly prefixLength: number;

  /** Number of bits that differ inside the block: 16 for 10.96.0.0/16. */
  public readonly hostBits: number;

  /** First address of the block as a number. */
  public readonly first: bigint;

  /** Last address of the block as a number. */
  public readonly last: bigint;

  /** True if the text named an address inside the block instead of its first one, as in 10.96.0.1/16. */
  public readonly hasHostBits: boolean;

  private constructor(address: IpAddress, prefixLength: number) {
    this.family = address.family;
    this.prefixLength = prefixLength;
    this.hostBits = ADDRESS_BITS[address.family] - prefixLength;
    this.first = address.value - (address.value % this.size);
    this.last = this.first + this.size - 1n;
    this.hasHostBits = this.first !== address.value;
  }

  /** Number of addresses in the block. */
  public get size(): bigint {
    return 2n ** BigInt(this.hostBits);
  }

  /**
   * True if an address lies in the block.
   *
   * @param ip an IP address; a text that is none lies in no block
   */
  public contains(ip: string): boolean {
    const address = parseIp(ip);
    return address !== undefined && address.family === this.family && address.value >= this.first && address.value <= this.last;
  }

  /** True if every address of another block lies in this one. */
  public covers(other: Cidr): boolean {
    return other.family === this.family && other.first >= this.first && other.last <= this.last;
  }

  /** True if the two blocks have an address in common. */
  public overlaps(other: Cidr): boolean {
    return this.covers(other) || other.covers(this);
  }

  /**
   * The address at a position of the block, in canonical text.
   *
   * @param index 0 for the first address of the block, which for a service range is the network address itself
   * @returns the address, or undefined behind the end of the block
   */
  public nth(index: number): string | undefined {
    const value = this.first + BigInt(index);
    return index >= 0 && value <= this.last ? formatIp({ family: this.family, value }) : undefined;
  }

  /** The block in canonical form, without host bits: `10.96.0.0/16`, `2001:db8::/32`. */
  public toString(): string {
    return `${formatIp({ family: this.family, value: this.first })}/${this.prefixLength}`;
  }
}

/**
 * Checks a block of addresses: its grammar, and that no host bits are set.
 *
 * Cluster API takes host bits (`net.ParseCIDR`), kube-apiserver's newer validation (gate `StrictIPCIDRValidation`) does not, and
 * what they are meant to say is never clear.
 *
 * @param text the block
 * @param family the only family that is accepted; both if left out
 * @returns what is wrong with it, or undefined
 */
export function checkCidr(text: string, family?: IpFamily): string | undefined {
  const examples = { IPv4: '"10.96.0.0/16"', IPv6: '"fd00:10:96::/112"' };
  const accepted = family ? examples[family] : `${examples.IPv4} or ${examples.IPv6}`;
  const cidr = Cidr.parse(text);
  if (!cidr) {
    return `"${text}" is not a block of IP addresses; accepted is a block such as ${accepted}`;
  }
  if (family && cidr.family !== family) {
    return `"${text}" is an ${cidr.family} block; accepted is ${family}, such as ${accepted}`;
  }
  return cidr.hasHostBits ? `"${text}" is an address inside a block; accepted is the block itself, "${cidr}"` : undefined;
}

/** Checks a block that is left out of another one. */
export function checkException(text: string, whole: string | undefined): string | undefined {
  const [outer, inner] = [Cidr.parse(whole ?? ''), Cidr.parse(text)];
  const isInside = !outer || !inner || (outer.covers(inner) && outer.prefixLength < inner.prefixLength);
  return checkCidr(text) ?? (isInside ? undefined : `"${text}" is not a part of "${whole}"; accepted are smaller ranges inside it`);
}

/** Largest service range where a size limit holds: 20 host bits, thus /12 for IPv4 and /108 for IPv6. */
const SERVICE_CIDR_MAX_HOST_BITS = 20;

/** Position of the cluster's DNS service in the service range, by convention of kubeadm (`GetDNSIP`). */
export const DNS_SERVICE_INDEX = 10;

/** Bits by which the pod range may be wider than the range of one node (kubeadm `PodSubnetNodeMaskMaxDiff`). */
const POD_CIDR_MAX_NODE_BITS = 16;

/** Prefix length of the pod range of one node, as kube-controller-manager sets it by default. */
export const DEFAULT_NODE_PREFIX_LENGTH: Readonly<Record<IpFamily, number>> = { IPv4: 24, IPv6: 64 };

/**
 * Addresses of a node's pod range that no pod gets: the first, the last, and the node's own (containernetworking/plugins
 * plugins/ipam/host-local/backend/allocator/range.go).
 */
const ADDRESSES_OF_NODE = 3;

/** With fewer bits, nothing of a node's pod range would be left for pods. */
const HOST_BITS_OF_SMALLEST = 2;

// The API server drops its limit where the gates MultiCIDRServiceAllocator and DisableAllocatorDualWrite are both on: by
// default from 1.34.
const UNLIMITED_SINCE = '1.34';

/** Blocks whose addresses no pod and no Service can have, by what they are for. */
const UNUSABLE = Object.entries({
  'this host': '0.0.0.0/8',
  'loopback': '127.0.0.0/8',
  'link-local addresses': '169.254.0.0/16',
  'multicast': '224.0.0.0/4',
  'loopback in IPv6': '::1/128',
  'link-local addresses in IPv6': 'fe80::/10',
  'multicast in IPv6': 'ff00::/8',
}).map(([purpose, text]) => ({ purpose, block: Cidr.parse(text)! }));

/** Requirements of a service range. */
export interface ServiceCidrRules {
  /**
   * Minor release of the API server, e.g. `1.35`.
   *
   * @default - the limit of the older releases holds
   */
  readonly minor?: string;

  /**
   * True if kubeadm sets up the control plane; it keeps the limit in every release (`ValidateServiceSubnetSize`).
   *
   * @default false
   */
  readonly kubeadm?: boolean;
}

/**
 * Checks one range of pods or Services: its grammar, and that nodes pass packets for its addresses on to each other.
 *
 * Sources: RFC 6890 and IANA's special-purpose address registries for IPv4 and IPv6, RFC 5771 and RFC 4291 (multicast).
 *
 * @returns what is wrong with it, or undefined
 */
export function checkRange(text: string): string | undefined {
  const cidr = Cidr.parse(text);
  const found = cidr && UNUSABLE.find(({ block }) => block.overlaps(cidr));
  return checkCidr(text) ?? (found
    && `"${text}" has addresses of ${found.block}, which is for ${found.purpose}; accepted are unicast ranges that are routed, such as "10.96.0.0/16" or "fd00:10:96::/112"`);
}

/**
 * Checks one service range: its grammar, that the DNS service's address lies in it, and that it is not larger than the API server
 * takes.
 *
 * Sources: `cmd/kube-apiserver/app/options/validation.go` `validateClusterIPFlags`, kubeadm `ValidateServiceSubnetSize` and
 * `MinimumAddressesInServiceSubnet`.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkServiceCidr(text: string, rules: ServiceCidrRules = {}): string | undefined {
  const problem = checkCidr(text);
  const cidr = Cidr.parse(text);
  if (problem !== undefined || !cidr) {
    return problem;
  }
  const bits = cidr.prefixLength + cidr.hostBits;
  if (cidr.nth(DNS_SERVICE_INDEX) === undefined) {
    return `"${text}" holds ${cidr.size} addresses, and the DNS service takes number ${DNS_SERVICE_INDEX}; accepted are ranges up to /${bits - 4}`;
  }
  const limited = rules.kubeadm || rules.minor === undefined || compareReleases(rules.minor, UNLIMITED_SINCE) < 0;
  return limited && cidr.hostBits > SERVICE_CIDR_MAX_HOST_BITS
    ? `"${text}" is too large for services; accepted are ranges from /${bits - SERVICE_CIDR_MAX_HOST_BITS}`
    : undefined;
}

/**
 * Checks one pod range: its grammar, and that the ranges of single nodes fit into it.
 *
 * Source: kubeadm `ValidatePodSubnetNodeMask`; the limit is that of kube-controller-manager's node range allocator.
 *
 * @param text the range
 * @param nodePrefixLength prefix length of the range of one node; what kube-controller-manager defaults to if left out
 * @returns what is wrong with it, or undefined
 */
export function checkPodCidr(text: string, nodePrefixLength?: number): string | undefined {
  const problem = checkCidr(text);
  const cidr = Cidr.parse(text);
  if (problem !== undefined || !cidr) {
    return problem;
  }
  const node = nodePrefixLength ?? DEFAULT_NODE_PREFIX_LENGTH[cidr.family];
  const fits = cidr.prefixLength <= node && node - cidr.prefixLength <= POD_CIDR_MAX_NODE_BITS;
  return fits ? undefined
    : `"${text}" does not fit ranges of /${node} for each node; accepted are ranges from /${Math.max(0, node - POD_CIDR_MAX_NODE_BITS)} to /${node}`;
}

/**
 * Checks the prefix length of the pod range of one node: that it is one, and leaves pods an address.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkNodePrefixLength(length: number, family: IpFamily): string | undefined {
  const longest = ADDRESS_BITS[family] - HOST_BITS_OF_SMALLEST;
  return Number.isInteger(length) && length >= 1 && length <= longest ? undefined
    : `${length} is not the prefix length of a node's ${family} range; accepted are whole numbers from 1 to ${longest}`;
}

/** Number of pods for which the pod range of one node has addresses. */
export function podsInNodeRange(length: number, family: IpFamily): number {
  return 2 ** (ADDRESS_BITS[family] - length) - ADDRESSES_OF_NODE;
}

/**
 * Checks that pods and Services have the same address families in the same order.
 *
 * Source: kubeadm `ValidateNetworking`.
 *
 * @returns what is wrong, or undefined; lists with entries that do not parse are left to the checks of one range
 */
export function checkSameFamilies(podCidrs: readonly string[], serviceCidrs: readonly string[]): string | undefined {
  const [pods, services] = [podCidrs, serviceCidrs].map((texts) => texts.map((text) => Cidr.parse(text)?.family));
  return [...pods, ...services].includes(undefined) || pods.join() === services.join() ? undefined
    : `pods have ${pods.join(' and ')}, Services have ${services.join(' and ')}; accepted are the same address families in the same order`;
}

/**
 * Checks a list of ranges as a whole: one range, or two of different families (dual stack).
 *
 * Sources: Kamaji's `serviceCidrs`/`podCidrs` (1 to 2 items), kubeadm `ValidateIPNetFromString`.
 *
 * @returns what is wrong with the list, or undefined; entries that do not parse are left to the checks of one range
 */
export function checkCidrFamilies(texts: readonly string[]): string | undefined {
  if (texts.length < 1 || texts.length > 2) {
    return `${texts.length} ranges are given; accepted are one, or two of different families (IPv4 and IPv6)`;
  }
  const [first, second] = texts.map((text) => Cidr.parse(text)?.family);
  return first !== undefined && first === second ? `both ranges are ${first}; accepted are one range, or one IPv4 and one IPv6` : undefined;
}

/** Checks a range as Go's `net.ParseCIDR` does, which takes more than `Cidr.parse`, such as host bits, IPv4-mapped IPv6 and leading zeros in the prefix length. */
export function isReadableCidr(text: string): boolean {
  const match = /^([^/%]+)\/(\d+)$/.exec(text);
  const version = match ? isIP(match[1]) : 0;
  return match !== null && version > 0 && Number(match[2]) <= ADDRESS_BITS[version === 4 ? 'IPv4' : 'IPv6'];
}
