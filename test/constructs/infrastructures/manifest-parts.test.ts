import { Testing } from 'cdk8s';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ManifestBootstrap } from '../../../src/constructs/control-planes/manifest-bootstrap';
import { ManifestControlPlane } from '../../../src/constructs/control-planes/manifest-control-plane';
import { ManifestInfrastructure } from '../../../src/constructs/infrastructures/manifest-infrastructure';
import { ManifestMachine } from '../../../src/constructs/infrastructures/manifest-machine';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { byKind } from '../../support/clusters';

const GROUP = 'infrastructure.example.com';
const machine = new ManifestMachine({
  apiVersion: `${GROUP}/v1`, kind: 'ExampleMachineTemplate', infrastructureKind: 'ExampleCluster', spec: { template: { spec: { size: 'large' } } },
});

/** A cluster of a provider that the library has no class for. */
function exampleObjects(): ReturnType<typeof byKind> {
  const cluster = new TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new ManifestControlPlane({
      apiVersion: 'controlplane.example.com/v1',
      kind: 'ExampleControlPlane',
      replicas: 3,
      machine,
      spec: { machineTemplate: { infrastructureRef: { apiVersion: `${GROUP}/v1`, kind: 'ExampleMachineTemplate', name: 'any' } } },
    }),
    infrastructure: new ManifestInfrastructure({ apiVersion: `${GROUP}/v1`, kind: 'ExampleCluster', spec: { region: 'north' } }),
    cni: Cni.none(),
  });
  cluster.addNodePool('general', {
    machine,
    size: PoolSize.fixed(2),
    bootstrap: new ManifestBootstrap({ apiVersion: 'bootstrap.example.com/v1', kind: 'ExampleConfigTemplate', spec: { template: { spec: { join: true } } } }),
  });
  return byKind(cluster);
}

test('objects of any kind have the content of the page, and the version and size of its properties', () => {
  const { ExampleCluster, ExampleControlPlane, ExampleConfigTemplate } = exampleObjects();

  expect(ExampleCluster.spec).toEqual({ region: 'north' });
  expect(ExampleControlPlane.spec).toMatchObject({ version: 'v1.35.4', replicas: 3 });
  expect(ExampleConfigTemplate.spec).toEqual({ template: { spec: { join: true } } });
});

test('templates are named after their content, and references follow', () => {
  const { ExampleControlPlane, MachineDeployment } = exampleObjects();

  expect(ExampleControlPlane.spec.machineTemplate.infrastructureRef.name).toMatch(/^acme-control-plane-[0-9a-f]{8}$/);
  expect(MachineDeployment.spec.template.spec.infrastructureRef.name).toMatch(/^acme-general-[0-9a-f]{8}$/);
});

test.each([
  ['AWSCluster', undefined],
  ['KubevirtCluster', 'kamaji'],
])('a %s of a control plane that Kamaji hosts is managed by %s', (kind, manager) => {
  const cluster = new TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new ManifestInfrastructure({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1', kind }),
    cni: Cni.none(),
  });

  // A provider ignores an object that is managed by another one, and Kamaji's reports few kinds ready.
  expect(byKind(cluster)[kind].metadata.annotations['cluster.x-k8s.io/managed-by']).toBe(manager);
});
