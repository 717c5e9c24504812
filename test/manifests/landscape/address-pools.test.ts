import { tableFormat, jsonFormat } from '../../../src/cli/inventory/inventory-command';
import { inventory } from '../../../src/manifests/landscape/read-landscape';

const GROUP = 'infrastructure.cluster.x-k8s.io';

function object(apiVersion: string, kind: string, name: string, spec: object, namespace: string | undefined = 'tenant-acme') {
  return { apiVersion, kind, metadata: { name, namespace }, spec };
}

const POOL = object('ipam.cluster.x-k8s.io/v1alpha2', 'InClusterIPPool', 'nodes', { addresses: ['192.0.2.10-192.0.2.40'], prefix: 24, gateway: '192.0.2.10' });
const OBJECTS = [
  object('cluster.x-k8s.io/v1beta2', 'Cluster', 'acme', { infrastructureRef: { apiGroup: GROUP, kind: 'VSphereCluster', name: 'acme' } }),
  POOL,
  object('ipam.metal3.io/v1alpha1', 'IPPool', 'unused', { namePrefix: 'a', pools: [{ start: 'none' }] }),
  object('metallb.io/v1beta1', 'IPAddressPool', 'services', { addresses: ['198.51.100.0/24'] }),
  object(`${GROUP}/v1beta1`, 'VSphereMachineTemplate', 'acme-general', {
    template: { spec: { network: { devices: [{ networkName: 'a', addressesFromPools: [{ apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'nodes' }] }] } } },
  }),
  object('cluster.x-k8s.io/v1beta2', 'MachineDeployment', 'acme-general', {
    clusterName: 'acme', replicas: 3, template: { spec: { clusterName: 'acme', infrastructureRef: { apiGroup: GROUP, kind: 'VSphereMachineTemplate', name: 'acme-general' } } },
  }),
];

test('pools of addresses are listed with what machines take of them at most', () => {
  const { addressPools } = JSON.parse(jsonFormat(inventory(OBJECTS)));

  expect(addressPools).toEqual([
    { kind: 'InClusterIPPool', namespace: 'tenant-acme', name: 'nodes', addresses: 30, minimum: 3, maximum: 4, machines: ['acme-general'] },
    { kind: 'IPPool', namespace: 'tenant-acme', name: 'unused', addresses: null, minimum: 0, maximum: 0, machines: [] },
  ]);
  expect(tableFormat(inventory(OBJECTS))).toMatch(/ADDRESS POOL +NAMESPACE +TYPE +ADDRESSES +TAKEN AT MOST +MACHINES\n *nodes +tenant-acme +InClusterIPPool +30 +4 +acme-general\n/);
});

test('without pools of addresses there is no table of them', () => {
  expect(tableFormat(inventory(OBJECTS.filter(({ kind }) => !kind.endsWith('Pool'))))).not.toContain('ADDRESS POOL');
});
