import { misspelledName, nearestName } from '../../../src/manifests/values/nearest-name';

test.each([
  ['node-label', ['node-ip', 'node-labels', 'node-name'], 'node-labels'],
  ['nodelabels', ['node-labels'], 'node-labels'],
  ['NODE-LABELS', ['node-labels'], 'node-labels'],
  ['ndoe-ip', ['node-id', 'node-ip'], 'node-ip'],
  ['ab', ['ba', 'abc'], 'ba'],
  ['abx', ['abc'], 'abc'],
  ['abxy', ['abcd'], undefined],
  ['something-else', ['node-labels'], undefined],
  ['v', ['vmodule'], undefined],
  ['', ['a'], 'a'],
  ['x', [], undefined],
])('%p among %p is %p', (text, names, expected) => {
  expect(nearestName(text, names)).toBe(expected);
});

test.each([
  ['flavour', ['flavor'], 'flavor'],
  ['subnet', ['subnets'], 'subnets'],
  ['AL2_X86_64', ['AL2_x86_64'], 'AL2_x86_64'],
  ['flavorID', ['flavor'], undefined],
  ['AL2023_x86_64', ['AL2_x86_64'], undefined],
  ['3.5', ['3.4'], undefined],
  ['workerRules', ['nodeRules'], undefined],
])('%p among %p is a slip of %p', (text, names, expected) => {
  expect(misspelledName(text, names)).toBe(expected);
});
