import { cluster, landscapeOf, object, OF_ACME, OLD_CORE, pool } from './landscape';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io';

test('a cluster of v1beta2, with a control plane of Kamaji', async () => {
  const { clusters } = await landscapeOf([
    cluster('acme', {
      clusterNetwork: { pods: { cidrBlocks: ['10.1.0.0/16', 'fd00::/56'] }, services: { cidrBlocks: ['10.2.0.0/16'] } },
      controlPlaneRef: { apiGroup: CONTROL_PLANE, kind: 'KamajiControlPlane', name: 'acme' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', name: 'acme' },
    }),
    object(`${CONTROL_PLANE}/v1alpha2`, 'KamajiControlPlane', 'acme', {
      version: 'v1.35.4', replicas: 2, dataStoreName: 'default', network: { gateway: { hostname: 'acme.example.com:6443' } },
    }),
  ]);
  expect(clusters).toHaveLength(1);
  expect(clusters[0]).toMatchObject({
    id: 'team/acme',
    state: 'declared',
    version: 'v1.35.4',
    podCidrs: ['10.1.0.0/16', 'fd00::/56'],
    serviceCidrs: ['10.2.0.0/16'],
    endpoint: 'acme.example.com:6443',
    controlPlane: { kind: 'KamajiControlPlane', replicas: 2, dataStore: 'default', machine: undefined },
    infrastructure: { kind: 'KubevirtCluster', name: 'acme' },
  });
});

test('pools in "default" are of a Cluster without a namespace, and the other way round', async () => {
  const [none, stated] = [{ namespace: undefined }, { namespace: 'default' }];
  const names = async (...objects: ManifestObject[]) => (await landscapeOf(objects)).clusters.map(({ id, pools }) => `${id} ${pools.map(({ name }) => name).join()}`);
  expect(await names(cluster('acme', {}, none), pool('general', {}, stated))).toEqual(['acme general']);
  expect(await names(cluster('acme', {}, stated), pool('general', {}, none))).toEqual(['default/acme general']);
});

test('a cluster of v1beta1, whose references name a version', async () => {
  const { clusters: [acme] } = await landscapeOf([
    object(OLD_CORE, 'Cluster', 'acme', {
      controlPlaneEndpoint: { host: 'fd00::1', port: 6443 },
      controlPlaneRef: { apiVersion: `${CONTROL_PLANE}/v1beta1`, kind: 'KubeadmControlPlane', name: 'acme-control-plane' },
    }),
    object(`${CONTROL_PLANE}/v1beta1`, 'KubeadmControlPlane', 'acme-control-plane', {
      version: 'v1.34.1', replicas: 3, machineTemplate: { infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'VultrMachineTemplate', name: 'm' } },
    }),
    object('infrastructure.cluster.x-k8s.io/v1beta1', 'VultrMachineTemplate', 'm', { template: { spec: { planID: 'vc2-2c-4gb' } } }),
  ]);
  expect(acme).toMatchObject({
    version: 'v1.34.1', endpoint: '[fd00::1]:6443', controlPlane: { replicas: 3, machine: { kind: 'VultrMachine', instanceType: 'vc2-2c-4gb' } },
  });
});

test('what is not there is not known', async () => {
  const { clusters: [acme] } = await landscapeOf([cluster('acme', {
    controlPlaneEndpoint: { host: '', port: 0 }, controlPlaneRef: { apiGroup: CONTROL_PLANE, kind: 'RareControlPlane', name: 'x' },
  })]);
  expect(acme).toMatchObject({
    version: undefined, endpoint: undefined, infrastructure: undefined, podCidrs: [], controlPlane: { kind: 'RareControlPlane', replicas: undefined },
  });
});

test.each([
  ['declared', cluster('acme')],
  ['paused', cluster('acme', { paused: true })],
  ['object paused', cluster('acme', {}, { annotations: { 'cluster.x-k8s.io/paused': '' } })],
  ['deleting', cluster('acme', { paused: true }, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  ['incomplete', pool('acme-general')],
  ['incomplete', object(`${CONTROL_PLANE}/v1alpha2`, 'KamajiControlPlane', 'acme', {}, OF_ACME)],
  ['decommission', object('apps/v1', 'Deployment', 'acme-cloud-controller-manager', {}, OF_ACME)],
  ['decommission', object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'acme-cilium', { kubeConfig: { secretRef: { name: 'acme-kubeconfig' } } }, OF_ACME)],
])('is %s', async (state, only) => {
  expect((await landscapeOf([only])).clusters.map((found) => [found.id, found.state])).toEqual([['team/acme', state]]);
});

test('clusters are sorted, one of each name and namespace, whatever their order', async () => {
  const objects = [cluster('b'), cluster('a', {}, { namespace: 'z' }), cluster('a'), cluster('a', { paused: true })];
  const { clusters } = await landscapeOf(objects);
  expect(clusters.map(({ id, state }) => [id, state])).toEqual([['team/a', 'declared'], ['team/b', 'declared'], ['z/a', 'declared']]);
});

test.each<[string, string, string, string]>([
  ['Deployment', 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.5', 'autoscaler', 'acme'],
  ['Deployment', 'quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0', 'cloud-controller-manager', 'acme'],
  ['StatefulSet', 'registry.k8s.io/sig-storage/csi-provisioner@sha256:1', 'csi-driver', 'acme'],
  ['Deployment', 'registry.example.com:5000/team/csi-like/proxy:v1', 'other', 'acme'],
])('a %s with the image %s is there as %s', async (kind, image, role, name) => {
  const { clusters: [acme] } = await landscapeOf([
    cluster('acme'),
    object('apps/v1', kind, name, { template: { spec: { containers: [{ image: 'docker.io/library/busybox:1' }, { image }] } } }, OF_ACME),
    object('apps/v1', kind, 'of somebody else', {}),
  ]);
  expect(acme.controllers).toMatchObject([{ kind, role, name, image: role === 'other' ? 'docker.io/library/busybox:1' : image }]);
});
