import { blueprints } from 'cdk8s-cluster-api';
import type { GitOpsApp, TenantCluster } from 'cdk8s-cluster-api';

/** A first cluster at Vultr. */
export function addTenant(app: GitOpsApp): TenantCluster {
  // Replace: the name of the tenant and its namespace.
  return new blueprints.VultrStarter(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    // Replace: the region.
    region: 'nrt',
    // Replace: the ids of your node snapshot, SSH keys and firewall group.
    snapshotId: '00000000-0000-4000-8000-000000000001',
    sshKeyIds: ['00000000-0000-4000-8000-000000000002'],
    firewallGroupId: '00000000-0000-4000-8000-000000000004',
  });
}
