import { App, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import {
  KubevirtCloudControllerManager,
} from '../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtCsiDriver } from '../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { byKind, exampleCluster, poolProps } from '../../support/clusters';
import { problemsOf } from '../../support/problems';
import { ExampleMachine } from '../../support/strategies';

test('a Cluster points to its control plane and infrastructure and states its networks', () => {
  const { Cluster } = byKind(exampleCluster(Testing.app()));

  expect(Cluster).toEqual({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: {
      name: 'acme',
      namespace: 'tenant-acme',
      labels: { 'cluster.x-k8s.io/cluster-name': 'acme' },
      annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm,Delete=confirm' },
    },
    spec: {
      clusterNetwork: {
        apiServerPort: 6443,
        pods: { cidrBlocks: ['10.243.0.0/16'] },
        services: { cidrBlocks: ['10.95.0.0/16'] },
        serviceDomain: 'cluster.local',
      },
      controlPlaneRef: { apiGroup: 'controlplane.example.com', kind: 'ExampleControlPlane', name: 'acme' },
      infrastructureRef: { apiGroup: 'infrastructure.example.com', kind: 'ExampleCluster', name: 'acme' },
    },
  });
});

test('what the cluster and its pools are can be read back', () => {
  const cluster = exampleCluster(Testing.app());
  const pool = cluster.addNodePool('general', poolProps());

  expect(cluster).toMatchObject({ name: 'acme', namespace: 'tenant-acme', podCidrs: ['10.243.0.0/16'], serviceCidrs: ['10.95.0.0/16'] });
  expect(cluster.kubernetesVersion.toString()).toBe(byKind(cluster).MachineDeployment.spec.template.spec.version);
  expect(pool.name).toBe('general');
});

test('the autoscaler can be reached once a pool is autoscaled', () => {
  const cluster = exampleCluster(Testing.app());
  cluster.addNodePool('fixed', poolProps());
  expect(cluster.autoscaler).toBeUndefined();

  cluster.addNodePool('scaled', poolProps({ size: PoolSize.between(1, 2) }));
  expect(cluster.autoscaler).toMatchObject({ kind: 'Deployment', name: 'acme-cluster-autoscaler' });
});

test.each<[string, TenantClusterProps['infrastructure'], object]>([
  ['of the infrastructure', new KubevirtInfrastructure({
    storageClasses: [{ name: 'fast', infraClass: 'replicated' }], csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/csi-driver:v1.0.0' }),
  }), { cloudControllerManager: { name: 'acme-cloud-controller-manager' }, csiController: { name: 'acme-csi-driver' } }],
  ['none where they are switched off', new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.none() }), {}],
])('controllers can be reached: %s', (_, infrastructure, controllers) => {
  const { cloudControllerManager, csiController } = exampleCluster(Testing.app(), { infrastructure });

  expect({ cloudControllerManager, csiController }).toMatchObject({ cloudControllerManager: undefined, csiController: undefined, ...controllers });
});

test('the namespace is made, belongs to no namespace, and outlives its manifest', () => {
  const { Namespace } = byKind(exampleCluster(Testing.app(), { namespaceLabels: { team: 'a' }, labels: { region: 'north' } }));

  expect(Namespace).toEqual({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'tenant-acme',
      labels: { region: 'north', team: 'a' },
      annotations: {
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'helm.sh/resource-policy': 'keep',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      },
    },
  });
});

test('the namespace can be somebody else\'s', () => {
  expect(byKind(exampleCluster(Testing.app(), { createNamespace: false }))).not.toHaveProperty('Namespace');
});

test('name, networks, labels, annotations and pause are the user\'s', () => {
  const { Cluster } = byKind(exampleCluster(Testing.app(), {
    name: 'other',
    podCidrs: ['10.32.0.0/14'],
    serviceCidrs: ['10.36.0.0/20'],
    serviceDomain: 'acme.internal',
    labels: { region: 'north' },
    annotations: { owner: 'team-a' },
    paused: true,
  }));

  expect(Cluster.metadata).toMatchObject({
    name: 'other', labels: { 'cluster.x-k8s.io/cluster-name': 'other', 'region': 'north' }, annotations: { owner: 'team-a' },
  });
  expect(Cluster.spec).toMatchObject({
    clusterNetwork: { pods: { cidrBlocks: ['10.32.0.0/14'] }, services: { cidrBlocks: ['10.36.0.0/20'] }, serviceDomain: 'acme.internal' },
    paused: true,
  });
});

test('the DNS Service has the tenth address of the range of Services', () => {
  expect(exampleCluster(Testing.app(), { serviceCidrs: ['10.36.0.0/20'] })._context.network.dnsServiceIps).toEqual(['10.36.0.10']);
  expect(exampleCluster(Testing.app(), { podCidrs: ['fd00:1::/56'], serviceCidrs: ['fd00:2::/112'] })._context.network.dnsServiceIps).toEqual(['fd00:2::a']);
});

test('what it is made of can be reached and patched', () => {
  const cluster = exampleCluster(Testing.app());
  const pool = cluster.addNodePool('general', poolProps());
  cluster.cluster.addJsonPatch(JsonPatch.add('/spec/availabilityGates', [{ conditionType: 'Example' }]));
  cluster.controlPlane.addJsonPatch(JsonPatch.add('/spec/unknown', 1));

  expect(cluster.nodePools).toEqual([pool]);
  expect(cluster.kubeconfig).toEqual({ internal: { name: 'in', key: 'value' }, external: { name: 'out', key: 'value' } });
  expect(byKind(cluster).Cluster.spec.availabilityGates).toEqual([{ conditionType: 'Example' }]);
  expect(byKind(cluster).ExampleControlPlane.spec.unknown).toBe(1);
  expect(cluster.infrastructure.kind).toBe('ExampleCluster');
});

test('a cluster nests in a chart', () => {
  const app = Testing.app();
  const parent = new Chart(app, 'north');
  const cluster = exampleCluster(parent as unknown as App);

  expect(cluster.node.path).toBe('north/acme');
  expect(app.synthYaml()).toContain('kind: Cluster');
});

test('synthesizing twice gives the same bytes, and so does another order of labels', () => {
  const app = Testing.app();
  exampleCluster(app, { labels: { a: '1', b: '2' } }).addNodePool('general', poolProps({ labels: { 'example.com/a': '1', 'example.com/b': '2' } }));
  const other = Testing.app();
  exampleCluster(other, { labels: { b: '2', a: '1' } }).addNodePool('general', poolProps({ labels: { 'example.com/b': '2', 'example.com/a': '1' } }));
  const first = app.synthYaml();

  expect(app.synthYaml()).toBe(first);
  expect(other.synthYaml()).toBe(first);
});

test('one strategy serves several clusters and pools', () => {
  const app = Testing.app();
  const machine = new ExampleMachine({ cpu: 2, memory: Size.gibibytes(4) });
  const one = exampleCluster(app, { namespace: 'one' }, 'one').addNodePool('a', { machine, size: PoolSize.fixed(1) });
  const two = exampleCluster(app, { namespace: 'two' }, 'two').addNodePool('a', { machine, size: PoolSize.fixed(1) });

  expect(problemsOf(app)).toEqual([]);
  expect(one.machineTemplate.toJson().spec).toEqual(two.machineTemplate.toJson().spec);
});
