import { CLUSTER, controlPlane, Fields } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';

function secret(name: string, content: string, sops?: Fields): Fields {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } }, data: { value: content }, ...(sops && { sops }) };
}

const FILE = { kubeadmConfigSpec: { files: [{ path: '/etc/policy', contentFrom: { secret: { name: 'policy', key: 'value' } } }] } };

test.each<[what: string, before: Fields, after: Fields, effects: readonly unknown[]]>([
  ['a file of machines', secret('policy', 'a'), secret('policy', 'b'), ['new ones only (file of KubeadmControlPlane acme; data.value)']],
  ['a certificate authority', secret('acme-ca', 'a'), secret('acme-ca', 'b'), [
    expect.stringMatching(/^fails later .*TC-CHANGE-KUBEADM-AUTHORITY/),
    'new ones only (certificate authority of new machines alone, which do not fit the existing ones; data.value)',
  ]],
  ['other keys of SOPS', secret('clouds', 'a', { mac: 'a' }), secret('clouds', 'a', { mac: 'b' }), ['in place (encrypted for other keys: nothing changes in the cluster)']],
  ['another value under SOPS', secret('clouds', 'a', { mac: 'a' }), secret('clouds', 'b', { mac: 'b' }), ['in place (data.value)']],
])('a Secret: %s', (_, before, after, effects) => {
  const around = [CLUSTER, controlPlane(FILE)];
  expect(Object.values(effectsIn(planned([...around, before], [...around, after]).clusters[0]))).toEqual([effects]);
});
