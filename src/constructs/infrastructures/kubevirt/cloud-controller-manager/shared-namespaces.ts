import { IConstruct } from 'constructs';
import { claimsPlace } from '../../../app/synth/claims';

const TENANTS = Symbol.for('cdk8s-cluster-api.KubevirtTenants');

/**
 * Enters a tenant cluster into the list of those that share something, such as the namespace that cloud controller managers look at.
 *
 * @param scope a construct of the app
 * @param place what is shared, with the infrastructure cluster that it is in
 * @param tenant the tenant cluster
 * @returns all tenant clusters that share it, those too that come later
 */
export function registerTenant<Tenant>(scope: IConstruct, place: string, tenant: Tenant): readonly Tenant[] {
  const root = scope.node.root as IConstruct & { [TENANTS]?: Map<string, unknown[]> };
  if (!root[TENANTS]) {
    Object.defineProperty(root, TENANTS, { value: new Map<string, unknown[]>() });
  }
  const key = `${claimsPlace(scope) ?? ''} ${place}`;
  const tenants = (root[TENANTS]!.get(key) ?? []) as Tenant[];
  root[TENANTS]!.set(key, tenants);
  tenants.push(tenant);
  return tenants;
}
