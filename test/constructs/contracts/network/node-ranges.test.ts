import * as fc from 'fast-check';
import { checkNodeMasks, nodeMaskArguments, nodeRangeText, nodesWithin, resolveNetwork } from '../../../../src/constructs/contracts/network/cluster-network';

function network(podCidrs: string[], nodeCidrMaskSizes?: number[]) {
  return resolveNetwork({ podCidrs, nodeCidrMaskSizes }, 6443);
}

test('a node gets a /24 or a /64 where nobody says otherwise, which needs no flag', () => {
  const both = network(['10.243.0.0/16', 'fd00:1::/56']);

  expect(both).toMatchObject({ nodeCidrMaskSizes: [24, 64], podsPerNode: 253 });
  expect(nodesWithin(both)).toBe(256);
  expect(nodeRangeText(both)).toBe('/24 and /64');
  expect(nodeMaskArguments(both)).toEqual([]);
});

test('flags name the family, in whatever order the ranges are', () => {
  expect(nodeMaskArguments(network(['10.0.0.0/22'], [26]))).toEqual([{ name: 'node-cidr-mask-size-ipv4', value: '26' }]);
  expect(nodeMaskArguments(network(['fd00:1::/104', '10.0.0.0/16'], [112, 24]))).toEqual([{ name: 'node-cidr-mask-size-ipv6', value: '112' }]);
  expect(nodeMaskArguments(network(['10.0.0.0/16', 'fd00:1::/104'], [25, 112]))).toEqual([
    { name: 'node-cidr-mask-size-ipv4', value: '25' }, { name: 'node-cidr-mask-size-ipv6', value: '112' },
  ]);
});

test('nodes and pods are as many as the scarcer range allows', () => {
  const both = network(['10.0.0.0/22', 'fd00:1::/104'], [26, 112]);

  expect(nodesWithin(both)).toBe(16);
  expect(both.podsPerNode).toBe(61);
});

test('a pod network that gives addresses out by itself does not limit the pods of a node', () => {
  expect(resolveNetwork({}, 6443, { assignsAddressBlocks: true }).podsPerNode).toBeUndefined();
  expect(resolveNetwork({}, 6443, { assignsAddressBlocks: false }).podsPerNode).toBe(253);
});

test('what nodes get together is the range, and each pod of a node has an address', () => {
  fc.assert(fc.property(fc.integer({ min: 8, max: 30 }), fc.integer({ min: 0, max: 16 }), (prefix, bits) => {
    const length = Math.min(prefix + bits, 30);
    const range = network([`0.0.0.0/${prefix}`], [length]);

    expect(checkNodeMasks(range)).toEqual([]);
    expect(nodesWithin(range) * 2 ** (32 - length)).toBe(2 ** (32 - prefix));
    expect(range.podsPerNode).toBeGreaterThanOrEqual(1);
    expect(range.podsPerNode! + 3).toBe(2 ** (32 - length));
  }));
});

test.each<[string[], number[], string, string]>([
  [['10.0.0.0/16'], [24, 64], 'TC-NETWORK-NODE-MASK', 'nodeCidrMaskSizes: the number of prefix lengths is 2, and that of pod ranges 1'],
  [['10.0.0.0/16'], [], 'TC-NETWORK-NODE-MASK', 'nodeCidrMaskSizes: the number of prefix lengths is 0'],
  [['10.0.0.0/16'], [24.5], 'TC-NETWORK-NODE-MASK', 'nodeCidrMaskSizes[0]: 24.5 is not'],
  [['10.0.0.0/16'], [31], 'TC-NETWORK-NODE-MASK', 'from 1 to 30'],
  [['10.0.0.0/16'], [NaN], 'TC-NETWORK-NODE-MASK', 'NaN'],
  [['fd00:1::/112'], [127], 'TC-NETWORK-NODE-MASK', 'from 1 to 126'],
  [['10.0.0.0/25'], [24], 'TC-NETWORK-POD-SIZE', 'podCidrs[0]: "10.0.0.0/25" does not fit'],
  [['10.0.0.0/8'], [26], 'TC-NETWORK-POD-SIZE', 'ranges from /10 to /26'],
])('%j with %j is refused', (podCidrs, sizes, id, text) => {
  const found = checkNodeMasks(network(podCidrs, sizes));

  expect(found.map(({ rule }) => rule.id)).toEqual([id]);
  expect(`${found[0].property}: ${found[0].message}`).toContain(text);
});
