import { Construct } from 'constructs';
import { checkManagementCapabilities } from './capability-checks';
import { checkTenantLimit, checkTotalLimit, LimitedTenant } from './management-limits';
import { ConstructSlot } from '../../app/app-state';
import { Problems } from '../../app/problems/problems';
import { ManagementCapabilities } from '../../contracts/capabilities/management-capabilities';
import { IManagementCluster } from '../../contracts/capabilities/management-cluster';
import { registerUser } from '../../contracts/capabilities/users';

/** Management clusters that check what they state themselves. */
const CHECKED = new ConstructSlot<true>('CheckedStatement');

/**
 * Checks what a management cluster states, whether it has tenants in its app or not.
 *
 * @param cluster the cluster, which the app makes
 * @param stated what is stated, without what follows from what is installed, which is checked where it is said
 */
export function checkOwnStatement(cluster: IManagementCluster & Construct, stated: ManagementCapabilities): void {
  CHECKED.set(cluster, true);
  Problems.of(cluster)._addCheck(() => checkManagementCapabilities('capabilities', stated));
}

/**
 * Enters a tenant cluster into its management cluster, and has it checked whether there is room for it.
 *
 * What concerns the statement itself, or all tenants together, is reported once: for the management cluster where the app makes it, else
 * for the first tenant.
 */
export function admitTenant(tenant: LimitedTenant, cluster: IManagementCluster): void {
  const { capabilities } = cluster;
  Problems.of(tenant.chart)._addCheck(() => checkTenantLimit(tenant, capabilities.tenantLimit ?? {}));
  const tenants = registerUser(tenant.chart, cluster, tenant);
  if (tenants.length > 1) return;
  const made = Construct.isConstruct(cluster) && cluster.node.root === tenant.chart.node.root;
  const property = made ? 'capabilities' : 'managementCluster.capabilities';
  Problems.of(made ? cluster : tenant.chart)._addCheck(() => [
    ...(made && CHECKED.get(cluster) ? [] : checkManagementCapabilities(property, capabilities)),
    ...checkTotalLimit(`${property}.totalLimit`, capabilities.totalLimit ?? {}, tenants),
  ]);
}
