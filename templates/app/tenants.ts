import type { GitOpsApp, TenantCluster } from 'cdk8s-cluster-api';
import { addTenant } from './tenant';

/** Adds the tenants of this repository. Another one is a file like tenant.ts, and a line here. */
export function addTenants(app: GitOpsApp): TenantCluster[] {
  return [
    addTenant(app),
  ];
}
