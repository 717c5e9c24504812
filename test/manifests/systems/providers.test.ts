import { App, Testing } from 'cdk8s';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { ImportedManagementCluster } from '../../../src/constructs/contracts/capabilities/management-cluster';
import { NetworkIsolation } from '../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation } from '../../../src/constructs/tenant/isolation/tenant-isolation';
import { NodePool } from '../../../src/constructs/tenant/node-pool';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { registerProvider } from '../../../src/manifests/systems/providers';
import { exampleCluster, poolProps } from '../../support/clusters';
import { OWN_PROVIDER, OwnInfrastructure, OwnMachine } from '../../support/own-provider';
import { problemsOf } from '../../support/problems';
import { cluster, INFRASTRUCTURE, landscapeOf, object, pool } from '../landscape/landscape';

registerProvider(OWN_PROVIDER);

const GROUP = 'infrastructure.cluster.x-k8s.io';
const LABELS = { pool: 'acme-general' };
const MACHINES = object(INFRASTRUCTURE, 'OwnMachineTemplate', 'acme-general', { template: { spec: { numSockets: 2, numCores: 4, memoryMiB: 8192 } } });
const RESOURCE = object(INFRASTRUCTURE, 'OwnCluster', 'acme', { externalManagedControlPlane: true, dnsServers: ['10.10.10.1'], ipv4Config: { addresses: ['10.10.10.5-10.10.10.50'], prefix: 24, gateway: '10.10.10.1' } });
const CLUSTER = cluster('acme', { infrastructureRef: { apiGroup: GROUP, kind: 'OwnCluster', name: 'acme' } });

function workers(template: string): ManifestObject {
  return pool('acme-general', {
    replicas: 3,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: {
        clusterName: 'acme',
        bootstrap: { dataSecretName: 'acme-general' },
        infrastructureRef: { apiGroup: GROUP, kind: 'OwnMachineTemplate', name: template },
      },
    },
  });
}

function check(...objects: ManifestObject[]): string[] {
  return ManifestValidation.check(objects).findings.map(({ rule }) => rule);
}

test('its rules are among those that objects are checked against', () => {
  expect(check(MACHINES)).toEqual([]);
  expect(check({ ...MACHINES, spec: { template: { spec: { memoryMiB: 2047 } } } })).toEqual(['OWN-MEMORY']);
});

test('references to its objects are checked', () => {
  expect(check(CLUSTER, RESOURCE, MACHINES, workers('acme-general'))).toEqual([]);
  expect(check(CLUSTER, RESOURCE, MACHINES, workers('acme-genral'))).toEqual(['TC-TRAP-REF-TEMPLATE']);
  expect(check(CLUSTER, RESOURCE, { ...RESOURCE, metadata: { name: 'other', namespace: 'team' } })).toEqual(['TC-TRAP-REF-UNUSED']);
  expect(check(CLUSTER, RESOURCE, { ...RESOURCE })).toEqual(['TC-TRAP-REF-DUPLICATE']);
});

test('changes of its objects are checked', () => {
  const change = (before: ManifestObject[], after: ManifestObject[]) => ManifestValidation.checkChange(before, after).findings.map(({ rule }) => rule)
    .filter((rule) => rule.startsWith('TC-CHANGE'));
  const all = [CLUSTER, RESOURCE, MACHINES, workers('acme-general')];
  const larger = { ...MACHINES, spec: { template: { spec: { numSockets: 2, numCores: 8, memoryMiB: 8192 } } } };
  const moved = { ...RESOURCE, spec: { controlPlaneEndpoint: { host: '10.10.10.5', port: 6443 } } };
  const placed = { ...RESOURCE, spec: { controlPlaneEndpoint: { host: '10.10.10.4', port: 6443 } } };

  expect(change(all, all)).toEqual([]);
  expect(change(all, [CLUSTER, RESOURCE, larger, workers('acme-general')])).toEqual(['TC-CHANGE-TEMPLATE-IN-PLACE']);
  expect(change(all, [CLUSTER, MACHINES, workers('acme-general')])).toContain('TC-CHANGE-USED-REMOVED');
  expect(change([CLUSTER, placed], [CLUSTER, moved])).toEqual(['TC-CHANGE-CLUSTER-ENDPOINT']);
});

test('its machines have their size in the inventory', async () => {
  const { clusters } = await landscapeOf([CLUSTER, RESOURCE, MACHINES, workers('acme-general')]);

  expect(clusters[0]).toMatchObject({
    infrastructure: { kind: 'OwnCluster' },
    pools: [{ machine: { kind: 'OwnMachine', cpu: 8, memory: 8192 * 1024 * 1024, gpus: [] } }],
  });
});

describe('in a cluster', () => {
  function poolOf(props: Partial<TenantClusterProps>): { readonly app: App; readonly pool: NodePool } {
    const app = Testing.app();
    return { app, pool: exampleCluster(app, props).addNodePool('general', poolProps({ machine: new OwnMachine(4, 8192) })) };
  }

  test('machines that are pods count for the quota, others do not', () => {
    const isolation = new TenantIsolation({ network: NetworkIsolation.none(), quota: { 'requests.cpu': '1' } });
    const machines = (infrastructure: OwnInfrastructure) => (
      problemsOf(poolOf({ infrastructure, isolation }).app).filter(({ text }) => text.includes('machines of pool')));

    expect(machines(new OwnInfrastructure(true))).toEqual([
      expect.objectContaining({ id: 'TC-ISOLATION-QUOTA', text: expect.stringContaining('acme-general × 4') }),
    ]);
    expect(machines(new OwnInfrastructure())).toEqual([]);
  });

  test('health checks watch the conditions of its machines', () => {
    const managementCluster = new ImportedManagementCluster({ clusterApiVersion: 'v1.14.2' });
    const { pool: { machineHealthCheck } } = poolOf({ infrastructure: new OwnInfrastructure(), managementCluster });

    expect(JSON.stringify(machineHealthCheck?.toJson())).toContain('VMProvisioned');
  });
});
