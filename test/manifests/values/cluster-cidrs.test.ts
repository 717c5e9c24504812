import { checkCidrFamilies, checkPodCidr, checkRange, checkServiceCidr } from '../../../src/manifests/values/cidr';

describe('ranges', () => {
  test.each([
    ['127.0.0.0/16', '127.0.0.0/8', 'loopback'],
    ['126.0.0.0/7', '127.0.0.0/8', 'loopback'],
    ['::/64', '::1/128', 'loopback'],
    ['224.0.0.0/16', '224.0.0.0/4', 'multicast'],
    ['ff02::/16', 'ff00::/8', 'multicast'],
    ['169.254.0.0/16', '169.254.0.0/16', 'link-local'],
    ['fe80::/64', 'fe80::/10', 'link-local'],
    ['0.0.0.0/8', '0.0.0.0/8', 'this host'],
    ['0.0.0.0/0', '0.0.0.0/8', 'this host'],
  ])('%s is not for pods and Services', (text, block, purpose) => {
    expect(checkRange(text)).toContain(`"${text}" has addresses of ${block}, which is for ${purpose}`);
  });

  test.each(['10.244.0.0/16', '1.0.0.0/16', '100.64.0.0/10', '126.0.0.0/8', '128.0.0.0/16', '169.253.0.0/16', '240.0.0.0/16', 'fd00::/48', 'fec0::/48', '2001:db8::/48'])('%s is', (text) => {
    expect(checkRange(text)).toBeUndefined();
  });

  test('the grammar comes first', () => {
    expect(checkRange('127.0.0.1/8')).toContain('is an address inside a block');
  });
});

describe('service ranges', () => {
  test.each([
    ['10.96.0.0/16', {}, undefined],
    ['10.96.0.0/12', { minor: '1.33' }, undefined],
    ['10.0.0.0/11', { minor: '1.33' }, '"10.0.0.0/11" is too large for services; accepted are ranges from /12'],
    ['10.0.0.0/11', {}, '"10.0.0.0/11" is too large for services; accepted are ranges from /12'],
    ['10.0.0.0/8', { minor: '1.34' }, undefined],
    ['10.0.0.0/8', { minor: '1.36', kubeadm: true }, '"10.0.0.0/8" is too large for services; accepted are ranges from /12'],
    ['fd00::/108', { kubeadm: true }, undefined],
    ['fd00::/107', { kubeadm: true }, '"fd00::/107" is too large for services; accepted are ranges from /108'],
    ['10.96.0.0/28', { minor: '1.35' }, undefined],
    ['10.96.0.0/29', { minor: '1.35' }, '"10.96.0.0/29" holds 8 addresses, and the DNS service takes number 10; accepted are ranges up to /28'],
    ['fd00::/125', { minor: '1.35' }, '"fd00::/125" holds 8 addresses, and the DNS service takes number 10; accepted are ranges up to /124'],
  ])('%s %p', (text, rules, expected) => {
    expect(checkServiceCidr(text, rules)).toBe(expected);
  });

  test('the grammar comes first', () => {
    expect(checkServiceCidr('10.96.0.0')).toContain('is not a block');
    expect(checkServiceCidr('10.96.0.1/16')).toContain('accepted is the block itself, "10.96.0.0/16"');
  });
});

describe('pod ranges', () => {
  test.each([
    ['10.244.0.0/16', undefined, undefined],
    ['10.244.0.0/24', undefined, undefined],
    ['10.0.0.0/8', undefined, undefined],
    ['10.0.0.0/7', undefined, '"10.0.0.0/7" does not fit ranges of /24 for each node; accepted are ranges from /8 to /24'],
    ['10.244.0.0/25', undefined, '"10.244.0.0/25" does not fit ranges of /24 for each node; accepted are ranges from /8 to /24'],
    ['10.244.0.0/25', 26, undefined],
    ['10.244.0.1/16', undefined, '"10.244.0.1/16" is an address inside a block; accepted is the block itself, "10.244.0.0/16"'],
    ['fd00::/48', undefined, undefined],
    ['fd00::/47', undefined, '"fd00::/47" does not fit ranges of /64 for each node; accepted are ranges from /48 to /64'],
    ['fd00::/112', undefined, '"fd00::/112" does not fit ranges of /64 for each node; accepted are ranges from /48 to /64'],
  ])('%s with %p for a node', (text, node, expected) => {
    expect(checkPodCidr(text, node)).toBe(expected);
  });
});

test.each([
  [[], '0 ranges are given; accepted are one, or two of different families (IPv4 and IPv6)'],
  [['10.0.0.0/16'], undefined],
  [['10.0.0.0/16', 'fd00::/112'], undefined],
  [['fd00::/112', '10.0.0.0/16'], undefined],
  [['10.0.0.0/16', '10.1.0.0/16'], 'both ranges are IPv4; accepted are one range, or one IPv4 and one IPv6'],
  [['10.0.0.0/16', 'fd00::/112', '10.2.0.0/16'], '3 ranges are given; accepted are one, or two of different families (IPv4 and IPv6)'],
  [['nonsense', 'nonsense'], undefined],
])('families of %p', (texts, expected) => {
  expect(checkCidrFamilies(texts)).toBe(expected);
});
