import { isIPv4, isIPv6 } from 'node:net';
import { readOnce } from './read-once';

/** Address family, as Kubernetes names it. */
export type IpFamily = 'IPv4' | 'IPv6';

/** An IP address as a number. */
export interface IpAddress {
  /** Its family. */
  readonly family: IpFamily;

  /** The address as an unsigned number of 32 or 128 bits. */
  readonly value: bigint;
}

/** Bits of an address of each family. */
export const ADDRESS_BITS: Readonly<Record<IpFamily, number>> = { IPv4: 32, IPv6: 128 };

const IPV4_MAPPED = 0xffffn;

/**
 * Reads an IP address as strictly as Kubernetes does for new objects: no leading zeros, no zone, no IPv4-mapped IPv6
 * (`k8s.io/apimachinery` `pkg/util/validation/ip.go`).
 *
 * @returns the address, or undefined if the text is not one
 */
export const parseIp = readOnce((text: string): IpAddress | undefined => {
  if (isIPv4(text)) {
    return { family: 'IPv4', value: ipv4Value(text) };
  }
  // Node.js asks a pattern that takes milliseconds to compile, for names of hosts as well.
  if (!/:/.test(text) || !isIPv6(text) || text.includes('%')) {
    return undefined;
  }
  const value = ipv6Value(text);
  return value / 2n ** 32n === IPV4_MAPPED ? undefined : { family: 'IPv6', value };
});

/**
 * Writes an address in its canonical form: dotted decimal, or RFC 5952 (lower case, the longest run of zero groups shortened).
 */
export function formatIp(address: IpAddress): string {
  return address.family === 'IPv4' ? formatIpv4(address.value) : formatIpv6(address.value);
}

/** True if two texts are the same address, however they are written. */
export function isSameIp(one: string, other: string): boolean {
  const [first, second] = [parseIp(one), parseIp(other)];
  return first !== undefined && second !== undefined && first.family === second.family && first.value === second.value;
}

/**
 * Checks an IP address.
 *
 * @param text the address
 * @param family the only family that is accepted; both if left out
 * @returns what is wrong with it, or undefined
 */
export function checkIp(text: string, family?: IpFamily): string | undefined {
  const examples = { IPv4: '"192.0.2.10"', IPv6: '"2001:db8::10"' };
  const accepted = family ? examples[family] : `${examples.IPv4} or ${examples.IPv6}`;
  const address = parseIp(text);
  if (!address) {
    return `"${text}" is not an IP address; accepted is an address such as ${accepted}, without prefix length, zone or leading zeros`;
  }
  return family && address.family !== family ? `"${text}" is an ${address.family} address; accepted is ${family}, such as ${accepted}` : undefined;
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n);
}

function ipv6Value(text: string): bigint {
  const [head, tail] = text.split('::');
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const gap = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...gap, ...after].reduce((value, group) => value * 65536n + group, 0n);
}

function groups(text: string): bigint[] {
  return text === '' ? [] : text.split(':').flatMap((group) => {
    if (!group.includes('.')) {
      return [BigInt(`0x${group}`)];
    }
    const value = ipv4Value(group);
    return [value / 65536n, value % 65536n];
  });
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value / 2n ** shift) % 256n).join('.');
}

function formatIpv6(value: bigint): string {
  if (value / 2n ** 32n === IPV4_MAPPED) {
    return `::ffff:${formatIpv4(value % 2n ** 32n)}`;
  }
  const all = Array.from({ length: 8 }, (_, index) => ((value / 65536n ** BigInt(7 - index)) % 65536n).toString(16));
  const gap = longestZeroRun(all);
  if (gap.length < 2) {
    return all.join(':');
  }
  return `${all.slice(0, gap.start).join(':')}::${all.slice(gap.start + gap.length).join(':')}`;
}

function longestZeroRun(all: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  all.forEach((group, index) => {
    length = group === '0' ? length + 1 : 0;
    if (length > best.length) {
      best = { start: index - length + 1, length };
    }
  });
  return best;
}
