import { Size } from 'cdk8s';
import { exampleOptions, exampleProfile, said, saying } from './fleets';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KubevirtCsiDriver } from '../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ClusterEntry } from '../../../../src/constructs/repository/fleet/cluster-list';
import { FleetCluster } from '../../../../src/constructs/repository/fleet/fleet-cluster';
import { FleetManagementCluster } from '../../../../src/constructs/repository/fleet/fleet-management-cluster';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';

const HALLS: readonly FleetManagementCluster[] = [
  { cluster: new ImportedManagementCluster({ name: 'hall-a' }), labels: { region: 'north', gpu: 'yes' }, maxClusters: 2 },
  { cluster: new ImportedManagementCluster({ name: 'hall-b' }), labels: { region: 'south' }, maxClusters: 3 },
  { cluster: new ImportedManagementCluster({ name: 'hall-c' }), labels: { region: 'north' } },
];

/** Findings about clusters with these management clusters in the list. */
function placed(names: readonly (string | undefined)[], offered: readonly FleetManagementCluster[], labels?: { [key: string]: string }): string[] {
  const clusters = names.map((hall, index): ClusterEntry => ({ name: `c${index}`, values: hall === undefined ? {} : { hall } }));
  const plain = exampleProfile((cluster) => ({ managementCluster: cluster.managementCluster('hall', [...offered], { labels }) }));
  return said(clusters, { profiles: { plain } }).filter((text) => text.includes('TC-FLEET'));
}

test('clusters that name a management cluster with room are fine', () => {
  expect(placed(['hall-a', 'hall-b', 'hall-a', 'hall-c'], HALLS)).toEqual([]);
});

test('the only one need not be named, also if labels leave one', () => {
  expect(placed([undefined, undefined], HALLS.slice(0, 1))).toEqual([]);
  expect(placed([undefined], HALLS, { region: 'south' })).toEqual([]);
});

test('TC-FLEET-MANAGEMENT-CLUSTER: a cluster without one gets the name of that with the most room, one after the other', () => {
  expect(placed(['hall-b', 'hall-b', undefined, undefined, undefined, undefined], HALLS.slice(0, 2))).toEqual([
    saying('fleet TC-FLEET-MANAGEMENT-CLUSTER clusters[2] hall:', '"c2" has no management cluster', '"hall-a" with 0 of 2 clusters, "hall-b" with 2 of 3 clusters', 'Fix: write "hall-a"'),
    expect.stringMatching(/"c3" .*Fix: write "hall-a"\.$/),
    expect.stringMatching(/"c4" .*Fix: write "hall-b"\.$/),
    expect.stringMatching(/"c5" .*Fix: add a management cluster, or raise a limit\.$/),
  ]);
});

test('labels choose, and what they leave out is not accepted', () => {
  expect(placed([undefined], HALLS, { region: 'north' })).toEqual([saying('fleet TC-FLEET-MANAGEMENT-CLUSTER clusters[0] hall:', '"hall-a" with 0 of 2 clusters, "hall-c" with 0 clusters', 'Fix: write "hall-c"')]);
  expect(placed(['hall-b'], HALLS, { region: 'north' })).toEqual([saying('fleet TC-FLEET-VALUE clusters[0] hall: "hall-b" is not accepted.', 'Accepted: "hall-a", "hall-c"')]);
  expect(placed([undefined], HALLS, { region: 'west' })).toEqual([saying('fleet TC-FLEET-MANAGEMENT-CLUSTER clusters[0] hall:', '"c0" needs a management cluster with region=west, and none has that', 'Fix: add a management cluster')]);
});

test('a cluster goes where its machines have room, and of several where they take the smallest share', () => {
  const hall = (name: string, cpu: string, memory: string): FleetManagementCluster => (
    { cluster: new ImportedManagementCluster({ name, totalLimit: { 'requests.cpu': cpu, 'requests.memory': memory } }) });
  const halls = [hall('small', '40', '100Gi'), hall('large', '100', '400Gi'), hall('tight', '400', '40Gi')];
  const profile = {
    props: (cluster: FleetCluster) => exampleOptions({
      infrastructure: new KubevirtInfrastructure({ csiDriver: KubevirtCsiDriver.none() }),
      managementCluster: cluster.managementCluster('hall', halls),
    }),
    populate: (tenant: TenantCluster, cluster: FleetCluster) => {
      const rootDisk = RootDisk.containerDisk({ image: 'registry.example.com/node:v1' });
      const machine = new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk });
      tenant.addNodePool('general', { machine, size: PoolSize.fixed(cluster.integer('workers')) });
    },
  };
  const entry = (name: string, workers: number, own?: string): ClusterEntry => (
    { name, values: { workers, ...(own !== undefined && { hall: own }) } });
  const found = said([entry('a', 4, 'small'), entry('b', 3), entry('c', 13), entry('d', 60)], { profiles: { plain: profile } })
    .filter((text) => text.includes('TC-FLEET-MANAGEMENT-CLUSTER'));

  expect(found).toEqual([
    expect.stringMatching(/"b" has no .*"small" with 1 clusters, .* of 40 requests\.cpu, .* of 100Gi requests\.memory, "large" .*Fix: write "large"\.$/),
    expect.stringMatching(/"c" .*Fix: write "large"\.$/),
    expect.stringMatching(/"d" .*Fix: add a management cluster, or raise a limit\.$/),
  ]);
});

test('TC-FLEET-MANAGEMENT-CLUSTER-FULL', () => {
  expect(placed(['hall-a', 'hall-a', 'hall-a'], HALLS.slice(0, 2))).toEqual([
    saying('fleet TC-FLEET-MANAGEMENT-CLUSTER-FULL clusters[2] hall: "hall-a" has 3 clusters, among them "c2". Accepted: up to 2.', 'elsewhere: "hall-b" with 0 of 3 clusters; or raise maxClusters'),
  ]);
  expect(placed(['hall-a', 'hall-a', 'hall-a'], HALLS.slice(0, 1))).toEqual([expect.stringContaining('Fix: add a management cluster, or raise maxClusters.')]);
});
