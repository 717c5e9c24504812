import { checkKubeletLabelKey, checkNodeLabelKey, NodeLabelRoute, nodeLabelRoute } from '../../../src/manifests/values/labels';

test.each<[string, NodeLabelRoute]>([
  ['node-role.kubernetes.io/worker', 'synced'],
  ['sub.node-role.kubernetes.io/worker', 'refused'],
  ['node-restriction.kubernetes.io/a', 'synced'],
  ['sub.node-restriction.kubernetes.io/a', 'synced'],
  ['xnode-restriction.kubernetes.io/a', 'refused'],
  ['node.cluster.x-k8s.io/a', 'synced'],
  ['sub.node.cluster.x-k8s.io/a', 'synced'],
  ['cluster.x-k8s.io/a', 'kubelet'],
  ['example.com/a', 'kubelet'],
  ['plain', 'kubelet'],
  ['kubernetes.io', 'kubelet'],
  ['mykubernetes.io/a', 'kubelet'],
  ['kubernetes.io/hostname', 'kubelet'],
  ['kubernetes.io/other', 'refused'],
  ['k8s.io/a', 'refused'],
  ['sub.k8s.io/a', 'refused'],
  ['beta.kubernetes.io/os', 'kubelet'],
  ['beta.kubernetes.io/other', 'refused'],
  ['topology.kubernetes.io/zone', 'kubelet'],
  ['topology.kubernetes.io/other', 'refused'],
  ['failure-domain.beta.kubernetes.io/region', 'kubelet'],
  ['failure-domain.kubernetes.io/region', 'refused'],
  ['kubelet.kubernetes.io/a', 'kubelet'],
  ['sub.kubelet.kubernetes.io/a', 'kubelet'],
  ['node.kubernetes.io/a', 'kubelet'],
  ['sub.node.kubernetes.io/a', 'kubelet'],
])('%s is %s', (key, route) => {
  expect(nodeLabelRoute(key)).toBe(route);
  expect(checkNodeLabelKey(key) === undefined).toBe(route !== 'refused');
});

test('the message lists what is accepted', () => {
  expect(checkNodeLabelKey('kubernetes.io/other')).toContain('the kubelet does not start with the label "kubernetes.io/other"');
  expect(checkNodeLabelKey('kubernetes.io/other')).toContain('topology.kubernetes.io/zone');
});

test.each([
  ['node-role.kubernetes.io/worker', false],
  ['sub.node-restriction.kubernetes.io/a', false],
  ['node.cluster.x-k8s.io/a', true],
  ['example.com/a', true],
  ['kubernetes.io/other', false],
])('the kubelet itself may set %s: %p', (key, may) => {
  expect(checkKubeletLabelKey(key) === undefined).toBe(may);
});
