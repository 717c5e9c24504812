import { ManagementCapabilities } from './management-cluster';
import { isCount } from '../../../manifests/values/counts';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ClusterContext } from '../cluster-context';

/** The DataStores of a management cluster, as far as they are known. */
export function dataStoreNames({ dataStores, dataStorePeers = {}, dataStoreLimits = {} }: ManagementCapabilities): string[] {
  return dataStores ?? [...new Set([...Object.keys(dataStorePeers), ...Object.keys(dataStoreLimits)])].sort();
}

const LIMIT_RULE: Rule = {
  id: 'TC-MANAGEMENT-DATA-STORE-LIMIT',
  title: 'The limit of tenant clusters of a DataStore must be a whole number from 1.',
};

/** Checks the limit of a DataStore. */
export function checkDataStoreLimit(property: string, limit: number | undefined): Problem[] {
  return limit === undefined || isCount(limit, 1) ? [] : [{
    rule: LIMIT_RULE, property, message: `${limit} is not a number of tenant clusters`, accepted: 'a whole number from 1', fix: 'correct the number, or leave it out',
  }];
}

const FULL_RULE: Rule = {
  id: 'TC-MANAGEMENT-DATA-STORE-FULL',
  title: 'A DataStore must not have more tenant clusters than its limit: all of them stop when one fills it.',
  source: 'etcd.io/docs/v3.6/op-guide/maintenance (space quota)',
};

/** A tenant cluster, as far as its data stores matter. */
interface StoredTenant {
  readonly context: ClusterContext;
}

/**
 * Checks that no DataStore has more tenants than its limit.
 *
 * @param property where the limits are stated
 * @param capabilities of the management cluster
 * @param tenants all tenant clusters of the app in this management cluster
 */
export function checkDataStoreTenants(property: string, capabilities: ManagementCapabilities, tenants: readonly StoredTenant[]): Problem[] {
  const { dataStores = [], dataStoreLimits = {} } = capabilities;
  const usual = dataStores.length === 1 ? dataStores : [];
  const used = tenants.map(({ context: { name, controlPlane } }) => (
    { name, stores: controlPlane.dataStores ?? (controlPlane.podLabel === undefined ? [] : usual) }));
  return Object.entries(dataStoreLimits).flatMap(([store, limit]): Problem[] => {
    const users = used.filter(({ stores }) => stores.includes(store));
    return !isCount(limit, 1) || users.length <= limit ? [] : [{
      rule: FULL_RULE,
      property: `${property}.dataStoreLimits["${store}"]`,
      message: `${users.length} tenant clusters use the DataStore "${store}", among them "${users[users.length - 1].name}"`,
      accepted: `up to ${limit}`,
      fix: 'give new tenants another DataStore, or raise the limit (maxTenants of an etcd) after a look at the size of its database',
    }];
  });
}
