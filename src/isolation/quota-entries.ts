import { ISOLATION_RULES } from './rules';
import { Problem } from '../problems/problem';
import { checkQualifiedName } from '../values/labels';
import { nearestName } from '../values/nearest-name';
import { checkQuantity } from '../values/quantity';

// kubernetes/kubernetes pkg/apis/core/helper/helpers.go: standardQuotaResources and, of these, integerResources
const COMPUTE: readonly string[] = [
  'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage',
  'limits.cpu', 'limits.memory', 'limits.ephemeral-storage',
];
const OBJECTS: readonly string[] = [
  'pods', 'services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps',
  'persistentvolumeclaims',
];
const NAMES: readonly string[] = [...COMPUTE, ...OBJECTS];
const HUGE_PAGES = /^(requests\.)?hugepages-/;
const CPU = /(^|\.)cpu$/;

/** Checks the entries of a quota, which is in that property, one by one. */
export function checkQuotaEntries(quota: { readonly [resource: string]: string }, property = 'isolation.quota'): Problem[] {
  return Object.entries(quota).flatMap(([resource, amount]) => {
    const at = { rule: ISOLATION_RULES.quotaEntry, property: `${property}["${resource}"]` };
    const name = checkResource(resource);
    const quantity = checkQuantity(amount, { whole: !CPU.test(resource) });
    return [
      ...(name === undefined ? [] : [{ ...at, message: name, fix: nameFix(resource) }]),
      ...(quantity === undefined ? [] : [{ ...at, message: quantity, fix: 'correct the quantity' }]),
    ];
  });
}

function checkResource(resource: string): string | undefined {
  if (resource.includes('/')) return checkQualifiedName(resource) ?? checkExtended(resource);
  return NAMES.includes(resource) || HUGE_PAGES.test(resource) ? undefined
    : `a quota cannot count "${resource}"; accepted are ${NAMES.join(', ')}, requests.hugepages-<size>, requests.<domain>/<device>,`
      + ' count/<resource>.<group> and <class>.storageclass.storage.k8s.io/requests.storage';
}

function nameFix(resource: string): string {
  const near = resource.includes('/') ? undefined : nearestName(resource, NAMES);
  return near === undefined ? 'correct the entry' : `write "${near}" if you mean that`;
}

/** Devices are counted by what is requested of them; under their plain name nothing ever counts. */
function checkExtended(resource: string): string | undefined {
  const [domain] = resource.split('/');
  return resource.startsWith('requests.') || domain === 'count' || domain.endsWith('.k8s.io') ? undefined
    : `a quota of "${resource}" counts nothing; accepted is "requests.${resource}"`;
}
