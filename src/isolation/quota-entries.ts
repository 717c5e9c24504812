import { ISOLATION_RULES } from './rules';
import { Problem } from '../problems/problem';
import { nearestName } from '../values/nearest-name';
import { checkQuantity } from '../values/quantity';
import { checkQuotaResource, QUOTA_RESOURCES } from '../values/quota-resources';

const CPU = /(^|\.)cpu$/;

/** Checks the entries of a quota, which is in that property, one by one. */
export function checkQuotaEntries(quota: { readonly [resource: string]: string }, property = 'isolation.quota'): Problem[] {
  return Object.entries(quota).flatMap(([resource, amount]) => {
    const at = { rule: ISOLATION_RULES.quotaEntry, property: `${property}["${resource}"]` };
    const name = checkQuotaResource(resource) ?? (resource.includes('/') ? checkExtended(resource) : undefined);
    const quantity = checkQuantity(amount, { whole: !CPU.test(resource) });
    return [
      ...(name === undefined ? [] : [{ ...at, message: name, fix: nameFix(resource) }]),
      ...(quantity === undefined ? [] : [{ ...at, message: quantity, fix: 'correct the quantity' }]),
    ];
  });
}

function nameFix(resource: string): string {
  const near = resource.includes('/') ? undefined : nearestName(resource, QUOTA_RESOURCES);
  return near === undefined ? 'correct the entry' : `write "${near}" if you mean that`;
}

/** Devices are counted by what is requested of them; under their plain name nothing ever counts. */
function checkExtended(resource: string): string | undefined {
  const [domain] = resource.split('/');
  return resource.startsWith('requests.') || domain === 'count' || domain.endsWith('.k8s.io') ? undefined
    : `a quota of "${resource}" counts nothing; accepted is "requests.${resource}"`;
}
