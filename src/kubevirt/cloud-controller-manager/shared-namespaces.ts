import { IConstruct } from 'constructs';
import { claimsPlace } from '../../values/claims';

const TENANTS = Symbol.for('cdk8s-cluster-api.KubevirtTenants');

/**
 * Enters a tenant cluster into the list of those whose cloud controller managers look at one namespace.
 *
 * @param scope a construct of the app
 * @param namespace the namespace, with the infrastructure cluster that it is in
 * @param tenant the tenant cluster
 * @returns all tenant clusters with their machines there, those too that come later
 */
export function registerTenant(scope: IConstruct, namespace: string, tenant: string): readonly string[] {
  const root = scope.node.root as IConstruct & { [TENANTS]?: Map<string, string[]> };
  if (!root[TENANTS]) {
    Object.defineProperty(root, TENANTS, { value: new Map<string, string[]>() });
  }
  const key = `${claimsPlace(scope) ?? ''} ${namespace}`;
  const tenants = root[TENANTS]!.get(key) ?? [];
  root[TENANTS]!.set(key, tenants);
  tenants.push(tenant);
  return tenants;
}
