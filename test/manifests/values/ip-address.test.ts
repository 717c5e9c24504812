import * as fc from 'fast-check';
import { ADDRESS_BITS, checkIp, formatIp, IpFamily, isSameIp, parseIp } from '../../../src/manifests/values/ip-address';

const family = fc.constantFrom<IpFamily>('IPv4', 'IPv6');
const address = family.chain((one) => fc.record({
  family: fc.constant(one),
  value: fc.bigInt({ min: 0n, max: 2n ** BigInt(ADDRESS_BITS[one]) - 1n }),
}));

describe('IP addresses', () => {
  test('what is written is read back', () => {
    fc.assert(fc.property(address, (one) => {
      fc.pre(one.family === 'IPv4' || one.value / 2n ** 32n !== 0xffffn);
      expect(parseIp(formatIp(one))).toEqual(one);
    }));
  });

  test('sparse IPv6 addresses are read back, and agree with the URL parser on the canonical text', () => {
    const group = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) });
    fc.assert(fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const value = groups.reduce((sum, one) => sum * 65536n + BigInt(one), 0n);
      fc.pre(value / 2n ** 32n !== 0xffffn);
      const text = formatIp({ family: 'IPv6', value });
      expect(parseIp(text)?.value).toBe(value);
      expect(`[${text}]`).toBe(new URL(`http://[${groups.map((one) => one.toString(16)).join(':')}]/`).hostname);
    }));
  });

  test.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['0.0.0.1', '::1', false],
    ['api.example.com', 'api.example.com', false],
  ])('whether %s and %s are the same: %s', (one, other, same) => {
    expect(isSameIp(one, other)).toBe(same);
  });

  test.each([
    ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%s is written as %s', (text, canonical) => {
    expect(formatIp(parseIp(text)!)).toBe(canonical);
  });

  test.each([
    '', '10.0.0', '10.0.0.256', '010.0.0.1', '10.0.0.1/8', ' 10.0.0.1', 'fe80::1%eth0', '::ffff:10.0.0.1', '1:2:3:4:5:6:7', '1::2::3', 'example.com', '[::1]',
  ])('%p is no address', (text) => {
    expect(parseIp(text)).toBeUndefined();
    expect(checkIp(text)).toContain('is not an IP address; accepted is');
  });

  test('the other family is named', () => {
    expect(checkIp('192.0.2.10')).toBeUndefined();
    expect(checkIp('192.0.2.10', 'IPv4')).toBeUndefined();
    expect(checkIp('192.0.2.10', 'IPv6')).toBe('"192.0.2.10" is an IPv4 address; accepted is IPv6, such as "2001:db8::10"');
  });
});
