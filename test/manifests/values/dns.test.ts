import * as fc from 'fast-check';
import {
  checkCertificateName, checkDns1035Label, checkDnsLabel, checkDnsSubdomain, checkHost, checkHostPort, checkPort, checkWildcardDnsSubdomain,
  formatHostPort, parseHostPort,
} from '../../../src/manifests/values/dns';
import { formatIp } from '../../../src/manifests/values/ip-address';

const long = (length: number): string => 'a'.repeat(length);

describe('DNS names', () => {
  test.each(['a', 'a-b', '0a', 'a0', long(63)])('%p is a label', (text) => {
    expect(checkDnsLabel(text)).toBeUndefined();
  });

  test.each(['', '-a', 'a-', 'A', 'a.b', 'a_b', 'a b', 'ä', 'a\n'])('%p is no label', (text) => {
    expect(checkDnsLabel(text)).toContain('accepted are lower-case letters, digits and "-"');
  });

  test('lengths', () => {
    expect(checkDnsLabel(long(64))).toBe(`"${long(64)}" is 64 characters long; accepted are at most 63`);
    expect(checkDnsLabel('abcdef', 5)).toContain('accepted are at most 5');
    const domain = [long(63), long(63), long(63), long(61)].join('.');
    expect(checkDnsSubdomain(domain)).toBeUndefined();
    expect(checkDnsSubdomain(`${domain}a`)).toContain('254 characters long');
  });

  test('a DNS-1035 label starts with a letter', () => {
    expect(checkDns1035Label('a0')).toBeUndefined();
    expect(checkDns1035Label('0a')).toContain('starting with a letter');
    expect(checkDns1035Label('a.b')).toBeDefined();
    expect(checkDns1035Label(long(64))).toContain('at most 63');
  });

  test.each(['', '.a', 'a.', 'a..b', 'a.-b', 'a.B', '*.a'])('%p is no subdomain', (text) => {
    expect(checkDnsSubdomain(text)).toBeDefined();
  });

  test.each([
    ['*.example.com', true], ['*.a', true], ['*', false], ['*.', false], ['a.*.com', false], ['*.*.com', false], ['example.com', false], ['*a.com', false],
  ])('wildcard %p: %p', (text, fits) => {
    expect(checkWildcardDnsSubdomain(text) === undefined).toBe(fits);
  });
});

test('a wildcard name is as long as any other', () => {
  const domain = [long(63), long(63), long(63), long(59)].join('.');
  expect(checkWildcardDnsSubdomain(`*.${domain}`)).toBeUndefined();
  expect(checkWildcardDnsSubdomain(`*.${domain}a`)).toBeDefined();
});

describe('hosts and ports', () => {
  test.each([
    ['192.0.2.10', true], ['2001:db8::10', true], ['api.example.com', true], ['10.0.0.256', false], ['10.00.0.1', false], ['fe80::1%eth0', false],
    ['[::1]', false], ['API.example.com', false], ['', false], ['host:80', false], ['::ffff:10.0.0.1', false],
  ])('host %p: %p', (text, fits) => {
    expect(checkHost(text) === undefined).toBe(fits);
  });

  test.each([
    ['api.example.com:6443', { host: 'api.example.com', port: 6443 }],
    ['192.0.2.10:1', { host: '192.0.2.10', port: 1 }],
    ['[2001:db8::10]:65535', { host: '2001:db8::10', port: 65535 }],
    ['2001:db8::10:6443', undefined],
    ['[192.0.2.10]:6443', undefined],
    ['host', undefined],
    ['host:', undefined],
    ['host:0', undefined],
    ['host:06443', undefined],
    ['host:65536', undefined],
    [':6443', undefined],
    ['https://host:6443', undefined],
  ])('%p is %p', (text, expected) => {
    expect(parseHostPort(text)).toEqual(expected);
    expect(checkHostPort(text) === undefined).toBe(expected !== undefined);
  });

  test('what is joined is read back', () => {
    const host = fc.oneof(
      fc.constantFrom('a', 'api.example.com', 'x-1.y'),
      fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((value) => formatIp({ family: 'IPv4', value })),
      fc.bigInt({ min: 2n ** 100n, max: 2n ** 128n - 1n }).map((value) => formatIp({ family: 'IPv6', value })),
    );
    fc.assert(fc.property(host, fc.integer({ min: 1, max: 65535 }), (name, port) => {
      expect(parseHostPort(formatHostPort(name, port))).toEqual({ host: name, port });
    }));
  });

  test.each([[1, true], [65535, true], [0, false], [65536, false], [1.5, false], [NaN, false], [-1, false]])('port %p: %p', (port, fits) => {
    expect(checkPort(port) === undefined).toBe(fits);
  });
});

describe('names in certificates', () => {
  test.each(['192.0.2.10', '2001:db8::10', 'api.example.com', '*.example.com', 'localhost'])('%p is accepted', (text) => {
    expect(checkCertificateName(text)).toBeUndefined();
  });

  test('a port is named as the mistake', () => {
    expect(checkCertificateName('api.example.com:6443')).toBe('"api.example.com:6443" has a port; accepted is the host alone, "api.example.com"');
    expect(checkCertificateName('[2001:db8::10]:6443')).toContain('accepted is the host alone, "2001:db8::10"');
  });

  test.each(['', 'a_b', '*', 'https://api.example.com', '10.0.0.0/8'])('%p is refused', (text) => {
    expect(checkCertificateName(text)).toContain('accepted');
  });
});

test.each<unknown>([undefined, null, 5, true, {}])('%p, which only JavaScript can give, is a finding and no crash', (value) => {
  for (const check of [checkDnsLabel, checkDns1035Label, checkDnsSubdomain]) expect(check(value as string)).toContain('is not a string');
  for (const check of [checkHost, checkCertificateName, checkHostPort]) expect(check(value as string)).toMatch(/^"/);
});
