import { KUBELETS } from '../../../../../src/manifests/systems/kubevirt/rules/kubelets';
import { findings, testRules } from '../../../rules/rules-under-test';

testRules(KUBELETS);

const [{ example: { corrected: RESERVED } }, { example: { corrected: SHUTDOWN } }] = KUBELETS;

// The machine has 4 CPUs and 16Gi.
test.each<[string, number]>([
  ['{memory: 8Gi}', 0],
  ['{memory: 16Gi}', 1],
  ['{memory: 15.95Gi}', 1],
  ['{cpu: "4"}', 1],
  ['{cpu: 3900m}', 0],
  ['{memory: lots}', 0],
])('systemReserved: %s', (value, count) => {
  expect(findings(KUBELETS, RESERVED.replace('{memory: 1Gi}', value))).toHaveLength(count);
});

test('two reservations, and a threshold in percent', () => {
  const both = RESERVED.replace('{memory: 1Gi}', '{memory: 8Gi}\n            kubeReserved: {memory: 7Gi}');

  expect(findings(KUBELETS, both)).toEqual([]);
  expect(findings(KUBELETS, `${both}            evictionHard: {memory.available: 7%}\n`)).toEqual([expect.stringContaining(
    '.systemReserved.memory: 8Gi of systemReserved and 7Gi of kubeReserved, and the hard threshold of memory.available, leave nothing of the 16384Mi of the machine for pods',
  )]);
});

test('an argument of the kubelet', () => {
  const argument = RESERVED.replace('      joinConfiguration:\n', '      joinConfiguration:\n        nodeRegistration: {kubeletExtraArgs: [{name: system-reserved, value: memory=64Gi}]}\n');

  expect(findings(KUBELETS, argument)).toEqual([expect.stringContaining('kubeletExtraArgs.0: 64Gi of systemReserved')]);
});

test('a shutdown that is as long as the machine has', () => {
  expect(findings(KUBELETS, SHUTDOWN.replace('10m', '11m'))).toEqual([]);
  expect(findings(KUBELETS, SHUTDOWN.replace('10m', '12m'))).toEqual([expect.stringContaining('.shutdownGracePeriod: pods have 720 s to end')]);
  expect(findings(KUBELETS, SHUTDOWN.replace('10m', '20s').replace('              terminationGracePeriodSeconds: 660\n', ''))).toEqual([]);
});
