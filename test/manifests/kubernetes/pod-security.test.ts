import { POD_SECURITY } from '../../../src/manifests/kubernetes/pod-security';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';

test('a level that is no string enforces nothing', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec: { hostNetwork: true, containers: [{ name: 'web', image: 'web:1' }] } };
  const found = (level: unknown) => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { 'pod-security.kubernetes.io/enforce': level } } };
    return POD_SECURITY.flatMap((rule) => rule.check(pod, new ManifestIndex([pod, namespace])));
  };
  for (const level of [5, null, [], ['baseline'], { toString: null }, 'strict']) expect(found(level)).toEqual([]);
  expect(found('baseline')).toHaveLength(1);
});
