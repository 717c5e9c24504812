import { checkTaints, formatTaint, Taint, TaintEffect } from '../../../src/manifests/values/taints';

const EFFECT = TaintEffect.NO_SCHEDULE;
const messages = (...taints: Taint[]): string[] => checkTaints(taints).map(({ path, message }) => `${path.join()} ${message}`);

describe('taints', () => {
  test('sound ones', () => {
    expect(messages(
      { key: 'nvidia.com/gpu', effect: TaintEffect.NO_SCHEDULE },
      { key: 'nvidia.com/gpu', value: 'x', effect: TaintEffect.NO_EXECUTE },
      { key: 'dedicated', value: '', effect: TaintEffect.PREFER_NO_SCHEDULE },
      { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: EFFECT },
      { key: 'node.cluster.x-k8s.io/mine', effect: EFFECT },
    )).toEqual([]);
  });

  test.each<[Taint, string]>([
    [{ key: '', effect: EFFECT }, 'is not a qualified name'],
    [{ key: 'a', value: 'b c', effect: EFFECT }, '"b c" is not a label value'],
    [{ key: 'a', effect: 'Never' as TaintEffect }, '"Never" is not an effect; accepted are NoSchedule, PreferNoSchedule, NoExecute'],
    [{ key: 'node.kubernetes.io/not-ready', effect: EFFECT }, 'belongs to the node controllers of Kubernetes; accepted is a key of your own'],
    [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: EFFECT }, 'belongs to the cloud controller manager'],
    [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: EFFECT }, 'belongs to Cluster API'],
    [{ key: 'node.cluster.x-k8s.io/outdated-revision', effect: EFFECT }, 'belongs to Cluster API'],
    [{ key: 'node-role.kubernetes.io/master', effect: EFFECT }, 'belongs to Kubernetes before 1.25'],
    [{ key: 'node-role.kubernetes.io/control-plane', effect: EFFECT }, 'belongs to control plane nodes'],
  ])('%j', (taint, message) => {
    expect(messages(taint)).toHaveLength(1);
    expect(messages(taint)[0]).toContain(message);
  });

  test('a control plane node may say what it is', () => {
    expect(checkTaints([{ key: 'node-role.kubernetes.io/control-plane', effect: EFFECT }], { workers: false })).toEqual([]);
  });

  test('key and effect together are unique', () => {
    expect(messages({ key: 'a', value: '1', effect: EFFECT }, { key: 'b', effect: EFFECT }, { key: 'a', value: '2', effect: EFFECT })).toEqual([
      '2 "a:NoSchedule" is there twice, first at position 0; accepted is one taint for each key and effect',
    ]);
  });

  test('text form', () => {
    expect(formatTaint({ key: 'a', value: 'b', effect: EFFECT })).toBe('a=b:NoSchedule');
    expect(formatTaint({ key: 'a', effect: TaintEffect.NO_EXECUTE })).toBe('a:NoExecute');
  });
});
