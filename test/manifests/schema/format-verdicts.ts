/** Strings by the verdict of kube-apiserver 1.37.2 on a field of the format (a dry run of a create). */
export const FORMATS: Readonly<Record<string, { readonly accepted: readonly string[]; readonly refused: readonly string[] }>> = {
  'uri': {
    accepted: [
      'http://a', '/a', '//a', '//a b', '/a b', 'http://a:80', 'http://a:', 'http://[::1]', 'http://[::1]:8', 'mailto:x', 'a:b', '*',
      'http://u:p@h/', 'http://a?%zz', '/a#b', 'http://a%25b', 'http://ä', 'oci://x/y:z', 'http://', 'http:///x', 'http:/x', 'http:x',
      '/', '///x', 'HTTP://x', 'file:///etc', 'http://a/ b', '/a\\b', 'http://"a"', 'http://a<b>', 'http://%e4', 'http://a@b@c',
      'http://[fe80::1%25en0]', 'x://?', 'x://a?b', 'http://a/?a b', 'http://u@', 'http://@h',
    ],
    refused: [
      'http://a b', 'example.com/acme', '/a%zz', 'http://a/%zz', 'http://a:x', 'http://[::1', 'http://[::1]x', '1:b', ':b', '',
      'http://u p@h/', 'http://a#b c', 'http://a%20b', 'http://{x}', 'http://a|b', 'h_t://x', 'ht!://x', 'http://a:1:2', 'http://a\tb',
      'http://a\\b', 'http://a^b', 'http://%41', 'http://[fe80::1%en0]', 'http://[x]', 'a b:c', 'ab', 'http://[::1]:x', 'http://%zz@h',
    ],
  },
  'duration': {
    accepted: [
      '5m', '1d', '-5m', '1.5h', '5 m', '1h30m', '0', '3 days', '2w', '2 weeks', '5minutes', '5 Hours', '5m x', 'x5m', '1.5d', '5ms',
      '+5s', '1wk', '1 weeks', '1 seconds', '5µs', '1 microsecond', '5 hr', '5hours', '5s5', '5m5x',
    ],
    refused: ['5', '', '1 fortnight', '5mi', '1y', '2 hrs', '5nss'],
  },
  'mac': {
    accepted: [
      '00:00:5e:00:53:01', '00-00-5e-00-53-01', '0000.5e00.5301', '02:00:5e:10:00:00:00:01',
      '00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01', '0000.5e00.5301.0000', '00005e005301', '02-00-5e-10-00-00-00-01',
      '0200.5e10.0000.0001', '0000.0000.fe80.0000.0000.0000.0200.5e10.0000.0001',
    ],
    refused: ['00:00:5e:00:53', '00:00-5e:00:53:01', 'zz:00:5e:00:53:01', ''],
  },
  'date-time': {
    accepted: [
      '2024-01-01T00:00:00Z', '2024-01-01t00:00:00z', '2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00+01:00',
      '2024-01-01T00:00:00,5Z', '2024-01-01T00:00:00-25:00',
    ],
    refused: [
      '2024-01-01 00:00:00Z', '2024-01-01T00:00Z', '2024-01-01T00:00:00', '2024-01-01T00:00:00+0100', '2024-01-01',
      '2024-01-01T24:00:00Z', '2024-01-01T00:00:60Z', '', '2024-13-01T00:00:00Z', '2024-01-01T00:00:00.Z',
    ],
  },
  'date': {
    accepted: ['2024-01-01', '0000-01-01'],
    refused: ['2024-1-1', '2024-02-30', '', '2024-01-01T00:00:00Z', '99999-01-01'],
  },
  'email': {
    accepted: ['a@b', 'A <a@b>', 'a@b.c', '<a@b>', '"a b"@c', 'a@[1.2.3.4]', 'ä@b.c'],
    refused: ['a', 'a@', '@b', 'a b@c', '', 'a@b c', 'a@@b', 'a..b@c', '.a@b', 'A a@b', 'a@b.', '(c)a@b'],
  },
  'ipv4': {
    accepted: ['1.2.3.4', '01.2.3.4'],
    refused: ['1.2.3', '::1', '1.2.3.256', '', '1.2.3.4 '],
  },
  'ipv6': {
    accepted: ['::1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'],
    refused: ['1.2.3.4', 'fe80::1%eth0', ':::', '', 'g::1'],
  },
  'cidr': {
    accepted: ['10.0.0.0/8', '10.0.0.1/8', '::/0', '010.0.0.0/8', '10.0.0.0/08', '::ffff:1.2.3.4/96'],
    refused: ['10.0.0.0/33', '10.0.0.0', '', '::/129'],
  },
  'byte': {
    accepted: ['YWNtZQ==', 'YWNt'],
    refused: ['YWNtZQ', 'a', '', 'YWNtZQ==\n', 'YWN tZQ==', '!!!!', 'YW-_'],
  },
  'uuid': {
    accepted: [
      '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b8109dad11d180b400c04fd430c8', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8',
      '00000000-0000-0000-0000-000000000000',
    ],
    refused: ['x', '', '{6ba7b810-9dad-11d1-80b4-00c04fd430c8}', 'urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  },
};
