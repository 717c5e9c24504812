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
