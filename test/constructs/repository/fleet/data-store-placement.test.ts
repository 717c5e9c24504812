import { exampleProfile, said, saying } from './fleets';
import { ImportedManagementCluster, ManagementCapabilities } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { ClusterEntry } from '../../../../src/constructs/repository/fleet/cluster-list';

/** Findings about clusters with these data stores, all in one management cluster. */
function placed(dataStores: readonly (string | undefined)[], capabilities: ManagementCapabilities): string[] {
  const managementCluster = new ImportedManagementCluster(capabilities);
  const clusters = dataStores.map((dataStore, index): ClusterEntry => ({ name: `c${index}`, values: dataStore === undefined ? {} : { dataStore } }));
  const infrastructure = new KubevirtInfrastructure();
  const plain = exampleProfile((cluster) => ({
    controlPlane: new KamajiControlPlane({ dataStore: cluster.dataStore('dataStore', managementCluster) }), infrastructure, bootstrap: undefined, managementCluster,
  }));
  return said(clusters, { profiles: { plain } }).filter((text) => text.includes('DATA-STORE') || text.includes('TC-FLEET'));
}

const STORES: ManagementCapabilities = { dataStores: ['one', 'two'], dataStoreLimits: { one: 2, two: 3 } };

test('clusters that name a data store with room are fine', () => {
  expect(placed(['one', 'two', 'two', 'one', 'two'], STORES)).toEqual([]);
});

test('the only data store need not be named', () => {
  expect(placed([undefined, undefined], { dataStores: ['one'], dataStoreLimits: { one: 2 } })).toEqual([]);
});

test('a cluster without one gets the name of that with the most room, one after the other', () => {
  expect(placed(['two', undefined, undefined, undefined, undefined, undefined], STORES)).toEqual([
    saying('fleet TC-FLEET-DATA-STORE clusters[1] dataStore:', '"c1" has no data store', '"one" with 0 of 2 clusters, "two" with 1 of 3 clusters', 'Fix: write "one"'),
    expect.stringMatching(/"c2" .*Fix: write "two"\.$/),
    expect.stringMatching(/"c3" .*Fix: write "one"\.$/),
    expect.stringMatching(/"c4" .*Fix: write "two"\.$/),
    expect.stringMatching(/"c5" .*Fix: add a data store to the management cluster, or raise a limit\.$/),
  ]);
});

test('more clusters than a data store may have, and one that does not exist', () => {
  expect(placed(['one', 'one', 'one'], STORES)).toEqual([
    expect.stringContaining('TC-MANAGEMENT-DATA-STORE-FULL managementCluster.capabilities.dataStoreLimits["one"]: 3 tenant clusters use the DataStore "one", among them "c2". Accepted: up to 2.'),
  ]);
  expect(placed(['three'], STORES)).toEqual([expect.stringContaining('TC-FLEET-VALUE clusters[0] dataStore: "three" is not accepted. Accepted: "one", "two"')]);
});

test('TC-MANAGEMENT-DATA-STORE-LIMIT', () => {
  expect(placed(['one'], { dataStores: ['one'], dataStoreLimits: { one: 0.5 } })).toEqual([
    expect.stringContaining('TC-MANAGEMENT-DATA-STORE-LIMIT managementCluster.capabilities.dataStoreLimits["one"]: 0.5 is not a number of tenant clusters'),
  ]);
});
