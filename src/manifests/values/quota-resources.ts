import { checkQualifiedName } from './labels';

// kubernetes/kubernetes pkg/apis/core/helper/helpers.go: standardQuotaResources and, of these, integerResources
const COMPUTE: readonly string[] = [
  'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage',
  'limits.cpu', 'limits.memory', 'limits.ephemeral-storage',
];

/** Objects that a quota counts under names of their own. */
export const COUNTED_OBJECTS: readonly string[] = [
  'pods', 'services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps',
  'persistentvolumeclaims',
];

/** Resources that a quota limits, without those that have a size or a domain in their names. */
export const QUOTA_RESOURCES: readonly string[] = [...COMPUTE, ...COUNTED_OBJECTS];

/** True if a quota limits a resource of that name, which has no domain. */
export function isStandardQuota(resource: string): boolean {
  return QUOTA_RESOURCES.includes(resource) || /^(requests\.)?hugepages-/.test(resource);
}

/** Checks the name of a resource in a quota. */
export function checkQuotaResource(resource: string): string | undefined {
  if (resource.includes('/')) return checkQualifiedName(resource);
  return isStandardQuota(resource) ? undefined
    : `a quota cannot count "${resource}"; accepted are ${QUOTA_RESOURCES.join(', ')}, requests.hugepages-<size>, requests.<domain>/<device>,`
      + ' count/<resource>.<group> and <class>.storageclass.storage.k8s.io/requests.storage';
}
