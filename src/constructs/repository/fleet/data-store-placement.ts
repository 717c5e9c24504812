import { FleetCluster } from './fleet-cluster';
import { Problem, Rule } from '../../../manifests/values/problem';
import { dataStoreNames } from '../../contracts/capabilities/data-store-limits';
import { ManagementCapabilities } from '../../contracts/capabilities/management-cluster';

const DATA_STORE_RULE: Rule = {
  id: 'TC-FLEET-DATA-STORE',
  title: 'The list must name the data store of each cluster if there are several: one that was chosen at synthesis would change with the list, and the data would move.',
  source: 'clastix/kamaji internal/resources/datastore/datastore_migrate.go',
};

/** Checks that each cluster whose profile asks for a data store has one, and names one with room for those that have none. */
export function checkPlacement(clusters: readonly FleetCluster[]): Problem[] {
  const placements = clusters.flatMap((cluster) => cluster._reader.placed.map((placement) => ({ cluster, ...placement })));
  const tenants = new Map<ManagementCapabilities, Map<string, number>>();
  const countsOf = (management: ManagementCapabilities) => {
    const known = tenants.get(management) ?? new Map<string, number>();
    tenants.set(management, known);
    return known;
  };
  const add = (management: ManagementCapabilities, store: string) => countsOf(management).set(store, (countsOf(management).get(store) ?? 0) + 1);
  placements.forEach(({ management, dataStore }) => dataStore !== undefined && add(management, dataStore));
  return placements.filter(({ dataStore }) => dataStore === undefined).map(({ cluster, key, management }): Problem => {
    const limits = management.dataStoreLimits ?? {};
    const rooms = dataStoreNames(management)
      .map((store) => ({ store, tenants: countsOf(management).get(store) ?? 0, limit: limits[store] ?? Infinity }));
    const [best] = rooms.filter(({ tenants: now, limit }) => now < limit)
      .sort((one, other) => (other.limit - other.tenants) - (one.limit - one.tenants) || one.tenants - other.tenants);
    if (best) add(management, best.store);
    return {
      rule: DATA_STORE_RULE,
      property: `${cluster._place()} ${key}`,
      message: `"${cluster.name}" has no data store, and there are ${rooms.map(({ store, tenants: now, limit }) => (
        `"${store}" with ${now}${limit === Infinity ? '' : ` of ${limit}`} clusters`)).join(', ')}`,
      fix: best ? `write "${best.store}"` : 'add a data store to the management cluster, or raise a limit',
    };
  });
}
