import { fieldText } from '../../../src/manifests/values/fields';
import { checkKubeletConfiguration } from '../../../src/manifests/values/kubelet-configuration';

const find = (minor: string, configuration: Record<string, unknown>): string[] =>
  checkKubeletConfiguration(minor, configuration).map(({ path, message, fix }) => `${fieldText(path)}: ${message} | ${fix}`);

describe('KubeletConfiguration', () => {
  test('a sound configuration', () => {
    expect(find('1.35', {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      maxPods: 200,
      evictionHard: { 'memory.available': '100Mi' },
      systemReserved: { cpu: '100m' },
      registerWithTaints: [{ key: 'a', effect: 'NoSchedule' }],
      shutdownGracePeriod: '60s',
      clusterDNS: ['10.96.0.10'],
      reservedMemory: [{ numaNode: 0, limits: { memory: '1Gi' } }],
      featureGates: { NodeSwap: true },
      memorySwap: { swapBehavior: 'LimitedSwap' },
      logging: undefined,
    })).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['1.35', { maxPod: 200 }, ['maxPod: the kubelet 1.35 has no field maxPod here and skips it | did you mean maxPods?']],
    ['1.35', { tlsCurvePreferences: [29] }, ['tlsCurvePreferences: the kubelet 1.35 has no field tlsCurvePreferences here (exists from 1.36) and skips it | remove tlsCurvePreferences']],
    ['1.35', { memoryReservationPolicy: 'None' },
      ['memoryReservationPolicy: the kubelet 1.35 has no field memoryReservationPolicy here (exists from 1.36) and skips it | remove memoryReservationPolicy']],
    ['1.35', { registerWithTaints: [{ key: 'a', effects: 'b' }] },
      ['registerWithTaints[0].effects: the kubelet 1.35 has no field effects here and skips it | did you mean effect?']],
    ['1.35', { maxPods: '200' }, ['maxPods: "200" is of the wrong type | give a whole number']],
    ['1.35', { shutdownGracePeriod: 60 }, ['shutdownGracePeriod: 60 is of the wrong type | give a duration such as "30s" or "5m0s"']],
    ['1.35', { clusterDNS: '10.96.0.10' }, ['clusterDNS: "10.96.0.10" is of the wrong type | give a list']],
    ['1.35', { evictionHard: ['x'] }, ['evictionHard: ["x"] is of the wrong type | give an object']],
    ['1.35', { systemReserved: { cpu: 1 } }, ['systemReserved.cpu: 1 is of the wrong type | give text in quotes']],
    ['1.35', { seccompDefault: 'true' }, ['seccompDefault: "true" is of the wrong type | give true or false']],
    ['1.36', { featureGates: { MemoryManager: true } },
      ['featureGates.MemoryManager: Kubernetes 1.36 has no feature gate MemoryManager (removed in 1.36) and does not start with it | remove MemoryManager']],
    ['1.99', { inventedLater: 1, maxPods: 'x' }, ['maxPods: "x" is of the wrong type | give a whole number']],
  ])('%s %j', (minor, configuration, expected) => {
    expect(find(minor, configuration)).toEqual(expected);
  });

  test('new fields are accepted where they exist', () => {
    expect(find('1.36', { tlsCurvePreferences: [29], memoryReservationPolicy: 'None' })).toEqual([]);
  });
});
