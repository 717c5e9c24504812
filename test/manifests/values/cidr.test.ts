import * as fc from 'fast-check';
import { checkCidr, Cidr } from '../../../src/manifests/values/cidr';
import { ADDRESS_BITS, formatIp, IpFamily } from '../../../src/manifests/values/ip-address';

interface Block {
  readonly family: IpFamily;
  readonly bits: bigint;
  readonly value: bigint;
  readonly prefix: number;
  readonly text: string;
}

// Few high bits vary, so that blocks meet often.
const block = fc.constantFrom<IpFamily>('IPv4', 'IPv6').chain((family) => {
  const bits = ADDRESS_BITS[family];
  const low = fc.bigInt({ min: 0n, max: 2n ** BigInt(bits - 4) - 1n });
  return fc.record({ high: fc.boolean(), low, prefix: fc.integer({ min: 0, max: bits }) })
    .map(({ high, low: rest, prefix }): Block => {
      const value = (high ? 2n ** BigInt(bits - 1) : 0n) + rest;
      return { family, bits: BigInt(bits), value, prefix, text: `${formatIp({ family, value })}/${prefix}` };
    });
});
const shift = (one: Block): bigint => one.bits - BigInt(one.prefix);
const isMapped = (one: Block): boolean => one.family === 'IPv6' && one.value / 2n ** 32n === 0xffffn;

describe('CIDR blocks against plain arithmetic', () => {
  test('first and last address, size and host bits', () => {
    fc.assert(fc.property(block, (one) => {
      fc.pre(!isMapped(one));
      const cidr = Cidr.parse(one.text)!;
      /* eslint-disable no-bitwise */
      const first = (one.value >> shift(one)) << shift(one);
      const last = one.value | ((1n << shift(one)) - 1n);
      /* eslint-enable no-bitwise */
      expect(cidr.first).toBe(first);
      expect(cidr.last).toBe(last);
      expect(cidr.size).toBe(last - first + 1n);
      expect(cidr.hasHostBits).toBe(first !== one.value);
      expect(cidr.toString()).toBe(`${formatIp({ family: one.family, value: first })}/${one.prefix}`);
      expect(checkCidr(one.text) === undefined).toBe(first === one.value);
    }));
  });

  test('overlap is sharing an address, cover is holding all of them', () => {
    fc.assert(fc.property(block, block, (one, other) => {
      fc.pre(!isMapped(one) && !isMapped(other));
      const [a, b] = [Cidr.parse(one.text)!, Cidr.parse(other.text)!];
      const same = one.family === other.family;
      expect(a.overlaps(b)).toBe(same && a.first <= b.last && b.first <= a.last);
      expect(b.overlaps(a)).toBe(a.overlaps(b));
      expect(a.covers(b)).toBe(same && a.first <= b.first && b.last <= a.last);
      expect(a.contains(formatIp({ family: other.family, value: b.first }))).toBe(same && b.first >= a.first && b.first <= a.last);
    }), { numRuns: 500 });
  });

  test('the nth address is the first plus n, inside the block only', () => {
    fc.assert(fc.property(block, fc.integer({ min: 0, max: 70000 }), (one, index) => {
      fc.pre(!isMapped(one));
      const cidr = Cidr.parse(one.text)!;
      const value = cidr.first + BigInt(index);
      expect(cidr.nth(index)).toBe(value <= cidr.last ? formatIp({ family: one.family, value }) : undefined);
    }));
  });
});

describe('CIDR grammar', () => {
  test.each([
    '', '10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/08', '10.0.0/8', '010.0.0.0/8', 'fd00::/129', '::ffff:10.0.0.0/104', 'fe80::%eth0/64',
    '10.0.0.0/8 ', '10.0.0.0/8/8', '10.0.0.0/+8',
  ])('%p is refused', (text) => {
    expect(Cidr.parse(text)).toBeUndefined();
    expect(checkCidr(text)).toContain('is not a block of IP addresses; accepted is a block such as "10.96.0.0/16"');
  });

  test('messages name the block that was probably meant, and the family', () => {
    expect(checkCidr('10.96.0.1/16')).toBe('"10.96.0.1/16" is an address inside a block; accepted is the block itself, "10.96.0.0/16"');
    expect(checkCidr('10.96.0.0/16', 'IPv6')).toBe('"10.96.0.0/16" is an IPv4 block; accepted is IPv6, such as "fd00:10:96::/112"');
    expect(checkCidr('fd00:10:96::/112', 'IPv6')).toBeUndefined();
  });

  test.each([
    ['10.96.0.0/16', 10, '10.96.0.10'],
    ['10.96.255.0/16', 256, '10.96.1.0'],
    ['fd00:10:96::/112', 10, 'fd00:10:96::a'],
    ['0.0.0.0/0', 0, '0.0.0.0'],
    ['192.0.2.1/32', 0, '192.0.2.1'],
    ['192.0.2.0/30', 4, undefined],
    ['192.0.2.0/30', -1, undefined],
  ])('%s, address %i is %s', (text, index, expected) => {
    expect(Cidr.parse(text)!.nth(index)).toBe(expected);
  });

  test('texts that are no address lie nowhere', () => {
    expect(Cidr.parse('0.0.0.0/0')!.contains('example.com')).toBe(false);
    expect(Cidr.parse('::/0')!.contains('10.0.0.1')).toBe(false);
  });
});
