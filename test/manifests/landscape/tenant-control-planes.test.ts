import { cluster, landscapeOf, object, OF_ACME } from './landscape';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';

const PROVIDER = 'controlplane.cluster.x-k8s.io/v1alpha2';

function tenant(name: string, spec: object = {}, metadata: object = {}): ManifestObject {
  return object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', name, {
    controlPlane: { service: { serviceType: 'LoadBalancer' } }, kubernetes: { version: 'v1.35.4', kubelet: {} }, networkProfile: {}, ...spec,
  }, metadata);
}

function release(name: string, secret: string): ManifestObject {
  return object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', name, { kubeConfig: { secretRef: { name: secret, key: 'super-admin.svc' } }, chart: { spec: { chart: name } } });
}

test('a TenantControlPlane is a cluster, with what is delivered by its kubeconfig', async () => {
  const { clusters } = await landscapeOf([
    tenant('acme', {
      dataStore: 'tenants',
      addons: { coreDNS: {}, konnectivity: {} },
      controlPlane: { deployment: { replicas: 3 }, service: { serviceType: 'NodePort' } },
      networkProfile: { address: '192.0.2.10', port: 30443, podCidr: '10.1.0.0/16', serviceCidr: '10.2.0.0/16', serviceCidrs: ['10.3.0.0/16'] },
    }),
    tenant('other'),
    release('cilium', 'acme-admin-kubeconfig'),
  ]);
  expect(clusters.map(({ id }) => id)).toEqual(['team/acme', 'team/other']);
  expect(clusters[0]).toMatchObject({
    state: 'declared',
    version: 'v1.35.4',
    endpoint: '192.0.2.10:30443',
    podCidrs: ['10.1.0.0/16'],
    serviceCidrs: ['10.3.0.0/16'],
    controlPlane: { kind: 'TenantControlPlane', name: 'acme', replicas: 3, dataStore: 'tenants', exposure: 'NodePort', addons: ['CoreDNS', 'konnectivity'], paused: false },
    pools: [],
    addons: [{ name: 'cilium' }],
  });
  expect(clusters[1]).toMatchObject({ endpoint: undefined, podCidrs: [], controlPlane: { replicas: undefined, dataStore: undefined }, addons: [] });
});

test('what a host name leads to is the address, and Kamaji\'s annotation pauses', async () => {
  const controlPlane = { service: { serviceType: 'ClusterIP' }, ingress: { hostname: 'acme.example.com:443' } };
  const { clusters: [acme] } = await landscapeOf([tenant('acme', { controlPlane }, { annotations: { 'kamaji.clastix.io/paused': '' } })]);
  expect(acme).toMatchObject({ endpoint: 'acme.example.com:443', controlPlane: { exposure: 'Ingress', paused: true, pausedBy: 'kamaji.clastix.io/paused' } });
});

test('one that goes is being deleted', async () => {
  const { clusters: [acme] } = await landscapeOf([tenant('acme', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })]);
  expect(acme.state).toBe('deleting');
});

const OWNED = { ownerReferences: [{ apiVersion: PROVIDER, kind: 'KamajiControlPlane', name: 'acme-x', uid: 'a', controller: true }] };
const REFERENCE = { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: 'acme-x' } };

test.each([
  ['has the label of its Cluster', tenant('acme-x', {}, { ...OWNED, ...OF_ACME })],
  ['has no label', tenant('acme-x', {}, OWNED)],
  ['has the name of its Cluster', tenant('acme', {}, OWNED)],
])('one that a KamajiControlPlane owns and %s is not a second cluster', async (_, owned) => {
  const objects = [owned, cluster('acme', REFERENCE), object(PROVIDER, 'KamajiControlPlane', 'acme-x', { version: 'v1.35.3', replicas: 2 })];
  for (const order of [objects, [...objects].reverse()]) {
    const { clusters } = await landscapeOf(order);
    expect(clusters).toMatchObject([{ id: 'team/acme', version: 'v1.35.3', controlPlane: { kind: 'KamajiControlPlane' } }]);
  }
});

test('a Cluster of the name of a TenantControlPlane that nothing owns counts more', async () => {
  const objects = [tenant('acme'), cluster('acme', REFERENCE)];
  for (const order of [objects, [...objects].reverse()]) expect((await landscapeOf(order)).clusters).toMatchObject([{ controlPlane: { kind: 'KamajiControlPlane' } }]);
});
