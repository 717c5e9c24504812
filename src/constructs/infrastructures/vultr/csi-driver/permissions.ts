import type { k8s } from 'cdk8s-plus-28';

const READ = ['get', 'list', 'watch'];

/**
 * What the companions of the driver do in the tenant (deploy/kubernetes/rbac.yaml of kubernetes-csi/external-provisioner,
 * external-attacher and external-resizer), without what this driver has no use for: it knows no zones, snapshots or Secrets.
 *
 * @param expansion whether volumes grow
 */
export function csiRules(expansion: boolean): k8s.PolicyRule[] {
  return [
    { apiGroups: [''], resources: ['persistentvolumes'], verbs: ['create', 'delete', ...READ, 'patch', 'update'] },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: [...READ, 'update'] },
    ...(expansion ? [{ apiGroups: [''], resources: ['persistentvolumeclaims/status'], verbs: ['patch', 'update'] }] : []),
    { apiGroups: [''], resources: ['nodes'], verbs: READ },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'list', 'patch', 'update', 'watch'] },
    { apiGroups: ['storage.k8s.io'], resources: ['csinodes', 'storageclasses'], verbs: READ },
    { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: [...READ, 'patch', 'update'] },
    { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments/status'], verbs: ['patch'] },
  ];
}

/** What they do in their own namespace: each elects a leader, under a name that the driver's gives it. */
export const LEASE_PERMISSIONS: readonly k8s.PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
];
