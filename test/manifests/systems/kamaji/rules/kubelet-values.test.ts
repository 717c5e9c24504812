import { KUBELET_VALUES } from '../../../../../src/manifests/systems/kamaji/rules/kubelet-values';
import { findings } from '../../../rules/rules-under-test';

const [{ example: { corrected } }] = KUBELET_VALUES;

test.each<[string, string[]]>([
  ['path: /maxPods, value: 60', []],
  ['path: /maxPodz, value: 60', ['3.value: the kubelet 1.35 has no field maxPodz here and skips it']],
  ['path: /maxPods, value: many', ['3.value: "many" is of the wrong type']],
  ['path: /evictionHard, value: {memory.availble: 5%}', ['3.value: "memory.availble" is not a signal of the kubelet, which does not start with it']],
  ['path: /evictionHard/memory.available, value: 105%', ['3.value: the kubelet does not start with "105%": a percentage is between 0% and 100%']],
  ['path: /featureGates, value: {NoSuchGate: true}', ['3.value: Kubernetes 1.35 has no feature gate "NoSuchGate" and does not start with it']],
  ['path: /shutdownGracePeriodCriticalPods, value: 10s', ['3.value: it is 10 s, and shutdownGracePeriod, which it is a part of, 0 s: the kubelet does not start']],
])('a patch with %s', (patch, expected) => {
  const text = corrected.replace(/(\n +)(- \{op: add, path: \/imageGC[^\n]*)/, `$1$2$1- {op: add, path: /clusterDomain, value: a.example}$1- {op: add, ${patch}}`);

  expect(findings(KUBELET_VALUES, text)).toEqual(expected.map((line) => `TC-TRAP-KAMAJI-KUBELET-VALUE spec.kubelet.configurationJSONPatches.${line}`));
});
