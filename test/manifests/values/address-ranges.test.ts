import * as fc from 'fast-check';
import { addressShortage } from '../../../src/manifests/values/address-demand';
import { addressCount, formatAddressRange, parseAddressRange, remainingRanges } from '../../../src/manifests/values/address-ranges';

function rest(ranges: string[], excluded: string[] = []): string[] {
  const [from, without] = [ranges, excluded].map((texts) => texts.map((text) => parseAddressRange(text)!));
  return remainingRanges(from, without).map(formatAddressRange);
}

test.each([
  ['192.0.2.10', '192.0.2.10'],
  ['192.0.2.10-192.0.2.20', '192.0.2.10-192.0.2.20'],
  ['192.0.2.9/30', '192.0.2.8-192.0.2.11'],
  ['2001:db8::/126', '2001:db8::-2001:db8::3'],
])('%s is a range of addresses', (text, range) => {
  expect(formatAddressRange(parseAddressRange(text)!)).toBe(range);
});

test.each(['', '192.0.2', '192.0.2.20-192.0.2.10', '192.0.2.10-2001:db8::1', '192.0.2.10 - 192.0.2.20', '192.0.2.0/33', '192.0.2.1-2-3', '192.0.2.10-'])('"%s" is none', (text) => {
  expect(parseAddressRange(text)).toBeUndefined();
});

test('an address counts once, and what is excluded does not count', () => {
  expect(rest(['192.0.2.10-192.0.2.20', '192.0.2.15-192.0.2.30', '192.0.2.31'])).toEqual(['192.0.2.10-192.0.2.31']);
  expect(rest(['192.0.2.10-192.0.2.20', '2001:db8::1'], ['192.0.2.10', '192.0.2.15-192.0.2.16', '2001:db8::/64'])).toEqual(['192.0.2.11-192.0.2.14', '192.0.2.17-192.0.2.20']);
});

test('what remains are the addresses of the ranges that are in no hole', () => {
  const range = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 10 }))
    .map(([first, length]) => ({ family: 'IPv4' as const, first: BigInt(first), last: BigInt(first + length) }));
  fc.assert(fc.property(fc.array(range, { maxLength: 5 }), fc.array(range, { maxLength: 5 }), (ranges, holes) => {
    const has = (all: typeof ranges, value: number) => all.some(({ first, last }) => first <= BigInt(value) && BigInt(value) <= last);
    const expected = [...Array(60).keys()].filter((value) => has(ranges, value) && !has(holes, value));
    const remaining = remainingRanges(ranges, holes);

    expect([...Array(60).keys()].filter((value) => has(remaining as typeof ranges, value))).toEqual(expected);
    expect(addressCount(remaining)).toBe(BigInt(expected.length));
  }));
});

test('a shortage shows the sum', () => {
  const demands = [{ name: 'acme-control-plane', machines: 3, surge: 1, each: 1 }, { name: 'acme-general', machines: 5, surge: 0, each: 2 }];

  expect(addressShortage('nodes', 14, demands)).toBeUndefined();
  expect(addressShortage('nodes', 13n, demands))
    .toBe('pool "nodes" has 13 addresses for machines, and they may take 14: acme-control-plane 3 + 1 in a rollout, acme-general 2 × 5 = 14');
});
