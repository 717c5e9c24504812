import * as fc from 'fast-check';
import { ClusterRange, sharedRanges } from '../../../../src/constructs/repository/fleet/shared-addresses';
import { Cidr } from '../../../../src/manifests/values/cidr';
import { formatIp } from '../../../../src/manifests/values/ip-address';
import { amount } from '../../../support/sample';

type Range = ClusterRange<number>;

// Few addresses, so that ranges meet.
const ipv4 = fc.tuple(fc.nat(255), fc.integer({ min: 22, max: 32 })).map(([low, length]) => cidr('IPv4', BigInt(0x0a000000 + low), length));
const ipv6 = fc.tuple(fc.nat(255), fc.integer({ min: 118, max: 128 })).map(([low, length]) => cidr('IPv6', 0xfdn * 2n ** 120n + BigInt(low), length));
const range: fc.Arbitrary<Range> = fc.record({ owner: fc.nat(3), what: fc.constant('pods'), range: fc.oneof(ipv4, ipv6) });

function cidr(family: 'IPv4' | 'IPv6', value: bigint, length: number): Cidr {
  return Cidr.parse(`${formatIp({ family, value })}/${length}`)!;
}

/** True if a range comes before another one: by beginning, then by size, then by its place in the list. */
function isBefore(one: Range, other: Range, ranges: readonly Range[]): boolean {
  if (one.range.first !== other.range.first) return one.range.first < other.range.first;
  if (one.range.prefixLength !== other.range.prefixLength) return one.range.prefixLength < other.range.prefixLength;
  return ranges.indexOf(one) < ranges.indexOf(other);
}

test('finds what looking at every pair finds', () => {
  fc.assert(fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
    const shared = sharedRanges(ranges);
    const meets = (one: Range, other: Range) => other.owner !== one.owner && other.range.overlaps(one.range) && isBefore(other, one, ranges);
    const slowly = ranges.filter((one) => ranges.some((other) => meets(one, other)));
    expect(new Set(shared.map(({ of }) => of))).toEqual(new Set(slowly));
    expect(shared.length).toBe(slowly.length);
    for (const { of, with: other } of shared) expect([other.owner !== of.owner, other.range.overlaps(of.range)]).toEqual([true, true]);
  }), { numRuns: amount(2000, 300) });
});

test('a cluster is not held against itself', () => {
  const of = (owner: number, text: string): Range => ({ owner, what: 'pods', range: Cidr.parse(text)! });
  const ranges = [of(1, '10.0.0.0/8'), of(1, '10.1.0.0/16'), of(2, '11.0.0.0/8')];
  expect(sharedRanges(ranges)).toEqual([]);
  const third = of(2, '10.1.2.0/24');
  expect(sharedRanges([...ranges, third])).toEqual([{ of: third, with: ranges[0] }]);
});

test('many equal ranges are found once each', () => {
  const ranges = Array.from({ length: 20_000 }, (_, owner): Range => ({ owner, what: 'pods', range: Cidr.parse('10.243.0.0/16')! }));
  expect(sharedRanges(ranges).length).toBe(ranges.length - 1);
});
