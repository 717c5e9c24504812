import { isCount } from '../../../manifests/values/counts';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem } from '../../../manifests/values/problem';
import { BUNDLED_ADDON_RULES } from '../bundled-addon-rules';

/** Checks that a required string or list is not empty. */
export function checkGiven(property: string, value: string | readonly unknown[], fix: string): Problem[] {
  return value.length > 0 ? [] : [{ rule: BUNDLED_ADDON_RULES.required, property, message: 'it is empty', fix }];
}

/** Checks an address that is sent to. */
export function checkUrl(property: string, url: string): Problem[] {
  return /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '') ? [] : [{
    rule: BUNDLED_ADDON_RULES.url,
    property,
    message: `"${url}" is not a destination URL`,
    accepted: 'http://… and https://…',
    fix: 'write the whole URL, such as "https://metrics.example.com/api/v1/write"',
  }];
}

/** Checks the name of an object that is referred to. */
export function checkObjectName(property: string, name: string | undefined): Problem[] {
  const fault = name === undefined ? undefined : checkDnsSubdomain(name);
  return fault === undefined ? [] : [{ rule: BUNDLED_ADDON_RULES.objectName, property, message: fault, fix: 'give the name of the object in the tenant' }];
}

/** Checks a number of replicas. */
export function checkReplicas(property: string, replicas: number | undefined): Problem[] {
  return replicas === undefined || isCount(replicas, 1) ? [] : [{
    rule: BUNDLED_ADDON_RULES.count,
    property,
    message: `${replicas} is not a number of replicas`,
    accepted: 'whole numbers from 1',
    fix: 'correct the number',
  }];
}
