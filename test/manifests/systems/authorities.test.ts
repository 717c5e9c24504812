import { effectsIn, planned } from '../plan/tenant-pages';
import { changesBetween } from '../rules/changes/changes';

type Fields = { readonly [field: string]: unknown };

function secret(name: string, content: string, fields: Fields = {}): Fields {
  return {
    apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'acme' }, ...fields }, data: { 'tls.crt': content },
  };
}

const GROUP = 'controlplane.cluster.x-k8s.io';

/** A Cluster with a control plane of a kind. */
function around(kind: string): Fields[] {
  return [
    { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace: 'default' }, spec: { controlPlaneRef: { apiGroup: GROUP, kind, name: 'acme' } } },
    { apiVersion: `${GROUP}/${kind === 'KamajiControlPlane' ? 'v1alpha2' : 'v1beta2'}`, kind, metadata: { name: 'acme', namespace: 'default' }, spec: { replicas: 3, version: 'v1.34.1' } },
  ];
}

/** A Cluster whose control plane is that of its class. */
const OF_CLASS: Fields[] = [
  { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace: 'default' }, spec: { topology: { classRef: { name: 'small' }, version: 'v1.34.1' } } },
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'ClusterClass',
    metadata: { name: 'small', namespace: 'default' },
    spec: { controlPlane: { templateRef: { apiVersion: `${GROUP}/v1beta2`, kind: 'KubeadmControlPlaneTemplate', name: 'small' } } },
  },
];

function effects(objects: readonly Fields[], before: Fields, after: Fields): string[] {
  return Object.values(effectsIn(planned([...objects, before], [...objects, after]).clusters[0])).flat() as string[];
}

const REFUSED = expect.stringMatching(/^fails later .*TC-CHANGE-\w+-AUTHORITY/);
const SERVERS = 'no machine takes it, and the kubeconfig of Cluster API does not fit the machines once it is renewed; data["tls.crt"]';
const ETCD = 'certificate authority of etcd: no machine takes it, and the provider cannot reach etcd with it; data["tls.crt"]';

test.each<[string, readonly Fields[], string, readonly unknown[]]>([
  ['of kubeadm', around('KubeadmControlPlane'), 'acme-ca', [REFUSED, 'new ones only (certificate authority of new machines alone, which do not fit the existing ones; data["tls.crt"])']],
  ['of kubeadm in a class', OF_CLASS, 'acme-ca', [REFUSED, 'new ones only (certificate authority of new machines alone, which do not fit the existing ones; data["tls.crt"])']],
  ['of tokens of kubeadm', around('KubeadmControlPlane'), 'acme-sa', [REFUSED, 'new ones only (key of service accounts of new machines alone, which do not fit the existing ones; data["tls.crt"])']],
  ['of Kamaji', around('KamajiControlPlane'), 'acme-ca', [REFUSED,
    'pods replaced (certificate authority, which Kamaji exchanges at once: until a machine is replaced, its kubelet cannot talk to the API server; data["tls.crt"])']],
  ['of servers of RKE2', around('RKE2ControlPlane'), 'acme-ca', [REFUSED, `in place (certificate authority of servers: ${SERVERS})`]],
  ['of clients of RKE2', around('RKE2ControlPlane'), 'acme-cca', [REFUSED, `in place (certificate authority of clients: ${SERVERS})`]],
  ['of etcd of RKE2', around('RKE2ControlPlane'), 'acme-etcd', [REFUSED, `in place (${ETCD})`]],
  ['of etcd of K3s', around('KThreesControlPlane'), 'acme-etcd', [REFUSED, `in place (${ETCD})`]],
  ['that RKE2 does not have', around('RKE2ControlPlane'), 'acme-proxy', ['in place (data["tls.crt"])']],
  ['of a control plane that is not known', around('OtherControlPlane'), 'acme-ca', ['in place (data["tls.crt"])']],
])('plan says what happens with another content of an authority %s', (_, objects, name, expected) => {
  const found = effects(objects, secret(name, 'a'), secret(name, 'b'));
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining([...expected]));
});

test.each([
  ['KubeadmControlPlane', 'the Cluster "acme" runs with it: its control plane is neither scaled, upgraded nor repaired without it, and no machine joins'],
  ['RKE2ControlPlane', 'the Cluster "acme" runs with it: the provider makes another one, which no machine has'],
  ['KThreesControlPlane', 'the Cluster "acme" runs with it: the provider makes another one, which no machine has'],
  ['KamajiControlPlane', 'the KamajiControlPlane "acme" gets another authority. Kamaji exchanges the authority at once: until a machine is replaced, its kubelet cannot talk to the API server'],
])('the authority of a %s that goes is refused, unless it is kept', (kind, words) => {
  expect(changesBetween([...around(kind), secret('acme-ca', 'a')], around(kind)).map(({ message }) => message)).toEqual([`it is gone, and ${words}`]);
  const kept = secret('acme-ca', 'a', { annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } });
  expect(changesBetween([...around(kind), kept], around(kind))).toEqual([]);
});

test('a Secret of another cluster, or without its cluster, is not refused', () => {
  expect(changesBetween([...around('RKE2ControlPlane'), secret('blue-ca', 'a')], around('RKE2ControlPlane'))).toEqual([]);
  expect(changesBetween([...around('RKE2ControlPlane'), secret('acme-ca', 'a')], [])).not.toContainEqual(expect.objectContaining({ rule: expect.objectContaining({ id: 'TC-CHANGE-RKE2-AUTHORITY' }) }));
});
